import { randomInt } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { projectFolder } from './installedPackage.mts';
import { takePort } from './localServer.mts';
import { markUsed } from './n8nCache.mjs';
import { Program } from './program.mts';
import { startInTurn } from './limitStarts.mts';
import { n8nFolder } from './versions.mts';

/** Environment variables; `undefined` removes one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What an n8n process is started with. */
interface N8nProcessOptions {
	/** Everything, or, in queue mode, only executions or only webhooks. */
	command: 'start' | 'worker' | 'webhook';
	userFolder: string;
	port: number;
	environment: Environment;
}

const startTimeout = 240_000;
const shutdownSeconds = 5;

/** Whether this n8n has a module: older ones don't start with a setting that names an unknown one. */
function hasModule(name: string) {
	return existsSync(join(n8nFolder, 'node_modules', 'n8n', 'dist', 'modules', name));
}

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
	// n8n 2.41 would end executions that are due while it starts: docs/self-hosting.md, "Restarts".
	N8N_DISABLED_MODULES: ['mcp-registry', 'otel'].filter(hasModule).join(','),
	NO_COLOR: '1',
};

/** The logs of all n8n processes that this process has started. */
export const logFiles: string[] = [];

/** The folder of n8n's logs. */
export const logFolder = join(projectFolder, '.cache', 'n8n-logs');

/** Every process begins elsewhere, below the ports that a system gives out by itself. */
let nextPort = 20_000 + randomInt(10_000);

/** A port that nothing listens on. */
export async function freePort() {
	const port = nextPort++;
	const server = await takePort(port, '127.0.0.1');
	if (server === undefined) return await freePort();
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** Variables that npm and vitest set for their child processes, and that n8n should not see. */
function inheritedEnvironment() {
	const foreign = /^(npm_|VITEST|TEST$|NODE_ENV$|N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_URL$|VITE_)/;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

async function isServed(url: string) {
	try {
		const answer = await fetch(url);
		await answer.arrayBuffer();
		return answer.ok;
	} catch {
		return false;
	}
}

/** One running n8n process. */
export class N8nProcess extends Program {
	readonly port: number;
	/** The file with everything that the process prints. */
	readonly logFile: string;

	private constructor(
		{ command, userFolder, port, environment }: N8nProcessOptions,
		brokerPort: number,
	) {
		const preloaded = fileURLToPath(new URL('endWithParent.cjs', import.meta.url));
		const program = join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n');
		const env = {
			...inheritedEnvironment(),
			...quietEnvironment,
			N8N_USER_FOLDER: userFolder,
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(brokerPort),
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			...environment,
		};
		super(
			`n8n ${command}`,
			[process.execPath, '--require', preloaded, program, command],
			{ cwd: userFolder, env },
			'SIGKILL',
		);
		this.port = port;
		this.logFile = join(logFolder, `${command}-${this.pid}.log`);
		mkdirSync(logFolder, { recursive: true });
		logFiles.push(this.logFile);
	}

	/** Starts n8n, once no more than one other starts, and waits until it says that it is ready. */
	static async start(options: N8nProcessOptions) {
		if (!existsSync(n8nFolder)) throw new Error('n8n is not installed. Run `npm test`.');
		markUsed(n8nFolder);
		const readiness = `http://localhost:${options.port}/healthz/readiness`;
		return await startInTurn(async () => {
			const started = new N8nProcess(options, await freePort());
			await started.ready(async () => await isServed(readiness), startTimeout);
			return started;
		});
	}

	protected override keep(text: string) {
		super.keep(text);
		appendFileSync(this.logFile, text);
	}
}
