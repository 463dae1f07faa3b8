import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '../../harness/n8nProcess.mts';
import { until } from '../../harness/polling.mts';

/** Where a service takes connections. */
export interface Address {
	readonly host: string;
	readonly port: number;
}

/** What n8n's queue mode needs beside n8n. */
export interface QueueServices {
	/** PostgreSQL, whose user `postgres` needs no password. */
	readonly postgres: Address;
	readonly redis: Address;
	/** Ends those that were started for the occasion. */
	stop(): Promise<void>;
}

/** What there is to undo; the last first. */
type Stops = (() => Promise<void>)[];

interface Account {
	readonly uid: number;
	readonly gid: number;
}

const host = '127.0.0.1';

/**
 * PostgreSQL and Redis at their usual ports where they are there, and otherwise ones of Debian's packages that are
 * started for the occasion, on ports of their own and with nothing that stays.
 *
 * @param answers tells whether the PostgreSQL at an address lets the user `postgres` in
 */
export async function queueServices(answers: (address: Address) => Promise<boolean>): Promise<QueueServices> {
	const stops: Stops = [];
	const stop = async (): Promise<void> => {
		for (const end of stops.reverse()) await end();
	};
	try {
		const postgres = { host, port: 5432 };
		const redis = { host, port: 6379 };
		return {
			postgres: (await answers(postgres)) ? postgres : await startPostgres(answers, stops),
			redis: (await listens(redis)) ? redis : await startRedis(stops),
			stop,
		};
	} catch (cause) {
		await stop();
		throw new Error(
			`n8n's queue mode needs PostgreSQL and Redis. There is none at ports 5432 (user postgres, no password) and 6379, and none could be started: install Debian's packages postgresql and redis-server.`,
			{ cause },
		);
	}
}

async function startPostgres(
	answers: (address: Address) => Promise<boolean>,
	stops: Stops,
): Promise<Address> {
	const initdb = globSync('/usr/lib/postgresql/*/bin/initdb').sort().at(-1);
	if (initdb === undefined) throw new Error('PostgreSQL is not installed');
	const account = await postgresAccount();
	const folder = await temporaryFolder(stops, account);
	const data = join(folder, 'data');
	await run(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], { ...account, cwd: folder });
	const address = { host, port: await freePort() };
	const settings = ['-c', `listen_addresses=${host}`, '-c', 'fsync=off', '-c', `unix_socket_directories=${folder}`];
	const server = spawn(
		join(dirname(initdb), 'postgres'),
		['-D', data, '-p', String(address.port), ...settings],
		{ ...account, cwd: folder, stdio: 'ignore' },
	);
	stopWithTests(server, 'SIGINT', stops);
	await until('PostgreSQL to start', async () => ((await answers(address)) ? true : undefined));
	return address;
}

async function startRedis(stops: Stops): Promise<Address> {
	if (!existsSync('/usr/bin/redis-server')) throw new Error('Redis is not installed');
	const folder = await temporaryFolder(stops);
	const address = { host, port: await freePort() };
	const server = spawn('/usr/bin/redis-server', ['--port', String(address.port), '--bind', host, '--save', ''], {
		cwd: folder,
		stdio: 'ignore',
	});
	stopWithTests(server, 'SIGTERM', stops);
	await until('Redis to start', async () => ((await listens(address)) ? true : undefined));
	return address;
}

/** PostgreSQL refuses to run as root: then as the user that its package has brought. */
async function postgresAccount(): Promise<Account | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	const [uid, gid] = await Promise.all(['-u', '-g'].map(async (which) => Number((await run('id', [which, 'postgres'])).stdout)));
	return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

async function temporaryFolder(stops: Stops, owner?: Account): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-queue-'));
	if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
	stops.push(async () => {
		await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
	});
	return folder;
}

function stopWithTests(server: ChildProcess, signal: NodeJS.Signals, stops: Stops): void {
	const kill = (): void => {
		server.kill(signal);
	};
	process.once('exit', kill);
	const ended = once(server, 'exit');
	stops.push(async () => {
		process.off('exit', kill);
		kill();
		await ended;
	});
}

async function listens({ host: at, port }: Address): Promise<boolean> {
	const socket = connect(port, at);
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}

const run = promisify(execFile);
