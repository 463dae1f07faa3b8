import { beforeEach, expect, test } from 'vitest';

import { type Execution, finalStatuses } from '../../../harness/executions.mts';
import { until } from '../../../harness/polling.mts';
import { chain, node, webhook } from '../../../harness/workflows.mts';
import { after, answersOf, askAndWait } from '../../support/n8n/parkedQuestions.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../../support/n8n/service.mts';
import { wakeNow } from '../../support/n8n/storedExecutions.mts';
import { simpleRecovery, wakingEveryTwoSeconds } from '../../support/n8n/wakingSoon.mts';

const batch = Array.from({ length: 8 }, (_, execution) => Array.from({ length: 5 }, (_each, index) => `${execution} ${index}`));
/** Longer than anything that an execution does between two requests to the service. */
const quietMs = 5_000;

const n8n = await n8nOfThisFile({ ...simpleRecovery, ...wakingEveryTwoSeconds });
const { sandbox, credential } = await serviceOfThisFile(
	{
		answer: ({ text }) => ({ status: 'completed', answer: text, after: 5_000 }),
		newSessionsPerMinute: Infinity,
		requestsPerMinute: Infinity,
	},
	n8n,
);
beforeEach(() => {
	// One in three: the answers of most executions are found by waking.
	sandbox.callbackFaults.drop = ({ questionId }) => sandbox.questions.findIndex(({ id }) => id === questionId) % 3 === 0;
	sandbox.faults.add({ kind: 'latency', ms: 400, times: Infinity, match: ({ method }) => method === 'POST' });
	sandbox.faults.add({ kind: 'latency', ms: 1_500, times: Infinity, match: ({ method }) => method === 'GET' });
});

/** Calls the webhook with the questions of an execution; whether n8n dies over it does not matter. */
async function call(path: string, words: readonly string[]): Promise<void> {
	const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ words }) };
	await n8n.callWebhook(path, request).catch(() => undefined);
}

/**
 * Waits until nothing runs any more. The stored states alone don't tell: n8n wakes what is parked before it looks for what it was
 * killed over, and may call crashed what it has just woken, which goes on. Such an execution sends requests to its end.
 */
async function allOver(workflowId: string): Promise<Execution[]> {
	const over = await until('all executions to be over', async () => {
		wakeNow(n8n);
		const isQuiet = Date.now() - (sandbox.requests.at(-1)?.at ?? 0) > quietMs;
		const executions = await n8n.executions(workflowId);
		return isQuiet && executions.every(({ status }) => finalStatuses.includes(status)) ? executions : undefined;
	}, { timeout: 90_000, interval: 500 });
	return await Promise.all(over.map(async ({ id }) => await n8n.execution(id)));
}

/** Whether an execution has a node left to run that knows what it has asked: a retry asks nothing again. */
function hasAsked({ stored }: Execution): boolean {
	return JSON.stringify(stored.executionData).includes('"legalAi":');
}

test.each([
	['asking', 'POST'],
	['a check', 'GET'],
])('if n8n is killed in the middle of %s, no question is asked twice, and every answer comes out once', async (_what, killedOver) => {
	const items = node('Items', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.words', options: { destinationFieldName: 'words' } });
	const path = `killed-${killedOver}`;
	const { id: workflowId } = await n8n.publish(chain(path, [webhook(path), items, askAndWait(credential), after]));
	const started = Promise.all(batch.map(async (words) => { await call(path, words); }));
	await until(`a ${killedOver} request`, () => {
		wakeNow(n8n);
		return Promise.resolve(sandbox.requests.some(({ method }) => method === killedOver) || undefined);
	});
	await n8n.restart();
	await started;

	const crashed = (await allOver(workflowId)).filter(({ status }) => status === 'crashed');
	// If n8n was killed before it could store what was asked, nobody knows of it: such an execution is not retried.
	const forgotten = crashed.filter((execution) => !hasAsked(execution));
	for (const execution of crashed) if (!forgotten.includes(execution)) await n8n.retry(execution);
	const ended = await allOver(workflowId);

	expect(ended.filter(({ status }) => status !== 'success' && status !== 'crashed')).toEqual([]);
	const out = ended.filter(({ status }) => status === 'success').map(answersOf);
	expect(batch).toEqual(expect.arrayContaining(out));
	expect(new Set(out.flat()).size).toBe(out.flat().length);
	const asked = sandbox.questions.map(({ text }) => text);
	expect(new Set(asked).size).toBe(asked.length);
	const lost = batch.filter((words) => words.some((text) => asked.includes(text)) && !out.flat().includes(words[0]));
	expect(lost.length).toBeLessThanOrEqual(forgotten.length);
}, 240_000);
