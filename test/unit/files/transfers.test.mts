import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { fetchFile, type RemoteFile } from '../../../nodes/LegalAi/files/download.ts';
import { uploadFile } from '../../../nodes/LegalAi/files/upload.ts';
import { ADDRESS, clientOf, storeWith, type Storage } from './fakeStorage.mts';

afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

/** What becomes of fetching a file of up to a megabyte. */
async function fetchFrom(storage: Storage, file: Partial<RemoteFile> = {}): Promise<unknown> {
	return await fetchFile(clientOf(storage), storeWith(Readable.from([])), { url: ADDRESS, ...file }, 1, 'outside');
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
		expect(sent).toMatchObject([{ url: ADDRESS, encoding: 'stream', timeout: 15 * 60_000, disableFollowRedirect: true }]);
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
		await expect(fetched).rejects.toMatchObject({ kind: 'redirected', details: { subject: 'download' } });
		expect(requests).toBe(4);
	});

	test.each([
		['into this machine', { location: 'https://127.0.0.1/f' }, 'addressNotAllowed'],
		['without an address', {}, 'redirected'],
		['to no address', { location: 'https://' }, 'redirected'],
	])('is not redirected %s', async (_where, headers, kind) => {
		const urls: string[] = [];
		const fetched = fetchFrom(({ url }) => {
			urls.push(url);
			return { statusCode: 302, headers, body: ofBytes(1) };
		});
		await expect(fetched).rejects.toMatchObject({ kind });
		expect(urls).toEqual([ADDRESS]);
	});

	test('that says where else it may be found is not looked for there', async () => {
		const urls: string[] = [];
		await fetchFrom(({ url }) => {
			urls.push(url);
			return { statusCode: 200, headers: { location: '/g' }, body: ofBytes(1) };
		});
		expect(urls).toEqual([ADDRESS]);
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

	test.each([
		['an error in one piece', 400, ['No such ', 'file.'], 'No such file.'],
		['why in a later piece', 400, ['<?xml version="1.0"?>', '<Error><Code>Quota', 'Exceeded</Code></Error>'], 'QuotaExceeded'],
	])('that comes as %s fails with what the storage said', async (_what, statusCode, pieces, serviceMessage) => {
		const fetched = fetchFrom(() => ({ statusCode, body: Readable.from(pieces) }));
		await expect(fetched).rejects.toMatchObject({ kind: 'rejected', details: { status: statusCode, serviceMessage } });
	});
});

describe('a download under way', () => {
	/** A body that has begun, and breaks so. */
	const breaking = (code: string): Readable =>
		Readable.from(
			(function* () {
				yield 'begun';
				throw Object.assign(new Error('The body broke'), { code });
			})(),
		);
	/** A body that ends as n8n ends it when a request is canceled. */
	const stalling = ({ abortSignal }: IHttpRequestOptions): Readable => {
		const body = new Readable({ read: () => undefined });
		abortSignal?.addEventListener?.('abort', () => {
			body.destroy(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
		});
		return body;
	};

	test('that breaks is begun again', async () => {
		vi.useFakeTimers();
		const bodies = [breaking('ECONNRESET'), breaking('ECONNRESET'), Readable.from(['whole'])];
		const fetched = fetchFrom(() => ({ statusCode: 200, body: bodies.shift() }));
		await vi.advanceTimersByTimeAsync(10_000);
		expect(await fetched).toMatchObject({ bytes: 5 });
	});

	test('that breaks every time fails with what the network said, and with its name', async () => {
		vi.useFakeTimers();
		const outcome = fetchFrom(() => ({ statusCode: 200, body: breaking('ECONNRESET') }), { file_name: 'NDA.pdf' }).catch((error: unknown) => error);
		await vi.advanceTimersByTimeAsync(60_000);
		const details = { subject: 'download', fileName: 'NDA.pdf', networkCode: 'ECONNRESET' };
		expect(await outcome).toMatchObject({ kind: 'outcomeUnknown', details });
	});

	test("that n8n can't store is not begun again", async () => {
		const failure = new Error('No space left on device');
		const helpers = { ...storeWith(Readable.from([])), prepareBinaryData: async () => await Promise.reject(failure) };
		let requests = 0;
		const client = clientOf(() => ({ statusCode: 200, body: Readable.from([String(requests++)]) }));
		await expect(fetchFile(client, helpers, { url: ADDRESS }, 1, 'outside')).rejects.toBe(failure);
		expect(requests).toBe(1);
	});

	test.each([
		['may be stopped', new AbortController().signal],
		['can not be stopped', undefined],
	])('that does not end in fifteen minutes is begun again, in a run that %s', async (_how, signal) => {
		vi.useFakeTimers();
		const limits: AbortController[] = [];
		const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
			limits.push(new AbortController());
			return limits.at(-1)?.signal ?? AbortSignal.abort();
		});
		const client = clientOf((options) => ({ statusCode: 200, body: stalling(options) }), { signal });
		const file = { url: ADDRESS, file_name: 'NDA.pdf' };
		const outcome = fetchFile(client, storeWith(Readable.from([])), file, 1, 'outside').catch((error: unknown) => error);
		for (let count = 1; count <= 5; count++) {
			await vi.advanceTimersByTimeAsync(30_000);
			expect(limits).toHaveLength(count);
			limits.at(-1)?.abort();
		}
		const details = { subject: 'download', fileName: 'NDA.pdf', networkCode: 'ETIMEDOUT' };
		expect(await outcome).toMatchObject({ kind: 'outcomeUnknown', details });
		expect(limit).toHaveBeenCalledWith(15 * 60_000);
	});

	test('ends when the execution is stopped', async () => {
		const run = new AbortController();
		const bodies: Readable[] = [];
		const client = clientOf((options) => {
			bodies.push(stalling(options));
			return { statusCode: 200, body: bodies.at(-1) };
		}, { signal: run.signal });
		const outcome = fetchFile(client, storeWith(Readable.from([])), { url: ADDRESS }, 1, 'outside').catch((error: unknown) => error);
		await vi.waitUntil(() => bodies.length > 0);
		run.abort();
		expect(await outcome).toMatchObject({ kind: 'canceled' });
		expect(bodies).toMatchObject([{ destroyed: true }]);
	});
});
