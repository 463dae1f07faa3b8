import { randomBytes } from 'node:crypto';

import type { Environment } from '../../harness/n8nProcess.mts';
import { requireAsN8n } from '../../harness/versions.mts';
import type { JsonRecord } from '../../harness/unknownJson.mts';
import { type Address, queueServices } from './queueServices.mts';

interface Client {
	connect(): Promise<void>;
	query(sql: string): Promise<{ readonly rows: readonly JsonRecord[] }>;
	end(): Promise<void>;
}

interface RedisClient {
	keys(pattern: string): Promise<string[]>;
	del(...keys: string[]): Promise<number>;
	disconnect(): void;
}

const user = 'postgres';

/** A PostgreSQL database of its own, and a corner of Redis, for one n8n of several processes. */
export interface QueueStore {
	/** What each of its processes is started with, the main one, workers and webhook processes. */
	readonly environment: Environment;
	/** Reads or changes something in the database behind n8n's back. */
	query(sql: string): Promise<readonly JsonRecord[]>;
	/** Drops the database, removes what is left in Redis, and ends what was started for it. */
	close(): Promise<void>;
}

/** Makes a database. */
export async function createQueueStore(): Promise<QueueStore> {
	const services = await queueServices(letsIn);
	const { postgres, redis } = services;
	const name = `n8n_test_${randomBytes(6).toString('hex')}`;
	await query(postgres, 'postgres', `CREATE DATABASE ${name}`);
	return {
		environment: {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: redis.host,
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			QUEUE_BULL_PREFIX: name,
			N8N_REDIS_KEY_PREFIX: name,
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: postgres.host,
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_USER: user,
			DB_POSTGRESDB_DATABASE: name,
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		},
		query: async (sql) => await query(postgres, name, sql),
		close: async () => {
			await query(postgres, 'postgres', `DROP DATABASE ${name} WITH (FORCE)`);
			await forget(redis, name);
			await services.stop();
		},
	};
}

async function query(address: Address, database: string, sql: string): Promise<readonly JsonRecord[]> {
	const client = newClient(address, database);
	await client.connect();
	try {
		return (await client.query(sql)).rows;
	} finally {
		await client.end();
	}
}

async function letsIn(address: Address): Promise<boolean> {
	const client = newClient(address, 'postgres');
	try {
		await client.connect();
	} catch {
		return false;
	}
	await client.end();
	return true;
}

async function forget(redis: Address, prefix: string): Promise<void> {
	const { Redis } = requireAsN8n('ioredis') as { Redis: new (options: object) => RedisClient };
	const client = new Redis(redis);
	const keys = await client.keys(`*${prefix}*`);
	if (keys.length > 0) await client.del(...keys);
	client.disconnect();
}

function newClient(address: Address, database: string): Client {
	const postgres = requireAsN8n('pg') as { Client: new (options: object) => Client };
	return new postgres.Client({ ...address, user, database });
}
