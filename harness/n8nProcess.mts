import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { projectFolder } from './installedPackage.mts';
import { until } from './polling.mts';
import { isN8n1, n8nFolder } from './versions.mts';

/** What an n8n process does: everything, or, in queue mode, only executions or only webhooks. */
export type N8nCommand = 'start' | 'worker' | 'webhook';

/** Environment variables; `undefined` removes one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What an n8n process is started with. */
export interface N8nProcessOptions {
	readonly version: string;
	readonly command: N8nCommand;
	readonly userFolder: string;
	readonly port: number;
	readonly environment: Environment;
}

const startTimeout = 240_000;
const shutdownSeconds = 5;
const shownLogLines = 60;

/** Settings of every n8n here: no telemetry, no requests to the internet, no tour of the editor. */
const quietEnvironment: Environment = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true',
	N8N_SECURE_COOKIE: 'false',
	// On a busy machine, n8n would believe that the database is gone, and refuse calls and callbacks.
	DB_PING_TIMEOUT_MS: '60000',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(shutdownSeconds),
	NO_COLOR: '1',
};

/** With this, n8n 1 stores the status of an execution together with its data, as n8n 2 does. */
const n8n1Environment: Environment = { DB_SQLITE_POOL_SIZE: '2' };

const n8n2Environment: Environment = { N8N_DISABLED_MODULES: 'mcp-registry' };

/** The logs of all n8n processes that this process has started. */
export const logFiles: string[] = [];

/** The folder of the logs of an n8n. */
export function logFolder(version: string): string {
	return join(projectFolder, '.cache', 'n8n-logs', version);
}

/** The ports below those that a system gives out by itself: none of them is taken between being chosen and being used. */
const PORTS = { first: 20_000, count: 10_000 };
const claims = join(tmpdir(), 'n8n-nodes-legal-ai-ports');

/** A port that nothing listens on. It is this process's own until that ends. */
export async function freePort(): Promise<number> {
	mkdirSync(claims, { recursive: true });
	for (;;) {
		const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
		if (claim(join(claims, String(port))) && !(await isTaken(port))) return port;
	}
}

/** Whether the file could be made, or was left by a process that has ended. */
function claim(file: string): boolean {
	try {
		writeFileSync(file, String(process.pid), { flag: 'wx' });
	} catch {
		if (isRunning(Number(readFileSync(file, 'utf8')))) return false;
		writeFileSync(file, String(process.pid));
	}
	return true;
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

async function isTaken(port: number): Promise<boolean> {
	const server = createServer().listen(port, '127.0.0.1');
	return await new Promise((resolve) => {
		server.once('error', () => {
			resolve(true);
		});
		server.once('listening', () => {
			server.close(() => {
				resolve(false);
			});
		});
	});
}

/** Variables that npm and vitest set for their child processes, and that n8n should not see. */
function inheritedEnvironment(): Record<string, string | undefined> {
	const foreign = /^(npm_|VITEST|TEST$|NODE_ENV$|N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_URL$|VITE_)/;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

/** One running n8n process, with what it has printed so far. */
export class N8nProcess {
	readonly port: number;
	private readonly readyAddresses: readonly string[];
	/** The file with everything that the process prints. */
	readonly logFile: string;
	private readonly child: ChildProcess;
	private printed = '';

	private constructor(child: ChildProcess, { version, command, port }: N8nProcessOptions) {
		this.child = child;
		this.port = port;
		this.logFile = join(logFolder(version), `${command}-${child.pid}.log`);
		mkdirSync(logFolder(version), { recursive: true });
		logFiles.push(this.logFile);
		const log = openSync(this.logFile, 'w');
		child.once('close', () => {
			closeSync(log);
		});
		// The main process of n8n 1 says that it is ready before it has its REST interface.
		this.readyAddresses = ['/healthz/readiness', ...(command === 'start' ? ['/rest/settings'] : [])];
		for (const stream of [child.stdout, child.stderr]) {
			stream?.on('data', (chunk: Buffer) => {
				this.printed += chunk.toString('utf8');
				writeSync(log, chunk);
			});
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
				...(isN8n1(options.version) ? n8n1Environment : n8n2Environment),
				N8N_USER_FOLDER: options.userFolder,
				N8N_PORT: String(options.port),
				N8N_RUNNERS_BROKER_PORT: String(brokerPort),
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(options.port),
				...options.environment,
			},
		});
		const started = new N8nProcess(child, options);
		const killWithParent = () => {
			child.kill('SIGKILL');
		};
		process.once('exit', killWithParent);
		child.once('exit', () => process.off('exit', killWithParent));
		try {
			await until('n8n to be ready', () => started.readiness(), { timeout: startTimeout, interval: 60 });
		} catch (failure) {
			await started.stop('SIGKILL');
			throw new Error(`n8n ${options.command} did not start. Its log, ${started.logFile}, ends with:\n${started.logTail()}`, {
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

	/** Ends the process: gracefully (by force if it does not end), or immediately with `SIGKILL`. */
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
			const answers = await Promise.all(
				this.readyAddresses.map(async (path) => await fetch(`http://localhost:${this.port}${path}`)),
			);
			await Promise.all(answers.map(async (answer) => await answer.arrayBuffer()));
			return answers.every(({ ok }) => ok) ? true : undefined;
		} catch {
			return undefined;
		}
	}
}
