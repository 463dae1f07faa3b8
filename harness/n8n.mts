import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installPackage } from './installedPackage.mts';
import { N8nClient } from './n8nClient.mts';
import { type Environment, freePort, N8nProcess } from './n8nProcess.mts';
import { RestSession } from './restSession.mts';
import { n8nFolder } from './versions.mts';

/** How to start an n8n. All defaults suit a test. */
interface N8nOptions {
	/** Added to the environment that n8n is started in, or removed from it (`undefined`). */
	environment?: Environment;
	/** The port. Default: any free one. */
	port?: number;
	/** A folder to keep. Default: a temporary one that {@link N8n.close} removes. */
	userFolder?: string;
	/** Whether this package is in it. Default: it is. */
	hasPackage?: boolean;
}

/** A real n8n in its own process, with this package installed and its owner logged in. */
export class N8n extends N8nClient {
	/** Its main process. */
	main: N8nProcess;
	readonly #options: Required<N8nOptions>;
	readonly #isTemporary: boolean;
	readonly #besides: N8nProcess[] = [];

	/** @internal use {@link startN8n} */
	constructor(
		session: RestSession,
		main: N8nProcess,
		options: Required<N8nOptions>,
		isTemporary: boolean,
	) {
		super(session, options.userFolder);
		this.main = main;
		this.#options = options;
		this.#isTemporary = isTemporary;
	}

	/** Kills the main process unless it has ended, and starts it again on the same folder and port, with changes to its environment. */
	async restart(changes: Environment = {}) {
		await this.main.stop('SIGKILL');
		const environment = { ...this.#options.environment, ...changes };
		this.main = await N8nProcess.start({ ...this.#options, environment, command: 'start' });
	}

	/** Queue mode: starts a worker or a webhook process with the same settings, on any free port by default. */
	async startBeside(command: 'worker' | 'webhook', changes: Environment = {}, port?: number) {
		const environment = { ...this.#options.environment, ...changes };
		const beside = await N8nProcess.start({
			...this.#options,
			command,
			port: port ?? (await freePort()),
			environment,
		});
		this.#besides.push(beside);
		return beside;
	}

	/** Ends n8n, and removes a temporary folder. */
	async close() {
		const signal = this.#isTemporary ? 'SIGKILL' : 'SIGTERM';
		await Promise.all(
			[...this.#besides, this.main].map(async (running) => {
				await running.stop(signal);
			}),
		);
		if (this.#isTemporary)
			await rm(this.userFolder, { recursive: true, force: true, maxRetries: 5 });
	}
}

/**
 * A folder as n8n leaves it once it has made its database and its owner, which takes it longer than all else. Kept beside what is
 * installed of this n8n, for all checkouts of the machine.
 */
const preparedFolder = join(n8nFolder, 'new-user-folder');

async function prepareFolder() {
	const userFolder = await mkdtemp(`${preparedFolder}-`);
	const process = await N8nProcess.start({
		userFolder,
		port: await freePort(),
		environment: {},
		command: 'start',
	});
	await RestSession.open(`http://localhost:${process.port}`);
	// So that everything is in the database, and nothing in a log beside it.
	await process.stop('SIGTERM');
	// Of several that are prepared at the same time, the first one stays.
	await rename(userFolder, preparedFolder).catch(async () => {
		await rm(userFolder, { recursive: true, force: true });
	});
}

/** A temporary user folder, for an n8n of its own. */
async function newUserFolder() {
	if (!existsSync(preparedFolder)) await prepareFolder();
	const userFolder = await mkdtemp(join(tmpdir(), 'n8n-'));
	await cp(preparedFolder, userFolder, { recursive: true });
	return userFolder;
}

/** Starts a real n8n, installs this package's built state in it, and logs its owner in. Takes 4 to 7 s. */
export async function startN8n(options: N8nOptions = {}) {
	const userFolder = options.userFolder ?? (await newUserFolder());
	const settled: Required<N8nOptions> = {
		environment: options.environment ?? {},
		port: options.port ?? (await freePort()),
		userFolder,
		hasPackage: options.hasPackage ?? true,
	};
	if (settled.hasPackage) await installPackage(userFolder);
	const main = await N8nProcess.start({ ...settled, command: 'start' });
	try {
		const session = await RestSession.open(`http://localhost:${settled.port}`);
		return new N8n(session, main, settled, options.userFolder === undefined);
	} catch (failure) {
		await main.stop('SIGKILL');
		throw failure;
	}
}
