import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { credentialType } from '../../support/n8n/examples.mts';
import { itemsOf, type Execution } from '../../support/n8n/executions.mts';
import { startN8n, type N8n } from '../../support/n8n/n8n.mts';
import type { StoredCredential } from '../../support/n8n/n8nClient.mts';
import { chain, legalAi, node, questions, webhook } from '../../support/n8n/workflows.mts';
import { wakeNow } from '../storedExecutions.mts';
import { wakingEveryTwoSeconds } from '../wakingSoon.mts';

// Executions that were cut off by a restart of n8n, and what becomes of them.

let n8n: N8n;
let sandbox: Sandbox;
let credential: StoredCredential;
beforeAll(async () => {
	n8n = await startN8n({ environment: { ...wakingEveryTwoSeconds, N8N_EVENTBUS_RECOVERY_MODE: 'simple' } });
});
beforeEach(async () => {
	sandbox = await startSandbox();
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	credential = await n8n.createCredential(credentialType, 'Retry', { baseUrl, apiKey, webhookSecret });
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to ${text}`, after: Infinity });
});
afterEach(async () => {
	await sandbox.close();
});
afterAll(async () => {
	await n8n.close();
});

/** Asks two questions, and waits until the execution is parked. */
async function park(path: string): Promise<Execution> {
	const ask = legalAi('Ask', credential, { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}' });
	const workflow = await n8n.publish(chain(path, [webhook(path), questions(2), ask, node('After', 'n8n-nodes-base.noOp', {})]));
	await n8n.callWebhook(path);
	return await n8n.waitForNextExecution(workflow.id, [], ['waiting', 'error', 'success']);
}

describe.each(['SIGKILL', 'SIGTERM'] as const)('n8n ended by %s in the middle of a check', (signal) => {
	test('a retry with the currently saved workflow is refused and names the other one, which brings the answers', async () => {
		const parked = await park(`retry-${signal}`);
		sandbox.callbackFaults.drop = true;
		for (const { id } of sandbox.questions) await sandbox.complete(id);
		const hanging = sandbox.faults.add({ kind: 'hang', times: Infinity, match: ({ method }) => method === 'GET' });
		wakeNow(n8n, parked.id);
		await sandbox.waitForRequest(({ method }) => method === 'GET');
		await n8n.kill(signal);
		hanging.remove();
		await n8n.restart();
		const crashed = await n8n.waitForExecution(parked.id);
		expect(crashed.status).toBe('crashed');

		const known = await n8n.executions(parked.workflowId);
		await expect(n8n.retry(parked, 'saved workflow')).rejects.toThrow('choose "Retry with original workflow"');
		await n8n.retry(parked);
		const over = await n8n.waitForNextExecution(parked.workflowId, known);
		expect(over.status).toBe('success');
		expect(itemsOf(over, 'After').map(({ json }) => json.answer)).toEqual(['Answer to Question 0', 'Answer to Question 1']);
		expect(over.runs.After).toHaveLength(1);
		expect(await n8n.executions(parked.workflowId)).toHaveLength(2);
		expect(sandbox.questions).toHaveLength(2);
	});
});

test('n8n comes back under another address while an execution is parked: callbacks to the old one get lost, and the node finds the answers', async () => {
	await n8n.kill();
	await n8n.restart({ WEBHOOK_URL: 'http://127.0.0.1:9/' });
	const parked = await park('moved');
	await n8n.kill();
	await n8n.restart({ WEBHOOK_URL: `${n8n.baseUrl}/` });
	for (const { id } of sandbox.questions) await sandbox.complete(id);
	expect(sandbox.callbacks.map(({ status }) => status)).toEqual([null, null]);
	wakeNow(n8n, parked.id);
	const over = await n8n.waitForExecution(parked.id);
	expect(itemsOf(over, 'After').map(({ json }) => json.answer)).toEqual(['Answer to Question 0', 'Answer to Question 1']);
	expect(sandbox.questions).toHaveLength(2);
});
