import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';
import { describe, expect, test, vi } from 'vitest';

import { LegalAiClient } from '../../../nodes/LegalAi/api/client.ts';
import { ConcurrencyLimiter } from '../../../nodes/LegalAi/api/concurrencyLimiter.ts';
import { RateLimiter } from '../../../nodes/LegalAi/api/rateLimiter.ts';
import type { BinaryHelpers } from '../../../nodes/LegalAi/files/binaryData.ts';
import { fetchFile, type RemoteFile } from '../../../nodes/LegalAi/files/download.ts';
import { uploadFile } from '../../../nodes/LegalAi/files/upload.ts';

const MANY = 1_000_000;
const ADDRESS = 'https://files.example.com/f?signature=s';

/** A client of a service that gives upload addresses, and of a file storage that answers everything so. */
function clientOf(storage: (options: IHttpRequestOptions) => { statusCode: number; headers?: object; body?: unknown }): LegalAiClient {
	const job = JSON.stringify({ upload_url: ADDRESS, job_id: 'j', content_type: 'text/plain' });
	return new LegalAiClient({
		baseUrl: 'https://legal-ai.example.com/api/v1',
		limits: { sessions: new RateLimiter(MANY), requests: new RateLimiter(MANY) },
		concurrency: new ConcurrencyLimiter(5),
		transport: {
			authenticated: async () => await Promise.resolve({ statusCode: 200, headers: {}, body: job }),
			anonymous: async (options) => await Promise.resolve({ headers: {}, ...storage(options) }),
			resolveReach: async () => await Promise.resolve('public'),
		},
	});
}

/** n8n's store, with one file in it; what is stored has as many bytes as come in. */
function storeWith(file: Readable): BinaryHelpers {
	let fileSize = 3;
	return {
		getBinaryMetadata: async () => await Promise.resolve({ fileSize }),
		getBinaryStream: async () => await Promise.resolve(file),
		prepareBinaryData: async (body, fileName, mimeType = '') => {
			fileSize = 0;
			for await (const chunk of body) fileSize += (chunk as Buffer | string).length;
			return { id: 'filesystem:2', data: 'filesystem', mimeType, fileName };
		},
	};
}

/** What becomes of fetching a file of up to a megabyte. */
async function fetchFrom(storage: Parameters<typeof clientOf>[0], file: Partial<RemoteFile> = {}): Promise<unknown> {
	return await fetchFile(clientOf(storage), storeWith(Readable.from([])), { url: ADDRESS, ...file }, 1);
}

test.each([
	['taken', 200],
	['turned down', 400],
])('a file that was %s by the storage is no longer open', async (_what, statusCode) => {
	const file = Readable.from(['abc']);
	const named = { binary: { id: 'filesystem:1', data: 'filesystem', mimeType: 'text/plain' }, fileName: 'a.txt', contentType: 'text/plain', contentLength: 3 };
	await uploadFile(clientOf(() => ({ statusCode, body: '' })), storeWith(file), named).catch(() => undefined);
	expect(file.destroyed).toBe(true);
});

test('of what a storage says instead of a file no more is read than its beginning, and the connection is let go', async () => {
	let chunks = 0;
	const body = Readable.from(
		(function* () {
			while (chunks++ < 10_000) yield 'x'.repeat(1024);
		})(),
	);
	await expect(fetchFrom(() => ({ statusCode: 400, body }))).rejects.toMatchObject({ details: { status: 400 } });
	expect(chunks).toBeLessThan(100);
	expect(body.destroyed).toBe(true);
});

describe('a download', () => {
	const MEGABYTE = 1024 * 1024;
	const ofBytes = (length: number): Readable => Readable.from([Buffer.alloc(length)]);

	test('is asked for without waiting for its end, and is what the storage sends', async () => {
		const sent: IHttpRequestOptions[] = [];
		const fetched = fetchFrom((options) => {
			sent.push(options);
			return { statusCode: 200, body: ofBytes(5) };
		}, { file_name: 'NDA.pdf', content_type: 'application/pdf', content_length: 5 });
		expect(await fetched).toMatchObject({ id: 'filesystem:2', fileName: 'NDA.pdf', mimeType: 'application/pdf' });
		expect(sent).toMatchObject([{ method: 'GET', url: ADDRESS, encoding: 'stream', timeout: 15 * 60_000, disableFollowRedirect: true }]);
	});

	test.each([301, 302, 303, 307, 308])('follows a redirect with status %i, and lets go of what came with it', async (statusCode) => {
		const body = ofBytes(1);
		const urls: string[] = [];
		await fetchFrom(({ url }) => {
			urls.push(url);
			return urls.length === 1 ? { statusCode, headers: { location: '/g?signature=t' }, body } : { statusCode: 200, body: ofBytes(1) };
		});
		expect(urls).toEqual([ADDRESS, 'https://files.example.com/g?signature=t']);
		expect(body.destroyed).toBe(true);
	});

	test('follows three redirects, and no more', async () => {
		let requests = 0;
		const fetched = fetchFrom(() => ({ statusCode: 302, headers: { location: `${ADDRESS}&hop=${requests++}` }, body: ofBytes(1) }));
		await expect(fetched).rejects.toMatchObject({ details: { status: 302, subject: 'download' } });
		expect(requests).toBe(4);
	});

	test.each([
		['to an address within the network', { location: 'https://10.0.0.1/f' }, 'addressNotAllowed'],
		['without an address', {}, 'rejected'],
		['to no address', { location: 'https://' }, 'rejected'],
	])('is not redirected %s', async (_where, headers, kind) => {
		await expect(fetchFrom(() => ({ statusCode: 302, headers, body: ofBytes(1) }))).rejects.toMatchObject({ kind });
	});

	test.each([
		['as large as the limit', MEGABYTE, {}, {}],
		['as large as the limit, and announced so', MEGABYTE, { 'content-length': String(MEGABYTE) }, { content_length: MEGABYTE }],
	])('may be %s', async (_how, length, headers, file) => {
		expect(await fetchFrom(() => ({ statusCode: 200, headers, body: ofBytes(length) }), file)).toMatchObject({ id: 'filesystem:2' });
	});

	test.each([
		['is', MEGABYTE + 1, {}, {}],
		['is announced by the storage as', 1, { 'content-length': String(MEGABYTE + 1) }, {}],
		['is announced by the service as', 1, {}, { content_length: MEGABYTE + 1 }],
	])('that %s larger than the limit fails', async (_how, length, headers, file) => {
		const body = ofBytes(length);
		await expect(fetchFrom(() => ({ statusCode: 200, headers, body }), file)).rejects.toMatchObject({ kind: 'fileTooLarge' });
		expect(body.destroyed).toBe(true);
	});

	test('of something that is no stream is no response', async () => {
		const client = clientOf(() => ({ statusCode: 404, body: 'gone' }));
		const fetched = fetchFile(client, storeWith(Readable.from([])), { url: ADDRESS, file_name: 'NDA.pdf' }, 1);
		vi.useFakeTimers();
		const outcome = fetched.catch((error: unknown) => error);
		await vi.runAllTimersAsync();
		vi.useRealTimers();
		expect(await outcome).toMatchObject({ kind: 'invalidResponse', details: { fileName: 'NDA.pdf', status: 404 } });
	});
});
