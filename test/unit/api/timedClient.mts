import type { IHttpRequestOptions } from 'n8n-workflow';

import { LegalAiClient } from '../../../nodes/LegalAi/api/client.ts';
import { ConcurrencyLimiter } from '../../../nodes/LegalAi/api/concurrencyLimiter.ts';
import { RateLimiter } from '../../../nodes/LegalAi/api/rateLimiter.ts';
import { streamOf } from './clients.mts';

const MANY = 1_000_000;

/** A response, after a while. */
export interface Reply {
	readonly status?: number;
	readonly headers?: Record<string, string>;
	readonly afterMs?: number;
	readonly body?: unknown;
}

/** A client, and what it has sent when, in ms from the beginning. Wants fake timers. */
export function startClient({
	reply = () => ({}),
	sessionsPerMinute = MANY,
	concurrency = 5,
	signal,
}: {
	reply?: (index: number) => Reply;
	sessionsPerMinute?: number;
	concurrency?: number;
	signal?: AbortSignal;
} = {}): { client: LegalAiClient; sent: IHttpRequestOptions[]; times: number[]; mostAtOnce: () => number } {
	const begun = Date.now();
	const sent: IHttpRequestOptions[] = [];
	const times: number[] = [];
	let atOnce = 0;
	let most = 0;
	const send = async (options: IHttpRequestOptions): Promise<unknown> => {
		const { status = 200, headers = {}, afterMs = 0, body = {} } = reply(sent.length);
		sent.push(options);
		times.push(Date.now() - begun);
		most = Math.max(most, ++atOnce);
		await new Promise((resolve) => setTimeout(resolve, afterMs));
		atOnce -= 1;
		return { statusCode: status, headers, body: streamOf(body) };
	};
	const client = new LegalAiClient({
		baseUrl: 'https://legal-ai.example.com/api/v1',
		limits: { sessions: new RateLimiter(sessionsPerMinute), requests: new RateLimiter(MANY) },
		concurrency: new ConcurrencyLimiter(concurrency),
		transport: { authenticated: send, anonymous: send },
		signal,
	});
	return { client, sent, times, mostAtOnce: () => most };
}
