import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../../harness/n8nProcess.mts';
import { Program } from '../../../harness/program.mts';
import { requireForStores } from './clients.mts';

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

/** A file at a real store, by addresses that Amazon's SDK has presigned (SigV4); those that have expired are an hour old. */
export interface StoredFile {
	putAddress(expired?: 'expired'): Promise<string>;
	getAddress(expired?: 'expired'): Promise<string>;
	write(content: Buffer, contentEncoding?: string): Promise<void>;
	read(): Promise<Buffer>;
}

/** What a file is stored as in these tests. */
export const STORED_TYPE = 'application/pdf';

const HOUR_MS = 3_600_000;

/** How long it may take until it answers, beside everything else that runs. */
const START_TIMEOUT_MS = 90_000;

/** OpenStack's object store, started from Debian's packages for the tests of a file, in a folder and on ports of its own. Gives its files by their names. */
export async function swiftOfThisFile(): Promise<(name: string) => StoredFile> {
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
	const start = async (name: string, ofPort: number, sections: Record<string, object>) => {
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
	const filters = ['catch_errors', 'gatekeeper', 'memcache', 's3api', 'tempauth'];
	const proxy = await start('proxy', port, {
		'pipeline:main': { pipeline: [...filters, 'proxy-server'].join(' ') },
		'app:proxy-server': { use: 'egg:swift#proxy', account_autocreate: true },
		...Object.fromEntries(filters.map((name) => [`filter:${name}`, { use: `egg:swift#${name}` }])),
		'filter:memcache': { use: 'egg:swift#memcache', memcache_servers: `${host}:${memoryPort}` },
		'filter:tempauth': { use: 'egg:swift#tempauth', user_legal_ai: `${key} .admin` },
	});
	const stop = async () => {
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
	return (name) => {
		const file = { Bucket: 'contracts', Key: name };
		const signed = async (command: object, expired?: string) => {
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
}

/** Makes the bucket; false as long as Swift is not up. */
async function prepare(origin: string) {
	const { headers } = await fetch(`${origin}/auth/v1.0`, {
		headers: { 'X-Auth-User': 'legal:ai', 'X-Auth-Key': key },
	});
	const [account, token] = [headers.get('x-storage-url') ?? '', headers.get('x-auth-token') ?? ''];
	const made = await fetch(`${account}/contracts`, {
		method: 'PUT',
		headers: { 'X-Auth-Token': token },
	});
	return made.ok;
}

function settings(sections: Record<string, object>) {
	const lines = Object.entries(sections).flatMap(([name, values]) => [
		`[${name}]`,
		...Object.entries(values).map(([field, value]) => `${field} = ${String(value)}`),
	]);
	return lines.join('\n');
}
