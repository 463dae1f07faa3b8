import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { projectFolder } from './installed-package.mts';
import type { Environment } from './n8n-process.mts';

interface Client {
	connect(): Promise<void>;
	query(sql: string): Promise<unknown>;
	end(): Promise<void>;
}

interface RedisClient {
	keys(pattern: string): Promise<string[]>;
	del(...keys: string[]): Promise<number>;
	disconnect(): void;
}

/** n8n brings the clients along. */
const requireFromN8n = createRequire(join(projectFolder, 'test', 'n8n', 'node_modules', 'n8n', 'package.json'));

const address = { host: '127.0.0.1', port: 5432, user: 'postgres' };
const redis = { host: '127.0.0.1', port: 6379 };

/** A PostgreSQL database of its own, and a corner of Redis, for one n8n of several processes. */
export interface QueueStore {
	/** What each of its processes is started with, the main one, workers and webhook processes. */
	readonly environment: Environment;
	/** Changes something in the database behind n8n's back. */
	execute(sql: string): Promise<void>;
	/** Drops the database, and removes what is left in Redis. */
	close(): Promise<void>;
}

/** Makes a database; needs PostgreSQL (with trusted connections) and Redis on this machine. */
export async function createQueueStore(): Promise<QueueStore> {
	const name = `n8n_test_${randomBytes(6).toString('hex')}`;
	await execute('postgres', `CREATE DATABASE ${name}`);
	return {
		environment: {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: redis.host,
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			QUEUE_BULL_PREFIX: name,
			N8N_REDIS_KEY_PREFIX: name,
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: address.host,
			DB_POSTGRESDB_PORT: String(address.port),
			DB_POSTGRESDB_USER: address.user,
			DB_POSTGRESDB_DATABASE: name,
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		},
		execute: async (sql) => {
			await execute(name, sql);
		},
		close: async () => {
			await execute('postgres', `DROP DATABASE ${name} WITH (FORCE)`);
			await forget(name);
		},
	};
}

async function execute(database: string, sql: string): Promise<void> {
	const client = newClient(database);
	try {
		await client.connect();
	} catch (cause) {
		throw new Error(
			`This test needs PostgreSQL at ${address.host}:${address.port}, with trusted connections, and Redis at port ${redis.port}`,
			{ cause },
		);
	}
	try {
		await client.query(sql);
	} finally {
		await client.end();
	}
}

async function forget(prefix: string): Promise<void> {
	const { Redis } = requireFromN8n('ioredis') as { Redis: new (options: object) => RedisClient };
	const client = new Redis(redis);
	const keys = await client.keys(`*${prefix}*`);
	if (keys.length > 0) await client.del(...keys);
	client.disconnect();
}

function newClient(database: string): Client {
	const postgres = requireFromN8n('pg') as { Client: new (options: object) => Client };
	return new postgres.Client({ ...address, database });
}
