import { afterAll, beforeAll, expect, test } from 'vitest';

import { itemsOf } from '../../support/n8n/executions.mts';
import { type N8n, startN8n } from '../../support/n8n/n8n.mts';
import type { WorkflowDefinition } from '../../support/n8n/n8nClient.mts';

const workflow: WorkflowDefinition = {
	name: 'Echo',
	nodes: [
		{
			id: 'e5f3f9c8-5ad5-4c4c-9ffb-1c5dc1e3f001',
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			position: [0, 0],
			webhookId: 'e5f3f9c8-5ad5-4c4c-9ffb-1c5dc1e3f0aa',
			parameters: { httpMethod: 'POST', path: 'echo', responseMode: 'onReceived' },
		},
		{
			id: 'e5f3f9c8-5ad5-4c4c-9ffb-1c5dc1e3f002',
			name: 'Set',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			position: [200, 0],
			parameters: {
				assignments: {
					assignments: [{ id: 'a', name: 'said', type: 'string', value: '={{ $json.body.words }}' }],
				},
			},
		},
	],
	connections: { Webhook: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
};

const byHand: WorkflowDefinition = {
	name: 'File, then wait',
	nodes: [
		{
			id: 'e5f3f9c8-5ad5-4c4c-9ffb-1c5dc1e3f011',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'e5f3f9c8-5ad5-4c4c-9ffb-1c5dc1e3f012',
			name: 'Words',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			position: [200, 0],
			parameters: {
				assignments: { assignments: [{ id: 'a', name: 'words', type: 'string', value: 'in a file' }] },
			},
		},
		{
			id: 'e5f3f9c8-5ad5-4c4c-9ffb-1c5dc1e3f013',
			name: 'File',
			type: 'n8n-nodes-base.convertToFile',
			typeVersion: 1.1,
			position: [400, 0],
			parameters: { operation: 'toText', sourceProperty: 'words' },
		},
		{
			id: 'e5f3f9c8-5ad5-4c4c-9ffb-1c5dc1e3f014',
			name: 'Wait',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			position: [600, 0],
			webhookId: 'e5f3f9c8-5ad5-4c4c-9ffb-1c5dc1e3f0bb',
			parameters: { resume: 'webhook' },
		},
	],
	connections: {
		Start: { main: [[{ node: 'Words', type: 'main', index: 0 }]] },
		Words: { main: [[{ node: 'File', type: 'main', index: 0 }]] },
		File: { main: [[{ node: 'Wait', type: 'main', index: 0 }]] },
	},
};

let n8n: N8n;
beforeAll(async () => {
	n8n = await startN8n({ withPackage: false });
});
afterAll(async () => { await n8n.close(); });

const words = (text: string): RequestInit => ({
	method: 'POST',
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify({ words: text }),
});

test('a published workflow takes calls, and again after a crash', async () => {
	const stored = await n8n.publish(workflow);
	expect((await n8n.callWebhook('echo', words('first'))).status).toBe(200);
	const execution = await n8n.waitForNextExecution(stored.id, []);
	expect(itemsOf(execution, 'Set').map(({ json }) => json)).toEqual([{ said: 'first' }]);

	await n8n.kill('SIGKILL');
	await n8n.restart();
	const known = await n8n.executions(stored.id);
	expect((await n8n.callWebhook('echo', words('second'))).status).toBe(200);
	const next = await n8n.waitForNextExecution(stored.id, known);
	expect(itemsOf(next, 'Set').map(({ json }) => json)).toEqual([{ said: 'second' }]);

	await n8n.deactivate(stored);
	expect((await n8n.callWebhook('echo', words('third'))).status).toBe(404);
});

test('the editor listens for a test call', async () => {
	const stored = await n8n.createWorkflow({ ...workflow, name: 'Echo by hand' });
	await n8n.listen(stored);
	expect((await n8n.callWebhook('echo', words('by hand'), true)).status).toBe(200);
	const execution = await n8n.waitForNextExecution(stored.id, []);
	expect(execution.mode).toBe('manual');
	expect(itemsOf(execution, 'Set').map(({ json }) => json)).toEqual([{ said: 'by hand' }]);
});

test('a run by hand parks, hands out its file, and is stopped', async () => {
	const stored = await n8n.createWorkflow(byHand);
	const parked = await n8n.waitForExecution(await n8n.run(stored), ['waiting']);
	const file = itemsOf(parked, 'File').at(0)?.binary?.data;
	expect(file && (await n8n.binary(file)).toString('utf8')).toBe('in a file');

	await n8n.stopExecution(parked.id);
	expect((await n8n.waitForExecution(parked.id)).status).toBe('canceled');

	const partly = await n8n.waitForExecution(await n8n.run(stored, { lastNode: 'Words' }));
	expect(Object.keys(partly.runs)).toEqual(['Start', 'Words']);
});
