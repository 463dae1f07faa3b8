import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { freePort } from '../../../harness/n8nProcess.mts';
import { Program } from '../../../harness/program.mts';
import { requireAsN8n } from '../../../harness/versions.mts';
import type { JsonRecord } from '../../../harness/unknownJson.mts';

interface Client {
	connect(): Promise<void>;
	query(sql: string): Promise<{ rows: JsonRecord[] }>;
	end(): Promise<void>;
}

const postgres = requireAsN8n('pg') as { Client: new (options: object) => Client };
const host = '127.0.0.1';
const user = 'postgres';
const redisProgram = '/usr/bin/redis-server';

/** Starts PostgreSQL from Debian's package, in a folder and on a port of its own. */
export async function startPostgres() {
	const [initdb] = globSync('/usr/lib/postgresql/*/bin/initdb').sort().reverse();
	if (initdb === undefined)
		throw new Error("PostgreSQL is missing: install Debian's package postgresql.");
	const folder = await mkdtemp(join(tmpdir(), 'n8n-postgres-'));
	const port = await freePort();
	const database = await initializePostgres(dirname(initdb), folder, port);
	return {
		port,
		url: `postgres://${user}@${host}:${port}/postgres`,
		close: async () => {
			await database.stop('SIGINT');
			await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
		},
	};
}

/** PostgreSQL and Redis, for an n8n of several processes. */
export type QueueStore = Awaited<ReturnType<typeof startQueueStore>>;

/**
 * Starts PostgreSQL and Redis from Debian's packages, in folders and on ports of their own: what each process of an n8n is started
 * with, and a way to read or change something in the database behind n8n's back.
 */
export async function startQueueStore() {
	if (!existsSync(redisProgram))
		throw new Error("Redis is missing: install Debian's package redis-server.");
	const database = await startPostgres();
	const { port } = database;
	const redisPort = await freePort();
	const redis = new Program(
		'Redis',
		[redisProgram, '--port', String(redisPort), '--bind', host, '--save', ''],
		{ cwd: tmpdir() },
	);
	await redis.ready(() => redis.log.includes('Ready to accept connections'));
	return {
		environment: {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: host,
			QUEUE_BULL_REDIS_PORT: String(redisPort),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: host,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_USER: user,
			DB_POSTGRESDB_DATABASE: 'postgres',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		},
		query: async (sql: string) => {
			const client = new postgres.Client({ host, port, user, database: 'postgres' });
			await client.connect();
			try {
				return (await client.query(sql)).rows;
			} finally {
				await client.end();
			}
		},
		close: async () => {
			await redis.stop('SIGTERM');
			await database.close();
		},
	};
}

async function initializePostgres(binaries: string, folder: string, port: number) {
	const account = postgresAccount();
	if (account !== undefined) await chown(folder, account.uid, account.gid);
	const options = { ...account, cwd: folder };
	const data = join(folder, 'data');
	const initial = [
		'-D',
		data,
		'-U',
		user,
		'-A',
		'trust',
		'-E',
		'UTF8',
		'--locale',
		'C',
		'--no-sync',
	];
	execFileSync(join(binaries, 'initdb'), initial, { ...options, stdio: 'pipe' });
	const settings = [
		'-c',
		`listen_addresses=${host}`,
		'-c',
		'fsync=off',
		'-c',
		`unix_socket_directories=${folder}`,
	];
	const server = new Program(
		'PostgreSQL',
		[join(binaries, 'postgres'), '-D', data, '-p', String(port), ...settings],
		options,
		'SIGINT',
	);
	await server.ready(() => server.log.includes('ready to accept connections'));
	return server;
}

/** PostgreSQL refuses to run as root: then as the user that its package has brought. */
function postgresAccount() {
	if (process.getuid?.() !== 0) return undefined;
	const readId = (which: string) =>
		Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
	return { uid: readId('-u'), gid: readId('-g') };
}
