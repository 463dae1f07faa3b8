import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { LegalAiClient } from '../../../nodes/LegalAi/api/client.ts';
import { ConcurrencyLimiter } from '../../../nodes/LegalAi/api/concurrencyLimiter.ts';
import { RateLimiter } from '../../../nodes/LegalAi/api/rateLimiter.ts';
import type { BinaryHelpers } from '../../../nodes/LegalAi/files/binaryData.ts';
import { fetchFile } from '../../../nodes/LegalAi/files/download.ts';
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

/** n8n's store, with one file in it. */
function storeWith(file: Readable): BinaryHelpers {
	return {
		getBinaryMetadata: async () => await Promise.resolve({ fileSize: 3 }),
		getBinaryStream: async () => await Promise.resolve(file),
		prepareBinaryData: () => {
			throw new Error('Nothing is to be stored');
		},
	};
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
	const fetched = fetchFile(clientOf(() => ({ statusCode: 400, body })), storeWith(Readable.from([])), { url: ADDRESS }, 100);
	await expect(fetched).rejects.toMatchObject({ details: { status: 400 } });
	expect(chunks).toBeLessThan(100);
	expect(body.destroyed).toBe(true);
});
