import { Readable } from 'node:stream';

import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { LegalAiClient } from '../../nodes/LegalAi/api/client.ts';

/** What asks more often than this is rejected: an endless list then fails a test, instead of keeping it busy for ever. */
const MOST_REQUESTS = 300;

/** Each client has a key of its own, so that none shares its limits. */
let keys = 0;

/** A response, after a while; a body that is no string is sent as JSON. */
export interface Reply {
	status?: number;
	headers?: Record<string, string>;
	afterMs?: number;
	body?: unknown;
}

/** What a service answers to its requests, which are counted from 0. */
export type Respond = (url: URL, index: number) => Reply;

/** A client, and what it has sent when, in ms from the beginning. Replies that take a while want fake timers. */
export async function startClient({
	reply = () => ({}),
	signal,
	credential = { baseUrl: 'https://legal-ai.example.com/eu/api/v1', apiKey: `key ${keys++}` },
}: {
	reply?: Respond;
	signal?: AbortSignal;
	credential?: { baseUrl: string; apiKey: string };
} = {}) {
	const begun = Date.now();
	const sent: IHttpRequestOptions[] = [];
	const times: number[] = [];
	const send = async (options: IHttpRequestOptions) => {
		const response =
			sent.length < MOST_REQUESTS ? reply(new URL(options.url), sent.length) : { status: 403 };
		const { status = 200, headers = {}, afterMs = 0, body = {} } = response;
		sent.push(options);
		times.push(Date.now() - begun);
		if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
		const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
		return { statusCode: status, headers, body: Readable.from([bytes], { objectMode: false }) };
	};
	const context = {
		getNode: () => ({ name: 'Legal AI' }),
		logger: { debug: () => undefined },
		getCredentials: () => Promise.resolve(credential),
		helpers: {
			httpRequest: send,
			httpRequestWithAuthentication: (_type: string, options: IHttpRequestOptions) => send(options),
		},
	} as unknown as IExecuteFunctions;
	return { client: await LegalAiClient.of(context, { signal }), sent, times };
}
