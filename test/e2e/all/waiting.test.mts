import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { next, startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { completed, deliver } from '../../support/n8n/callbacks.mts';
import { credentialType } from '../../support/n8n/examples.mts';
import { itemsOf, type Execution } from '../../support/n8n/executions.mts';
import { startN8n, type N8n } from '../../support/n8n/n8n.mts';
import type { StoredCredential, StoredWorkflow } from '../../support/n8n/n8nClient.mts';
import { until } from '../../support/polling.mts';
import { wakeNow } from '../storedExecutions.mts';
import { wakingEveryTwoSeconds } from '../wakingSoon.mts';
import { chain, legalAi, node, questions, webhook } from '../../support/n8n/workflows.mts';

let n8n: N8n;
let sandbox: Sandbox;
let credential: StoredCredential;
beforeAll(async () => {
	n8n = await startN8n({ environment: wakingEveryTwoSeconds });
});
// An organization of its own for each test: what one has asked does not count against the limits of the next.
beforeEach(async () => {
	sandbox = await startSandbox({ newSessionsPerMinute: Infinity, requestsPerMinute: Infinity });
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	credential = await n8n.createCredential(credentialType, 'Waiting', { baseUrl, apiKey, webhookSecret });
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to ${text}`, after: Infinity });
});
afterEach(async () => {
	await sandbox.close();
});
afterAll(async () => {
	await n8n.close();
});

const askAndWait = (more: object = {}) =>
	legalAi('Ask', credential, {
		resource: 'question',
		operation: 'askAndWait',
		question: '={{ $json.words }}',
		...more,
	});

const answersOf = (execution: Execution): unknown[] => itemsOf(execution, 'After').map(({ json }) => json.answer);

/** Waits until an execution has checked for the first time, and is parked again. */
async function parkedAgain(id: string): Promise<Execution> {
	return await until('the execution to check and park again', async () => {
		const hasChecked = sandbox.requests.some(({ method }) => method === 'GET');
		const execution = await n8n.execution(id);
		return hasChecked && execution.status === 'waiting' && new Date(execution.waitTill ?? 0) > new Date() ? execution : undefined;
	});
}

const after = node('After', 'n8n-nodes-base.noOp', {});

/** Publishes a workflow, starts it through its webhook, and waits for it to be parked. */
async function park(path: string, nodes: Parameters<typeof chain>[1], settings = {}): Promise<Execution> {
	return await start(await n8n.publish(chain(path, [webhook(path), ...nodes], settings)), path);
}

async function start(workflow: StoredWorkflow, path: string): Promise<Execution> {
	await n8n.callWebhook(path);
	return await n8n.waitForNextExecution(workflow.id, [], ['waiting', 'error', 'success']);
}

describe('a parked execution', () => {
	test('survives that n8n is killed and started again', async () => {
		const parked = await park('killed', [questions(2), askAndWait(), after]);
		expect(parked.status).toBe('waiting');
		await n8n.kill('SIGKILL');
		await n8n.restart();

		for (const { id } of sandbox.questions) await sandbox.complete(id);
		const over = await n8n.waitForExecution(parked.id);
		expect(over.status).toBe('success');
		expect(answersOf(over)).toEqual(['Answer to Question 0', 'Answer to Question 1']);
		expect(sandbox.questions).toHaveLength(2);
	});

	test.each([
		['that saves no successful executions', { saveDataSuccessExecution: 'none' }],
		['that saves its progress', { saveExecutionProgress: true }],
		['of the old execution order', { executionOrder: 'v0' }],
	])('of a workflow %s is resumed', async (what, settings) => {
		const path = what.replaceAll(' ', '-');
		const tell = node('After', 'n8n-nodes-base.httpRequest', {
			method: 'POST',
			url: `${sandbox.origin}/told`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify($json) }}',
		}, { typeVersion: 4.2, onError: 'continueRegularOutput' });
		const parked = await park(path, [questions(1), askAndWait(), tell], settings);
		expect(parked.status).toBe('waiting');
		const [asked] = sandbox.questions;
		await sandbox.complete(asked?.id ?? '');
		expect(sandbox.callbacks).toMatchObject([{ status: 200 }]);
		await sandbox.waitForRequest(({ path: told }) => told === '/told');
	});

	test('started by hand in the editor is woken, once more if there is no answer, and listed once', async () => {
		sandbox.callbackFaults.drop = true;
		const byHand = node('Start', 'n8n-nodes-base.manualTrigger', {});
		const workflow = await n8n.createWorkflow(chain('By hand', [byHand, questions(2), askAndWait(), after]));
		const id = await n8n.run(workflow, { trigger: 'Start' });
		await n8n.waitForExecution(id, ['waiting']);
		wakeNow(n8n, id);
		const again = await parkedAgain(id);
		expect(again.runs.Ask).toMatchObject([{ status: 'waiting', outputs: [[]] }]);
		for (const asked of sandbox.questions) await sandbox.complete(asked.id);
		wakeNow(n8n, id);
		const over = await n8n.waitForExecution(id);
		expect(answersOf(over)).toEqual(['Answer to Question 0', 'Answer to Question 1']);
		expect(itemsOf(over, 'Ask').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(over.runs.Ask).toHaveLength(1);
		expect(await n8n.executions(over.workflowId)).toHaveLength(1);
		expect(sandbox.questions).toHaveLength(2);
	});

	test('of each of three rounds of a loop goes on, together with callbacks', async () => {
		const loop = node('Loop', 'n8n-nodes-base.splitInBatches', {}, { typeVersion: 3 });
		const rounds = chain('rounds', [webhook('rounds'), questions(3), loop]);
		const workflow = await n8n.publish({
			...rounds,
			nodes: [...rounds.nodes, askAndWait(), after],
			connections: {
				...rounds.connections,
				Loop: { main: [[{ node: 'After', type: 'main', index: 0 }], [{ node: 'Ask', type: 'main', index: 0 }]] },
				Ask: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
			},
		});
		const { id } = await start(workflow, 'rounds');
		for (const round of [0, 1, 2]) {
			const asked = await until(`question ${round}`, () => Promise.resolve(sandbox.questions[round]));
			await n8n.waitForExecution(id, ['waiting']);
			sandbox.callbackFaults.drop = round !== 1;
			await sandbox.complete(asked.id);
			if (round !== 1) wakeNow(n8n, id);
		}
		const over = await n8n.waitForExecution(id);
		expect(answersOf(over)).toEqual(['Answer to Question 0', 'Answer to Question 1', 'Answer to Question 2']);
		expect(over.runs.Ask).toHaveLength(3);
	});

	test('of a sub-workflow is woken, and its caller waits until the answer is there', async () => {
		sandbox.callbackFaults.drop = true;
		const called = await n8n.publish(
			chain('Called', [
				node('When Called', 'n8n-nodes-base.executeWorkflowTrigger', { inputSource: 'passthrough' }, { typeVersion: 1.1 }),
				questions(1),
				askAndWait(),
			]),
		);
		const call = node('Call', 'n8n-nodes-base.executeWorkflow', {
			source: 'database',
			workflowId: { __rl: true, mode: 'id', value: called.id },
			options: { waitForSubWorkflow: true },
		}, { typeVersion: 1.2 });
		const caller = await park('caller', [call, after]);
		const below = await n8n.waitForNextExecution(called.id, [], ['waiting']);
		wakeNow(n8n, below.id);
		await parkedAgain(below.id);
		expect((await n8n.execution(caller.id)).status).toBe('waiting');
		await sandbox.complete(sandbox.questions[0]?.id ?? '');
		wakeNow(n8n, below.id);
		expect(answersOf(await n8n.waitForExecution(caller.id))).toEqual(['Answer to Question 0']);
		expect(sandbox.questions).toHaveLength(1);
	});

	test('of a workflow whose timeout is shorter than Max Wait is woken before n8n would cancel it', async () => {
		sandbox.callbackFaults.drop = true;
		const parked = await park('timeout', [questions(1), askAndWait(), after], { executionTimeout: 20 });
		await sandbox.complete(sandbox.questions[0]?.id ?? '');
		const over = await n8n.waitForExecution(parked.id);
		expect(over.status).toBe('success');
		expect(answersOf(over)).toEqual(['Answer to Question 0']);
	});

	test('is stopped like any other, and late callbacks do nothing', async () => {
		const parked = await park('stopped', [questions(1), askAndWait(), after]);
		await n8n.stopExecution(parked.id);
		await sandbox.complete(sandbox.questions[0]?.id ?? '');
		expect(sandbox.callbacks).toMatchObject([{ status: 409 }]);
		expect((await n8n.execution(parked.id)).status).toBe('canceled');
	});
});

test('a callback that nobody waits for any more changes nothing, and n8n refuses one that is late', async () => {
	sandbox.callbackFaults.duplicate = next(1);
	const parked = await park('doubled', [questions(1), askAndWait(), after]);
	const [question] = sandbox.questions;
	await sandbox.complete(question?.id ?? '');
	const over = await n8n.waitForExecution(parked.id);
	expect(over.runs.After).toHaveLength(1);
	const accepted = sandbox.callbacks.filter(({ status }) => status === 200);
	// Of two at the same moment n8n may let both through: the node has one of them resume.
	expect([1, 2]).toContain(accepted.length);
	expect(sandbox.callbacks).toHaveLength(2);

	const late = completed({ id: question?.id });
	expect(await deliver(question?.callbackUrl ?? '', sandbox.webhookSecret, late)).toMatchObject({ status: 409 });
	expect((await n8n.execution(parked.id)).runs.After).toHaveLength(1);
});
