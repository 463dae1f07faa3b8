import { EventEmitter } from 'node:events';

import type { IExecuteFunctions, IWebhookFunctions, WorkflowExecuteMode } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { isReceivedHere, receiveCallback } from '../../../nodes/LegalAi/trigger/receive.ts';

const payload = { id: 'q', status: 'completed' };

interface Reception {
	readonly mode?: WorkflowExecuteMode;
	readonly body?: string;
	/** What becomes of the sender's request; by default, it gets a 200. */
	readonly response?: { readonly destroyed?: boolean; readonly writableFinished?: boolean; readonly statusCode?: number };
}

/** What the trigger of a workflow makes of a callback, and what it answers itself. */
async function receive(
	workflowId: string,
	{ mode = 'webhook', body = JSON.stringify(payload), response: changes }: Reception = {},
): Promise<{ workflowData: unknown; status: number }> {
	const answer = { status: NaN };
	const response = Object.assign(new EventEmitter(), {
		destroyed: false,
		writableFinished: true,
		statusCode: 200,
		...changes,
		status: (status: number) => {
			answer.status = status;
			return response;
		},
		json: () => response,
	});
	const parameters: Record<string, unknown> = { events: ['completed'], options: { verifySignature: false }, 'options.verifySignature': false };
	const context = {
		getRequestObject: () => ({ rawBody: Buffer.from(body), readRawBody: async () => { await Promise.resolve(); } }),
		getHeaderData: () => ({}),
		getQueryData: () => ({}),
		getResponseObject: () => response,
		getNodeParameter: (name: string) => parameters[name],
		getMode: () => mode,
		getNode: () => ({ id: 'n', name: 'Answers' }),
		getWorkflow: () => ({ id: workflowId }),
		logger: { warn: () => undefined },
	} as unknown as IWebhookFunctions;
	const { workflowData } = await receiveCallback(context);
	if (!response.destroyed) response.emit('close');
	return { workflowData, ...answer };
}

const started = [[{ json: payload }]];

test('a callback that comes twice starts a workflow once', async () => {
	expect((await receive('published')).workflowData).toStrictEqual(started);
	expect((await receive('published')).workflowData).toBeUndefined();
});

test('while somebody listens for a test event, the same callback starts it as often as it is sent', async () => {
	expect((await receive('tried out', { mode: 'manual' })).workflowData).toStrictEqual(started);
	expect((await receive('tried out', { mode: 'manual' })).workflowData).toStrictEqual(started);
});

test.each([
	['is gone before it is answered', 'gone', { writableFinished: false }],
	['was gone before the callback was looked at', 'long gone', { destroyed: true }],
	['gets an error', 'failed', { statusCode: 500 }],
	['is sent elsewhere', 'redirected', { statusCode: 300 }],
])('a callback whose sender %s is news when it comes again', async (_case, workflowId, response) => {
	expect((await receive(workflowId, { response })).workflowData).toStrictEqual(started);
	expect((await receive(workflowId)).workflowData).toStrictEqual(started);
	expect((await receive(workflowId)).workflowData).toBeUndefined();
});

test('a body that is far too large for a callback is turned away', async () => {
	const answer = 'x'.repeat(5 * 1024 * 1024);
	expect(await receive('flooded', { body: JSON.stringify({ ...payload, answer }) })).toEqual({ workflowData: undefined, status: 413 });
});

test('a workflow knows which callbacks came to it in this process', async () => {
	const running = (workflowId: string): IExecuteFunctions =>
		({ getNode: () => ({ id: 'n' }), getWorkflow: () => ({ id: workflowId }) }) as unknown as IExecuteFunctions;
	await receive('received');
	expect(isReceivedHere(running('received'), payload)).toBe(true);
	expect(isReceivedHere(running('received'), { ...payload, id: 'q2' })).toBe(false);
	expect(isReceivedHere(running('elsewhere'), payload)).toBe(false);
});
