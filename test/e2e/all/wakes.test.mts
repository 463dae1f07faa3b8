import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { credentialType } from '../../support/n8n/examples.mts';
import { itemsOf, type Execution } from '../../support/n8n/executions.mts';
import { startN8n, type N8n } from '../../support/n8n/n8n.mts';
import type { StoredCredential } from '../../support/n8n/n8nClient.mts';
import { isN8n1 } from '../../support/n8n/versions.mts';
import { until } from '../../support/polling.mts';
import { parkAsBefore, wakeNow } from '../storedExecutions.mts';
import { asText } from '../../support/unknownJson.mts';
import { wakingEveryTwoSeconds } from '../wakingSoon.mts';
import { chain, legalAi, node, questions, webhook } from '../../support/n8n/workflows.mts';

let n8n: N8n;
let sandbox: Sandbox;
let credential: StoredCredential;
beforeAll(async () => {
	n8n = await startN8n({ environment: wakingEveryTwoSeconds });
});
beforeEach(async () => {
	sandbox = await startSandbox();
	credential = await n8n.createCredential(credentialType, 'Wakes', keyOf(sandbox));
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to ${text}`, after: Infinity });
});
afterEach(async () => {
	await sandbox.close();
});
afterAll(async () => {
	await n8n.close();
});

const keyOf = ({ baseUrl, apiKey, webhookSecret }: Sandbox) => ({ baseUrl, apiKey, webhookSecret });

/** Twelve seconds: n8n wakes the execution for its last look soon after. */
const shortly = { options: { maxWait: 0.2 } };

const askAndWait = (more: object = {}) =>
	legalAi('Ask', credential, {
		resource: 'question',
		operation: 'askAndWait',
		question: '={{ $json.words }}',
		...more,
	});

const after = node('After', 'n8n-nodes-base.noOp', {});

/** Stores and publishes a workflow, starts it through its webhook, and waits for it to be parked. */
async function park(path: string, nodes: Parameters<typeof chain>[1], settings = {}): Promise<Execution> {
	const workflow = await n8n.publish(chain(path, [webhook(path), ...nodes], settings));
	await n8n.callWebhook(path);
	const execution = await n8n.waitForNextExecution(workflow.id, [], ['waiting', 'error', 'success']);
	expect(execution).toMatchObject({ status: 'waiting', failure: undefined });
	return execution;
}

/** The service answers, and its callbacks never arrive. */
async function completeUnheard(): Promise<void> {
	sandbox.callbackFaults.drop = true;
	for (const { id, status } of sandbox.questions) if (status === 'in_progress') await sandbox.complete(id);
}

async function completeAll(): Promise<void> {
	for (const { id, status } of sandbox.questions) if (status === 'in_progress') await sandbox.complete(id);
}

const answersOf = (execution: Execution): unknown[] => itemsOf(execution, 'After').map(({ json }) => json.answer);

const hintsOf = (execution: Execution): string => JSON.stringify(execution.runs.Ask?.at(-1)?.hints);

/** Waits until an execution has looked for the first time and parked again. */
async function parkedAgain({ id }: Execution): Promise<Execution> {
	return await until('the execution to look and park again', async () => {
		const hasLooked = sandbox.requests.some(({ method }) => method === 'GET');
		const execution = await n8n.execution(id);
		return hasLooked && execution.status === 'waiting' && new Date(execution.waitTill ?? 0) > new Date() ? execution : undefined;
	});
}

const subWorkflowTrigger = node('When Called', 'n8n-nodes-base.executeWorkflowTrigger', { inputSource: 'passthrough' }, {
	typeVersion: 1.1,
});

describe('without a callback, the node wakes and finds the answer', () => {
	test('in one run of the node, whose execution is listed once, after as many looks as it takes', async () => {
		const parked = await park('looks', [questions(2), askAndWait(), after]);
		wakeNow(n8n, parked.id);
		const again = await parkedAgain(parked);
		expect(again.runs.Ask).toMatchObject([{ status: 'waiting', outputs: [[]] }]);
		await completeUnheard();
		wakeNow(n8n, parked.id);

		const over = await n8n.waitForExecution(parked.id);
		expect(answersOf(over)).toEqual(['Answer to Question 0', 'Answer to Question 1']);
		expect(itemsOf(over, 'Ask').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(over.runs.Ask).toHaveLength(1);
		expect(await n8n.executions(over.workflowId)).toHaveLength(1);
		expect(sandbox.questions).toHaveLength(2);
	});

	test('of a question asked by hand in the editor', async () => {
		const start = node('Start', 'n8n-nodes-base.manualTrigger', {});
		const workflow = await n8n.createWorkflow(chain('By hand', [start, questions(1), askAndWait(shortly), after]));
		const id = await n8n.run(workflow, { trigger: 'Start' });
		await n8n.waitForExecution(id, ['waiting']);
		await completeUnheard();
		expect(answersOf(await n8n.waitForExecution(id))).toEqual(['Answer to Question 0']);
	});

	test('of each of three rounds of a loop, together with callbacks', async () => {
		const loop = node('Loop', 'n8n-nodes-base.splitInBatches', {}, { typeVersion: 3 });
		const ask = askAndWait(shortly);
		const rounds = chain('rounds', [webhook('rounds'), questions(3), loop]);
		const workflow = await n8n.publish({
			...rounds,
			nodes: [...rounds.nodes, ask, after],
			connections: {
				...rounds.connections,
				Loop: { main: [[{ node: 'After', type: 'main', index: 0 }], [{ node: 'Ask', type: 'main', index: 0 }]] },
				Ask: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
			},
		});
		await n8n.callWebhook('rounds');
		const { id } = await n8n.waitForNextExecution(workflow.id, [], ['waiting']);
		for (const round of [0, 1, 2]) {
			const asked = await until(`question ${round}`, () => Promise.resolve(sandbox.questions[round]));
			await n8n.waitForExecution(id, ['waiting']);
			sandbox.callbackFaults.drop = round !== 1;
			await sandbox.complete(asked.id);
		}
		const over = await n8n.waitForExecution(id, undefined, { timeout: 60_000 });
		expect(answersOf(over)).toEqual(['Answer to Question 0', 'Answer to Question 1', 'Answer to Question 2']);
		expect(over.runs.Ask).toHaveLength(3);
		expect(sandbox.questions).toHaveLength(3);
	});

	test('of a sub-workflow, whose caller waits through all looks', async () => {
		const called = await n8n.publish(chain('Looks below', [subWorkflowTrigger, questions(1), askAndWait()]));
		const call = node('Call', 'n8n-nodes-base.executeWorkflow', {
			source: 'database',
			workflowId: { __rl: true, mode: 'id', value: called.id },
			options: { waitForSubWorkflow: true },
		}, { typeVersion: 1.2 });
		const calling = await n8n.publish(chain('caller-of-looks', [webhook('caller-of-looks'), call, after]));
		await n8n.callWebhook('caller-of-looks');
		// In n8n 1, sub-workflows do not pause: the node looks while it runs.
		const state = isN8n1(n8n.version) ? 'running' : 'waiting';
		const below = await n8n.waitForNextExecution(called.id, [], [state]);
		const caller = await n8n.waitForNextExecution(calling.id, [], [state]);
		if (state === 'waiting') {
			wakeNow(n8n, below.id);
			await parkedAgain(below);
			expect((await n8n.execution(caller.id)).status).toBe('waiting');
		}

		await until('the question', () => Promise.resolve(sandbox.questions[0]));
		await completeUnheard();
		if (state === 'waiting') wakeNow(n8n, below.id);
		expect(answersOf(await n8n.waitForExecution(caller.id))).toEqual(['Answer to Question 0']);
		expect(sandbox.questions).toHaveLength(1);
	});
});

describe('a workflow whose time-out is shorter than Max Wait', () => {
	const timeout = { executionTimeout: 20 };

	test('looks for the last time before n8n would cancel it', async () => {
		const parked = await park('timeout-look', [questions(1), askAndWait(), after], timeout);
		await completeUnheard();
		const over = await n8n.waitForExecution(parked.id);
		expect(over.status).toBe('success');
		expect(answersOf(over)).toEqual(['Answer to Question 0']);
	});

	test('then waits for the callback alone, and says so', async () => {
		const parked = await park('timeout-callback', [questions(1), askAndWait(), after], timeout);
		const again = await parkedAgain(parked);
		// The last look comes ten seconds before the time-out.
		const timedOut = Date.parse(parked.waitTill ?? '') + 11_000;
		await until('the time-out to pass', () => Promise.resolve(Date.now() > timedOut ? true : undefined));
		expect(Date.parse(again.waitTill ?? '') - Date.now()).toBeGreaterThan(20 * 60_000);
		await completeAll();
		const over = await n8n.waitForExecution(parked.id);
		expect(over.status).toBe('success');
		expect(answersOf(over)).toEqual(['Answer to Question 0']);
		expect(hintsOf(over)).toContain('execution timeout');
	});
});

describe('the credential is changed while an execution is parked', () => {
	test('another address of the same service: the answer comes out', async () => {
		const parked = await park('same-service', [questions(1), askAndWait(shortly), after]);
		await n8n.updateCredential(credential, {
			...keyOf(sandbox),
			baseUrl: `${sandbox.baseUrl.replace('127.0.0.1', 'localhost')}/`,
		});
		await completeUnheard();
		expect(answersOf(await n8n.waitForExecution(parked.id))).toEqual(['Answer to Question 0']);
	});

	test('an address that is none: the node fails in words, nothing behind it runs, and a retry brings the answer', async () => {
		const parked = await park('no-address', [questions(1), askAndWait(), after]);
		await n8n.updateCredential(credential, { ...keyOf(sandbox), baseUrl: 'nowhere' });
		await completeAll();
		const failed = await n8n.waitForExecution(parked.id);
		expect(failed).toMatchObject({
			status: 'error',
			failure: { message: expect.stringContaining('"Base URL" in the credential is not a web address') as string },
		});
		expect(failed.runs.After).toBeUndefined();

		await n8n.updateCredential(credential, keyOf(sandbox));
		const known = await n8n.executions(failed.workflowId);
		await n8n.session.post(`/executions/${failed.id}/retry`);
		const retried = await n8n.waitForNextExecution(failed.workflowId, known);
		expect(answersOf(retried)).toEqual(['Answer to Question 0']);
		expect(sandbox.questions).toHaveLength(1);
	});

	test('another webhook secret: the callback makes the node look, and the hint and the log say what to check', async () => {
		const parked = await park('other-secret', [questions(1), askAndWait(), after]);
		await n8n.updateCredential(credential, { ...keyOf(sandbox), webhookSecret: 'another' });
		await completeAll();
		const over = await n8n.waitForExecution(parked.id);
		expect(answersOf(over)).toEqual(['Answer to Question 0']);
		expect(hintsOf(over)).toContain('Check the Webhook Secret');
		expect(sandbox.callbacks[0]?.status).toBe(401);
		expect(n8n.log).toContain('Ask rejected a callback');
	});
});

test('an item that was waited for in vain comes out as it is, and the question goes on at the service', async () => {
	const parked = await park('in-vain', [questions(1), askAndWait(shortly), after]);
	const over = await n8n.waitForExecution(parked.id);
	const [item] = itemsOf(over, 'After');
	expect(item?.json).toMatchObject({ status: 'in_progress', answer: null, timed_out: true });
	expect(asText(item?.json.id, 'The id of the question')).toBe(sandbox.questions[0]?.id);
});

describe('an execution that was parked by an earlier version', () => {
	test('comes out with its answers once it is called back', async () => {
		const parked = await park('earlier', [questions(2), askAndWait(), after]);
		parkAsBefore(n8n, parked.id);
		await completeAll();
		const over = await n8n.waitForExecution(parked.id);
		expect(answersOf(over)).toEqual(['Answer to Question 0', 'Answer to Question 1']);
		expect(itemsOf(over, 'After').map(({ json }) => json.timed_out)).toEqual([undefined, undefined]);
		expect(sandbox.questions).toHaveLength(2);
	});

	test('comes out with its questions if nothing is heard of them', async () => {
		const parked = await park('earlier-in-vain', [questions(2), askAndWait(), after]);
		parkAsBefore(n8n, parked.id);
		wakeNow(n8n, parked.id);
		const over = await n8n.waitForExecution(parked.id);
		const idOf = new Map(sandbox.questions.map(({ id, text }) => [text, id]));
		expect(itemsOf(over, 'After').map(({ json }) => [json.id, json.timed_out])).toEqual([
			[idOf.get('Question 0'), true],
			[idOf.get('Question 1'), true],
		]);
	});
});
