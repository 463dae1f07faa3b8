import { EventEmitter } from 'node:events';

import type { IWebhookFunctions, WorkflowExecuteMode } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { receiveCallback } from '../../../nodes/LegalAi/trigger/receive.ts';

const payload = { id: 'q', status: 'completed' };

/** What a trigger makes of a callback that comes in while n8n runs it so; its sender gets a 200. */
async function receive(mode: WorkflowExecuteMode, workflowId: string): Promise<unknown> {
	const response = Object.assign(new EventEmitter(), { destroyed: false, writableFinished: true, statusCode: 200 });
	const parameters: Record<string, unknown> = { events: ['completed'], options: { verifySignature: false }, 'options.verifySignature': false };
	const context = {
		getRequestObject: () => ({ rawBody: Buffer.from(JSON.stringify(payload)) }),
		getHeaderData: () => ({}),
		getQueryData: () => ({}),
		getResponseObject: () => response,
		getNodeParameter: (name: string) => parameters[name],
		getMode: () => mode,
		getNode: () => ({ id: 'n', name: 'Answers' }),
		getWorkflow: () => ({ id: workflowId }),
	} as unknown as IWebhookFunctions;
	const { workflowData } = await receiveCallback(context);
	response.emit('close');
	return workflowData;
}

test('a callback that comes twice starts a workflow once', async () => {
	expect(await receive('webhook', 'published')).toEqual([[{ json: payload }]]);
	expect(await receive('webhook', 'published')).toBeUndefined();
});

test('while somebody listens for a test event, the same callback starts it as often as it is sent', async () => {
	expect(await receive('manual', 'tried out')).toEqual([[{ json: payload }]]);
	expect(await receive('manual', 'tried out')).toEqual([[{ json: payload }]]);
});
