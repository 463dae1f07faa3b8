import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { until } from '../polling.mts';
import { n8nFolder } from './versions.mts';

/** What an n8n process does: everything, only run executions, or only take webhooks (the last two in queue mode). */
export type N8nCommand = 'start' | 'worker' | 'webhook';

/** Environment variables; `undefined` takes one away. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What an n8n process is started with. */
export interface N8nProcessOptions {
	readonly version: string;
	readonly command: N8nCommand;
	readonly userFolder: string;
	readonly port: number;
	readonly environment: Environment;
}

const startTimeout = 120_000;
const shutdownSeconds = 5;
const shownLogLines = 60;

/** No telemetry, no look at the internet, no tour of the editor: what every n8n here is started with. */
const quietEnvironment: Environment = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true',
	N8N_SECURE_COOKIE: 'false',
	// A busy machine is no lost database: n8n would refuse calls, and callbacks, while it thinks so.
	DB_PING_TIMEOUT_MS: '60000',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(shutdownSeconds),
	NO_COLOR: '1',
};

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('No port was assigned');
	return address.port;
}

/** Variables that npm and vitest set for their own children, and that n8n should not see. */
function inheritedEnvironment(): Record<string, string | undefined> {
	const foreign = /^(npm_|VITEST|TEST$|NODE_ENV$|N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_URL$|VITE_)/;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

/** One running n8n process, with what it has printed so far. */
export class N8nProcess {
	readonly port: number;
	private readonly child: ChildProcess;
	private printed = '';

	private constructor(child: ChildProcess, port: number) {
		this.child = child;
		this.port = port;
		for (const stream of [child.stdout, child.stderr]) {
			stream?.on('data', (chunk: Buffer) => (this.printed += chunk.toString('utf8')));
		}
	}

	/** Starts n8n and waits until it says that it is ready. */
	static async start(options: N8nProcessOptions): Promise<N8nProcess> {
		const program = join(n8nFolder(options.version), 'node_modules', 'n8n', 'bin', 'n8n');
		const brokerPort = await freePort();
		const preloaded = fileURLToPath(new URL('endWithParent.cjs', import.meta.url));
		const child = spawn(process.execPath, ['--require', preloaded, program, options.command], {
			cwd: options.userFolder,
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {
				...inheritedEnvironment(),
				...quietEnvironment,
				N8N_USER_FOLDER: options.userFolder,
				N8N_PORT: String(options.port),
				N8N_RUNNERS_BROKER_PORT: String(brokerPort),
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(options.port),
				...options.environment,
			},
		});
		const started = new N8nProcess(child, options.port);
		const killWithParent = () => {
			child.kill('SIGKILL');
		};
		process.once('exit', killWithParent);
		child.once('exit', () => process.off('exit', killWithParent));
		try {
			await until('n8n to be ready', () => started.readiness(), { timeout: startTimeout, interval: 60 });
		} catch (failure) {
			await started.stop('SIGKILL');
			throw new Error(`n8n ${options.command} did not start. Its log ends with:\n${started.logTail()}`, {
				cause: failure,
			});
		}
		return started;
	}

	/** The id that the system knows the process by. */
	get pid(): number {
		if (this.child.pid === undefined) throw new Error('The process was never started');
		return this.child.pid;
	}

	/** Everything that the process has printed. */
	get log(): string {
		return this.printed;
	}

	/** The last lines of what the process has printed. */
	logTail(): string {
		return this.printed.trimEnd().split('\n').slice(-shownLogLines).join('\n');
	}

	/** Resolves when the process has ended, for whatever reason. */
	async ended(): Promise<void> {
		if (this.isRunning) await once(this.child, 'exit');
	}

	/** Ends the process: politely (and by force where it does not end), or at once with `SIGKILL`. */
	async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		if (!this.isRunning) return;
		const ended = this.ended();
		if (signal === 'SIGTERM') {
			this.child.kill('SIGTERM');
			const patience = new AbortController();
			const tooLate = sleep((shutdownSeconds + 5) * 1000, undefined, { signal: patience.signal });
			await Promise.race([ended, tooLate]);
			patience.abort();
			await tooLate.catch(() => undefined);
		}
		this.child.kill('SIGKILL');
		await ended;
	}

	private get isRunning(): boolean {
		return this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
	}

	private async readiness(): Promise<true | undefined> {
		if (!this.isRunning) throw new Error('The process ended');
		try {
			const answer = await fetch(`http://localhost:${this.port}/healthz/readiness`);
			await answer.arrayBuffer();
			return answer.ok ? true : undefined;
		} catch {
			return undefined;
		}
	}
}
