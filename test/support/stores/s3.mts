import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../../harness/n8nProcess.mts';
import { requireForStores } from './clients.mts';

const S3rver = requireForStores('s3rver') as new (options: object) => {
	run(): Promise<unknown>;
	close(): Promise<unknown>;
};

/** What a file is stored as in these tests. */
export const STORED_TYPE = 'application/pdf';

const HOUR_SECONDS = 3600;
const BUCKET = 'files';

/** Encodes a segment of a path as Amazon's signatures want it. */
function encodeSegment(segment: string) {
	return encodeURIComponent(segment).replace(
		/[!'()*]/g,
		(mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

/** A file store with Amazon's interface. */
export type FileStore = Awaited<ReturnType<typeof startFileStore>>;

/** Starts a file store with Amazon's interface. It checks the signatures of addresses, their time, and the content type. Addresses that have expired are an hour old. */
export async function startFileStore() {
	const directory = await mkdtemp(join(tmpdir(), 's3-'));
	const port = await freePort();
	const store = new S3rver({
		...{ port, address: '127.0.0.1', silent: true, directory },
		configureBuckets: [{ name: BUCKET }],
	});
	await store.run();
	const close = async () => {
		await store.close();
		await rm(directory, { recursive: true, force: true });
	};
	/** A file of the store, whether it is there yet or not. */
	const fileAt = (name: string) => {
		const path = `/${BUCKET}/${name.split('/').map(encodeSegment).join('/')}`;
		const sign = (method: string, contentType: string, expired?: 'expired') => {
			const seconds = expired === undefined ? HOUR_SECONDS : -HOUR_SECONDS;
			const expires = Math.floor(Date.now() / 1000) + seconds;
			const signed = [method, '', contentType, expires, path].join('\n');
			const query = new URLSearchParams({
				AWSAccessKeyId: 'S3RVER',
				Expires: String(expires),
				Signature: createHmac('sha1', 'S3RVER').update(signed).digest('base64'),
			});
			return `http://127.0.0.1:${port}${path}?${query.toString()}`;
		};
		const getAddress = (expired?: 'expired') => sign('GET', '', expired);
		const putAddress = (expired?: 'expired') => sign('PUT', STORED_TYPE, expired);
		return {
			getAddress,
			putAddress,
			write: async (content: Buffer, contentEncoding?: string) => {
				const headers = {
					'content-type': STORED_TYPE,
					...(contentEncoding !== undefined && { 'content-encoding': contentEncoding }),
				};
				const { ok } = await fetch(putAddress(), {
					method: 'PUT',
					headers,
					body: new Uint8Array(content),
				});
				expect(ok).toBe(true);
			},
			read: async () => Buffer.from(await (await fetch(getAddress())).arrayBuffer()),
		};
	};
	return { fileAt, close };
}
