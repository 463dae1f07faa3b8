import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { authenticatedRequest } from '../../../nodes/LegalAi/execution/authenticatedRequest.ts';

const url = 'https://legal-ai.example.com/api/v1/me';

/** What n8n's helper is given: itself, the kind of credential, and the request. */
interface Given {
	self: IExecuteFunctions;
	credential: string;
	options: IHttpRequestOptions;
}

/** Sends a request of a node, or of a list in the editor, for which no execution can be stopped. */
async function send(options: Partial<IHttpRequestOptions>, stopped?: AbortSignal, isList = false): Promise<Given> {
	const context = {
		...(isList ? {} : { getExecutionCancelSignal: () => stopped }),
		getTimezone: () => 'UTC',
		helpers: {
			async httpRequestWithAuthentication(this: IExecuteFunctions, credential: string, sent: IHttpRequestOptions): Promise<Given> {
				return await Promise.resolve({ self: this, credential, options: sent });
			},
		},
	} as unknown as IExecuteFunctions;
	return (await authenticatedRequest(context)({ url, ...options })) as Given;
}

describe('a request with the key', () => {
	test('is as it was asked for, by the node as n8n knows it', async () => {
		const { self, credential, options } = await send({ method: 'POST' });
		expect(credential).toBe('legalAiApi');
		expect(options).toMatchObject({ url, method: 'POST' });
		expect(self.getTimezone()).toBe('UTC');
	});

	test.each(['the execution', 'the request'])('ends when %s is stopped', async (what) => {
		const [execution, request] = [new AbortController(), new AbortController()];
		const { self, options } = await send({ abortSignal: request.signal }, execution.signal);
		const signals = [self.getExecutionCancelSignal(), options.abortSignal];
		expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
		(what === 'the execution' ? execution : request).abort();
		expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
	});

	test.each([true, false])('needs nobody who may stop it (of a list: %s)', async (isList) => {
		const { self, options } = await send({}, undefined, isList);
		expect(self.getExecutionCancelSignal()?.aborted).toBe(false);
		expect(options.abortSignal?.aborted).toBe(false);
	});
});
