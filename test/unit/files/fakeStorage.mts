import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { LegalAiClient, type ClientOptions } from '../../../nodes/LegalAi/api/client.ts';
import { ConcurrencyLimiter } from '../../../nodes/LegalAi/api/concurrencyLimiter.ts';
import { RateLimiter } from '../../../nodes/LegalAi/api/rateLimiter.ts';
import type { BinaryHelpers } from '../../../nodes/LegalAi/files/binaryData.ts';

const MANY = 1_000_000;

/** An address of a file, in the file storage. */
export const ADDRESS = 'https://files.example.com/f?signature=s';

/** What a file storage, or the service, responds to a request. */
export type Storage = (options: IHttpRequestOptions) => { statusCode: number; headers?: object; body?: unknown };

/** A service that gives an upload address to whoever asks. */
const givesJobs: Storage = () => ({
	statusCode: 200,
	body: JSON.stringify({ upload_url: ADDRESS, job_id: 'j', content_type: 'text/plain' }),
});

/** A client of a service, and of a file storage that answers everything so. */
export function clientOf(storage: Storage, { service = givesJobs, ...options }: Partial<ClientOptions> & { service?: Storage } = {}): LegalAiClient {
	return new LegalAiClient({
		baseUrl: 'https://legal-ai.example.com/api/v1',
		limits: { sessions: new RateLimiter(MANY), requests: new RateLimiter(MANY) },
		concurrency: new ConcurrencyLimiter(5),
		transport: {
			authenticated: async (request) => await Promise.resolve(responseOf(service(request))),
			anonymous: async (request) => await Promise.resolve(responseOf(storage(request))),
		},
		...options,
	});
}

/** n8n's store, with one file in it; what is stored has as many bytes as come in. */
export function storeWith(file: Readable): BinaryHelpers {
	const sizes = new Map([['filesystem:1', 3]]);
	return {
		getBinaryMetadata: async (id) => await Promise.resolve({ fileSize: sizes.get(id) ?? NaN }),
		getBinaryStream: async () => await Promise.resolve(file),
		prepareBinaryData: async (body, fileName, mimeType = '') => {
			let fileSize = 0;
			for await (const chunk of body) fileSize += (chunk as Buffer | string).length;
			const id = `filesystem:${sizes.size + 1}`;
			sizes.set(id, fileSize);
			return { id, data: 'filesystem', mimeType, fileName, bytes: fileSize };
		},
	};
}

/** A response as n8n's helpers give it: its body is a stream. */
function responseOf({ body = '', ...response }: ReturnType<Storage>): object {
	return { headers: {}, ...response, body: typeof body === 'string' ? Readable.from([Buffer.from(body)]) : body };
}
