import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { INode } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { type Execution, finalStatuses, itemsOf } from '../../../harness/executions.mts';
import { until } from '../../../harness/polling.mts';
import { chain, legalAi, node, webhook } from '../../../harness/workflows.mts';
import { serviceMessages } from '../../../nodes/LegalAi/messages/serviceMessages.ts';
import { after } from '../../support/n8n/parkedQuestions.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../../support/n8n/service.mts';
import { wakeNow } from '../../support/n8n/storedExecutions.mts';
import { simpleRecovery, wakingEveryTwoSeconds } from '../../support/n8n/wakingSoon.mts';

const n8n = await n8nOfThisFile({
	...simpleRecovery,
	...wakingEveryTwoSeconds,
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '30',
});
const { sandbox, credential } = await serviceOfThisFile(
	{ answer: ({ text }) => ({ status: 'completed', answer: text, after: 4_000 }) },
	n8n,
);

const items = node('Items', 'n8n-nodes-base.splitOut', {
	fieldToSplitOut: 'body.words',
	options: { destinationFieldName: 'words' },
});

/** Publishes a workflow that sends a batch, and starts it; whether n8n dies over that does not matter. */
async function begin(
	path: string,
	count: number,
	operation: 'ask' | 'askAndWait',
	behind: readonly INode[] = [],
): Promise<string> {
	const send = legalAi(
		'Send',
		credential,
		{ resource: 'question', operation, question: '={{ $json.words }}' },
		{ onError: 'continueRegularOutput' },
	);
	const { id } = await n8n.publish(chain(path, [webhook(path), items, send, ...behind, after]));
	const words = Array.from({ length: count }, (_, index) => `${path} ${index}`);
	void n8n
		.callWebhook(path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ words }),
		})
		.catch(() => undefined);
	return id;
}

async function over(workflowId: string, known: readonly string[] = []): Promise<Execution> {
	const found = await until(
		'the execution to be over',
		async () => {
			wakeNow(n8n);
			const executions = await n8n.executions(workflowId);
			return executions.find(
				({ id, status }) => !known.includes(id) && finalStatuses.includes(status),
			);
		},
		{ timeout: 240_000, interval: 500 },
	);
	return await n8n.execution(found.id);
}

function isUncertain({ json }: { json: { error?: unknown } }): boolean {
	return (
		typeof json.error === 'string' &&
		json.error.includes(serviceMessages.sendingInterrupted.message)
	);
}

test('after a kill three seconds after the next node began, a retry asks nothing twice', async () => {
	const hanging = sandbox.faults.add({
		kind: 'hang',
		times: Infinity,
		match: ({ route }) => route === 'GET /me',
	});
	const next = node(
		'Next',
		'n8n-nodes-base.httpRequest',
		{ url: `${sandbox.baseUrl}/me`, options: {} },
		{ typeVersion: 4.2, onError: 'continueRegularOutput', executeOnce: true },
	);
	const workflowId = await begin('next', 5, 'ask', [next]);
	await sandbox.waitForRequest(({ route }) => route === 'GET /me');
	// By then, n8n's log of events is written: its recovery invents runs of what has begun.
	await sleep(3_000);
	await n8n.restart({ N8N_EVENTBUS_RECOVERY_MODE: 'extensive' });
	hanging.remove();
	const { id, status } = await over(workflowId);
	expect(status).toBe('crashed');
	await n8n.retry({ id });
	const retried = await over(workflowId, [id]);
	expect(sandbox.questions).toHaveLength(5);
	expect(itemsOf(retried, 'Send').filter(isUncertain)).toHaveLength(5);
}, 300_000);

test('a restart in the middle of a batch of 70 crashes nothing, and the execution goes on by itself', async () => {
	const workflowId = await begin('batch', 70, 'askAndWait');
	await sandbox.waitForQuestion(() => true);
	await sleep(randomInt(5_000));
	await n8n.main.stop('SIGTERM', 40_000);
	await n8n.restart();
	const [execution] = await n8n.executions(workflowId);
	expect(execution?.status).not.toBe('crashed');
	const ended = await over(workflowId);
	expect([ended.status, itemsOf(ended, 'After').map(({ json }) => json.answer)]).toEqual([
		'success',
		Array.from({ length: 70 }, (_, index) => `batch ${index}`),
	]);
	expect(sandbox.questions).toHaveLength(70);
}, 600_000);
