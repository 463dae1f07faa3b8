import type { IWebhookFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { receivedRequest, reject, rejectWithoutCredential } from '../../../nodes/LegalAi/callbacks/webhookRequest.ts';
import type { Rejection } from '../../../nodes/LegalAi/callbacks/callback.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/** A webhook of a node, and what it has answered and logged. */
function webhook(nodeId: string, request: object = {}, headers: object = {}): { context: IWebhookFunctions; answers: unknown[]; warnings: unknown[][] } {
	const answers: unknown[] = [];
	const warnings: unknown[][] = [];
	const context = {
		getRequestObject: () => request,
		getHeaderData: () => headers,
		getResponseObject: () => ({ status: (status: number) => ({ json: (body: unknown) => answers.push([status, body]) }) }),
		getNode: () => ({ id: nodeId, name: 'Answers' }),
		getWorkflow: () => ({ id: 'w' }),
		logger: { warn: (...said: unknown[]) => warnings.push(said) },
	} as unknown as IWebhookFunctions;
	return { context, answers, warnings };
}

const wrong: Rejection = { status: 401, error_code: 'invalid_signature', message: 'It is wrong.', verdict: 'wrong' };

/** A request whose body n8n has not read yet. */
function unread(body: Buffer): { readRawBody: () => Promise<void> } {
	const request = { readRawBody: async () => { await Promise.resolve(Object.assign(request, { rawBody: body })); } };
	return request;
}

test('what came in is its bytes and its signature, whether n8n has read it or not', async () => {
	const rawBody = Buffer.from('{}');
	expect(await receivedRequest(webhook('n', unread(rawBody), { 'service-signature': 't=1' }).context)).toEqual({ rawBody, signature: 't=1' });
});

test('of a form n8n keeps no bytes', async () => {
	const form = { body: {}, readRawBody: async () => await Promise.reject(new Error('The stream is not readable')) };
	expect(await receivedRequest(webhook('n', form).context)).toEqual({ rawBody: Buffer.alloc(0), signature: undefined });
});

test('a body that is far larger than an answer is turned away by its size, and a long answer is not', async () => {
	const rawBody = Buffer.alloc(4 * 1024 * 1024 + 1, 'x');
	const rejected = { rejection: { status: 413, error_code: 'invalid_payload' } };
	const receive = async (body: Buffer, headers: object): Promise<unknown> => await receivedRequest(webhook('n', unread(body), headers).context);
	expect(await receive(rawBody, { 'service-signature': 't=1,v1=2' })).toMatchObject(rejected);
	expect(await receive(rawBody, {})).toMatchObject(rejected);
	expect(await receive(rawBody.subarray(1), {})).toMatchObject({ rawBody: { length: 4 * 1024 * 1024 } });
});

test('a body that is announced to be far too large is not read', async () => {
	const { context } = webhook('n', { readRawBody: () => { throw new Error('It was read'); } }, { 'content-length': String(4 * 1024 * 1024 + 1) });
	expect(await receivedRequest(context)).toMatchObject({ rejection: { status: 413 } });
});

test('a sender that is turned away learns why, and nothing starts', () => {
	const { context, answers } = webhook('answers');
	expect(reject(context, wrong)).toEqual({ noWebhookResponse: true });
	expect(answers).toEqual([[401, { error_code: 'invalid_signature', message: 'It is wrong.' }]]);
});

test('a node logs one rejection a minute, and how many there were since', () => {
	const { context, warnings } = webhook('flooded');
	const other = webhook('other');
	for (let count = 0; count < 3; count++) reject(context, wrong);
	reject(other.context, wrong);
	expect(warnings).toEqual([['Answers rejected a callback: It is wrong.', { workflowId: 'w' }]]);
	expect(other.warnings).toHaveLength(1);

	vi.advanceTimersByTime(60_000);
	reject(context, wrong);
	expect(warnings.slice(1)).toEqual([['Answers rejected a callback: It is wrong. Since the last such line, 2 more were rejected.', { workflowId: 'w' }]]);
});

test.each(['missing', 'malformed'] as const)('what no service has sent (signature %s) is not worth a line in the log', (verdict) => {
	const { context, answers, warnings } = webhook(verdict);
	reject(context, { ...wrong, verdict });
	expect(answers).toHaveLength(1);
	expect(warnings).toEqual([]);
});

test('a credential that is gone is worth a line', () => {
	const { context, answers, warnings } = webhook('gone');
	rejectWithoutCredential(context);
	expect(answers).toEqual([[503, { error_code: 'no_credential', message: expect.any(String) as string }]]);
	expect(warnings).toHaveLength(1);
});
