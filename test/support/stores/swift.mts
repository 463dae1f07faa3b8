import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';

import { freePort } from '../../../harness/n8nProcess.mts';
import { Program } from '../../../harness/program.mts';
import {
	HOUR_MS,
	requireForStores,
	START_TIMEOUT_MS,
	STORED_TYPE,
	type StoredFile,
} from './clients.mts';

type Command = new (input: object) => object;

const { S3Client, PutObjectCommand, GetObjectCommand } = requireForStores('@aws-sdk/client-s3') as {
	S3Client: new (options: object) => {
		send(command: object): Promise<{ Body?: { transformToByteArray(): Promise<Uint8Array> } }>;
	};
	PutObjectCommand: Command;
	GetObjectCommand: Command;
};
const { getSignedUrl } = requireForStores('@aws-sdk/s3-request-presigner') as {
	getSignedUrl: (client: object, command: object, options: object) => Promise<string>;
};

const host = '127.0.0.1';
/** Of the one user, `legal:ai`. */
const key = 'secret';

/** OpenStack's object store with its two ways to presign addresses. */
export interface Swift {
	/** A file behind addresses that Amazon's SDK has signed (SigV4). */
	s3File(name: string): StoredFile;
	/** A file behind addresses of its own kind. */
	tempUrlFile(name: string): StoredFile;
}

/** Starts Swift from Debian's packages for the tests of a file, in a folder and on ports of its own. */
export async function swiftOfThisFile(): Promise<Swift> {
	if (!existsSync('/usr/bin/swift-proxy-server') || !existsSync('/usr/bin/memcached')) {
		throw new Error(
			"Tests of file stores need Debian's packages swift-proxy, swift-account, swift-container, swift-object and memcached.",
		);
	}
	const folder = await mkdtemp(join(tmpdir(), 'swift-'));
	const [port, memoryPort] = [await freePort(), await freePort()];
	const user = userInfo().username;
	await mkdir(join(folder, 'devices', 'd'), { recursive: true });
	const common = {
		bind_ip: host,
		workers: 0,
		user,
		swift_dir: folder,
		devices: join(folder, 'devices'),
		mount_check: false,
	};
	const start = async (
		name: string,
		ofPort: number,
		sections: Record<string, object>,
	): Promise<Program> => {
		const file = join(folder, `${name}.conf`);
		await writeFile(file, settings({ DEFAULT: { ...common, bind_port: ofPort }, ...sections }));
		return new Program(`Swift's ${name} server`, [`/usr/bin/swift-${name}-server`, file], {
			cwd: folder,
		});
	};

	const memory = new Program(
		'memcached',
		['/usr/bin/memcached', '-u', user, '-l', host, '-p', String(memoryPort)],
		{},
	);
	const servers = await Promise.all(
		['account', 'container', 'object'].map(async (name) => {
			const ownPort = await freePort();
			const builder = (...command: string[]): Buffer =>
				execFileSync('swift-ring-builder', [join(folder, `${name}.builder`), ...command]);
			builder('create', '4', '1', '1');
			builder('add', `r1z1-${host}:${ownPort}/d`, '1');
			builder('rebalance');
			return await start(name, ownPort, {
				'pipeline:main': { pipeline: `${name}-server` },
				[`app:${name}-server`]: { use: `egg:swift#${name}` },
			});
		}),
	);
	const filters = ['catch_errors', 'gatekeeper', 'memcache', 'tempurl', 's3api', 'tempauth'];
	const proxy = await start('proxy', port, {
		'pipeline:main': { pipeline: [...filters, 'proxy-server'].join(' ') },
		'app:proxy-server': { use: 'egg:swift#proxy', account_autocreate: true },
		...Object.fromEntries(filters.map((name) => [`filter:${name}`, { use: `egg:swift#${name}` }])),
		'filter:memcache': { use: 'egg:swift#memcache', memcache_servers: `${host}:${memoryPort}` },
		'filter:tempauth': { use: 'egg:swift#tempauth', user_legal_ai: `${key} .admin` },
	});
	const stop = async (): Promise<void> => {
		await Promise.all([memory, proxy, ...servers].map((program) => program.stop('SIGKILL')));
		await rm(folder, { recursive: true, force: true });
	};
	afterAll(stop);

	const origin = `http://${host}:${port}`;
	await proxy
		.ready(async () => await prepare(origin).catch(() => false), START_TIMEOUT_MS)
		.catch(async (error: unknown) => {
			await stop();
			throw error;
		});

	const client = new S3Client({
		endpoint: origin,
		region: 'us-east-1',
		forcePathStyle: true,
		maxAttempts: 1,
		credentials: { accessKeyId: 'legal:ai', secretAccessKey: key },
		requestChecksumCalculation: 'WHEN_REQUIRED',
	});
	const s3File = (name: string): StoredFile => {
		const file = { Bucket: 'contracts', Key: name };
		const signed = async (command: object, expired?: string): Promise<string> => {
			const signingDate = new Date(Date.now() - (expired === undefined ? 0 : HOUR_MS));
			return await getSignedUrl(client, command, {
				expiresIn: 600,
				signingDate,
				signableHeaders: new Set(['content-type']),
			});
		};
		return {
			putAddress: async (expired) =>
				await signed(new PutObjectCommand({ ...file, ContentType: STORED_TYPE }), expired),
			getAddress: async (expired) => await signed(new GetObjectCommand(file), expired),
			write: async (Body, ContentEncoding) => {
				await client.send(
					new PutObjectCommand({ ...file, Body, ContentType: STORED_TYPE, ContentEncoding }),
				);
			},
			read: async () =>
				Buffer.from(
					(await (await client.send(new GetObjectCommand(file))).Body?.transformToByteArray()) ??
						[],
				),
		};
	};
	return {
		s3File,
		tempUrlFile: (name) => {
			const signed = (method: string, expired?: string): string => {
				const path = `/v1/AUTH_legal/contracts/${encodeURIComponent(name)}`;
				const expires = Math.floor(
					(Date.now() + (expired === undefined ? HOUR_MS : -HOUR_MS)) / 1000,
				);
				const signature = createHmac('sha256', key)
					.update(`${method}\n${expires}\n${decodeURIComponent(path)}`)
					.digest('hex');
				return `${origin}${path}?temp_url_sig=${signature}&temp_url_expires=${expires}`;
			};
			return {
				...s3File(name),
				putAddress: async (expired) => await Promise.resolve(signed('PUT', expired)),
				getAddress: async (expired) => await Promise.resolve(signed('GET', expired)),
			};
		},
	};
}

/** Makes the bucket, and says with which key addresses are signed; false as long as Swift is not up. */
async function prepare(origin: string): Promise<boolean> {
	const { headers } = await fetch(`${origin}/auth/v1.0`, {
		headers: { 'X-Auth-User': 'legal:ai', 'X-Auth-Key': key },
	});
	const [account, token] = [headers.get('x-storage-url') ?? '', headers.get('x-auth-token') ?? ''];
	const made = await fetch(`${account}/contracts`, {
		method: 'PUT',
		headers: { 'X-Auth-Token': token },
	});
	const keyed = await fetch(account, {
		method: 'POST',
		headers: { 'X-Auth-Token': token, 'X-Account-Meta-Temp-URL-Key': key },
	});
	return made.ok && keyed.ok;
}

function settings(sections: Record<string, object>): string {
	const lines = Object.entries(sections).flatMap(([name, values]) => [
		`[${name}]`,
		...Object.entries(values).map(([field, value]) => `${field} = ${String(value)}`),
	]);
	return lines.join('\n');
}
