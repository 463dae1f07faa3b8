import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { LegalAiClient } from '../../../nodes/LegalAi/api/client.ts';
import { ConcurrencyLimiter } from '../../../nodes/LegalAi/api/concurrencyLimiter.ts';
import { RateLimiter } from '../../../nodes/LegalAi/api/rateLimiter.ts';

const MANY = 1_000_000;

/** Whoever asks more often than this is refused: an endless list then fails a test, instead of keeping it busy for ever. */
const MOST_REQUESTS = 1_000;

/** What a service answers to a request for an address; a body that is no string is sent as JSON. */
export type Respond = (
	url: URL,
	options: IHttpRequestOptions,
) => { status?: number; headers?: Record<string, string>; body: unknown };

/** A client of a service that is made up, and what it has asked for. */
export function clientOf(
	respond: Respond,
	baseUrl = 'https://legal-ai.example.com/api/v1',
): { client: LegalAiClient; requests: URL[] } {
	const requests: URL[] = [];
	const send = async (options: IHttpRequestOptions): Promise<unknown> => {
		const url = new URL(options.url);
		requests.push(url);
		const { status = 200, headers = {}, body } = requests.length > MOST_REQUESTS ? { status: 403, body: '' } : respond(url, options);
		return await Promise.resolve({ statusCode: status, headers, body: streamOf(body) });
	};
	const client = new LegalAiClient({
		baseUrl,
		limits: { sessions: new RateLimiter(MANY), requests: new RateLimiter(MANY) },
		concurrency: new ConcurrencyLimiter(5),
		transport: { authenticated: send, anonymous: send },
	});
	return { client, requests };
}

/** The body of a response, as n8n's helpers hand it out. */
export function streamOf(body: unknown): Readable {
	return Readable.from([Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))], { objectMode: false });
}
