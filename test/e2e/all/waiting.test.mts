import type { IWorkflowSettings } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import { itemsOf, type Execution } from '../../../harness/executions.mts';
import { startN8n, type N8n } from '../../../harness/n8n.mts';
import type { StoredCredential } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { chain, node, questions } from '../../../harness/workflows.mts';
import { after, answersOf, askAndWait, completeAll, start } from '../parkedQuestions.mts';
import { answersWhenTold, openService } from '../service.mts';
import { wakeNow } from '../storedExecutions.mts';
import { wakingEveryTwoSeconds } from '../wakingSoon.mts';

let n8n: N8n;
let sandbox: Sandbox;
let credential: StoredCredential;
beforeAll(async () => {
	n8n = await startN8n({ environment: { ...wakingEveryTwoSeconds, N8N_EVENTBUS_RECOVERY_MODE: 'simple' } });
});
// An organization of its own for each test: what one has asked does not count against the limits of the next.
beforeEach(async () => {
	({ sandbox, credential } = await openService(n8n, { answer: answersWhenTold, requestsPerMinute: Infinity }));
});
afterEach(async () => {
	await sandbox.close();
});
afterAll(async () => {
	await n8n.close();
});

/** Waits until an execution has checked for the first time, and is parked again. */
async function parkedAgain(id: string): Promise<Execution> {
	return await until('the execution to check and park again', async () => {
		const hasChecked = sandbox.requests.some(({ method }) => method === 'GET');
		const execution = await n8n.execution(id);
		return hasChecked && execution.status === 'waiting' && new Date(execution.waitTill ?? 0) > new Date() ? execution : undefined;
	});
}

describe('a parked execution', () => {
	test.each<[string, IWorkflowSettings]>([
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
		const parked = await start(n8n, path, [questions(1), askAndWait(credential), tell], settings);
		expect(parked.status).toBe('waiting');
		await completeAll(sandbox);
		expect(sandbox.callbacks).toMatchObject([{ status: 200 }]);
		await sandbox.waitForRequest(({ path: told }) => told === '/told');
	});

	test('started by hand in the editor is woken, once more if there is no answer, and listed once', async () => {
		sandbox.callbackFaults.drop = true;
		const byHand = node('Start', 'n8n-nodes-base.manualTrigger', {});
		const workflow = await n8n.createWorkflow(chain('By hand', [byHand, questions(2), askAndWait(credential), after]));
		const id = await n8n.run(workflow, { trigger: 'Start' });
		await n8n.waitForExecution(id, ['waiting']);
		wakeNow(n8n, id);
		const again = await parkedAgain(id);
		expect(again.runs.Ask).toMatchObject([{ status: 'waiting', outputs: [[]] }]);
		await completeAll(sandbox);
		wakeNow(n8n, id);
		const over = await n8n.waitForExecution(id);
		expect(answersOf(over)).toEqual(['Answer to Question 0', 'Answer to Question 1']);
		expect(itemsOf(over, 'Ask').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(over.runs.Ask).toHaveLength(1);
		expect(await n8n.executions(over.workflowId)).toHaveLength(1);
		expect(sandbox.questions).toHaveLength(2);
	});

	test('of a sub-workflow is woken, and its caller waits until the answer is there', async () => {
		sandbox.callbackFaults.drop = true;
		const called = await n8n.publish(
			chain('Called', [
				node('When Called', 'n8n-nodes-base.executeWorkflowTrigger', { inputSource: 'passthrough' }, { typeVersion: 1.1 }),
				questions(1),
				askAndWait(credential),
			]),
		);
		const call = node('Call', 'n8n-nodes-base.executeWorkflow', {
			source: 'database',
			workflowId: { __rl: true, mode: 'id', value: called.id },
			options: { waitForSubWorkflow: true },
		}, { typeVersion: 1.2 });
		const caller = await start(n8n, 'caller', [call, after]);
		const below = await n8n.waitForNextExecution(called.id, [], ['waiting']);
		wakeNow(n8n, below.id);
		await parkedAgain(below.id);
		expect((await n8n.execution(caller.id)).status).toBe('waiting');
		await completeAll(sandbox);
		wakeNow(n8n, below.id);
		expect(answersOf(await n8n.waitForExecution(caller.id))).toEqual(['Answer to Question 0']);
		expect(sandbox.questions).toHaveLength(1);
	});

	test('of a workflow whose timeout is shorter than Max Wait is woken before n8n would cancel it', async () => {
		sandbox.callbackFaults.drop = true;
		const parked = await start(n8n, 'timeout', [questions(1), askAndWait(credential), after], { executionTimeout: 20 });
		await completeAll(sandbox);
		const over = await n8n.waitForExecution(parked.id);
		expect(over.status).toBe('success');
		expect(answersOf(over)).toEqual(['Answer to Question 0']);
	});

	test('is stopped like any other, and late callbacks do nothing', async () => {
		const parked = await start(n8n, 'stopped', [questions(1), askAndWait(credential), after]);
		await n8n.stopExecution(parked.id);
		await completeAll(sandbox);
		expect(sandbox.callbacks).toMatchObject([{ status: 409 }]);
		expect((await n8n.execution(parked.id)).status).toBe('canceled');
	});
});

describe.each(['SIGKILL', 'SIGTERM'] as const)('n8n ended by %s in the middle of a check', (signal) => {
	test('a retry with the currently saved workflow is refused and names the other one, which brings the answers', async () => {
		const parked = await start(n8n, `retry-${signal}`, [questions(2), askAndWait(credential), after]);
		sandbox.callbackFaults.drop = true;
		await completeAll(sandbox);
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
		expect(answersOf(over)).toEqual(['Answer to Question 0', 'Answer to Question 1']);
		expect(over.runs.After).toHaveLength(1);
		expect(await n8n.executions(parked.workflowId)).toHaveLength(2);
		expect(sandbox.questions).toHaveLength(2);
	});
});

test('n8n comes back under another address: callbacks to the old one get lost, and the node finds the answers', async () => {
	await n8n.kill();
	await n8n.restart({ WEBHOOK_URL: 'http://127.0.0.1:9/' });
	const parked = await start(n8n, 'moved', [questions(2), askAndWait(credential), after]);
	await n8n.kill();
	await n8n.restart({ WEBHOOK_URL: `${n8n.baseUrl}/` });
	await completeAll(sandbox);
	expect(sandbox.callbacks.map(({ status }) => status)).toEqual([null, null]);
	wakeNow(n8n, parked.id);
	const over = await n8n.waitForExecution(parked.id);
	expect(answersOf(over)).toEqual(['Answer to Question 0', 'Answer to Question 1']);
	expect(sandbox.questions).toHaveLength(2);
});
