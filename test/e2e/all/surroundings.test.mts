import type { INode } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { credentialType } from '../../support/n8n/examples.mts';
import { itemsOf, type Execution } from '../../support/n8n/executions.mts';
import type { StoredCredential } from '../../support/n8n/n8nClient.mts';
import { until } from '../../support/polling.mts';
import { chain, legalAi, node, questions, webhook } from '../../support/n8n/workflows.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';
import { wakeNow } from '../storedExecutions.mts';

// What n8n does around a waiting node, and what people change while it waits.

const n8n = connectToSharedN8n(inject('n8n'));
let sandbox: Sandbox;
let credential: StoredCredential;
beforeEach(async () => {
	sandbox = await startSandbox();
	credential = await n8n.createCredential(credentialType, 'Surroundings', keyOf(sandbox));
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to ${text}`, after: Infinity });
});
afterEach(async () => {
	await sandbox.close();
});

const keyOf = ({ baseUrl, apiKey, webhookSecret }: Sandbox) => ({ baseUrl, apiKey, webhookSecret });

const askAndWait = (parameters: object = {}, more: Partial<INode> = {}) =>
	legalAi('Ask', credential, { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}', ...parameters }, more);

const after = node('After', 'n8n-nodes-base.noOp', {});

async function start(path: string, nodes: Parameters<typeof chain>[1], settings = {}): Promise<Execution> {
	const workflow = await n8n.publish(chain(path, [webhook(path), ...nodes], settings));
	await n8n.callWebhook(path);
	return await n8n.waitForNextExecution(workflow.id, [], ['waiting', 'error', 'success']);
}

async function completeAll(): Promise<void> {
	for (const { id, status } of sandbox.questions) if (status === 'in_progress') await sandbox.complete(id);
}

const timedOut = { status: 'in_progress', answer: null, timed_out: true };
const failed = { error: '"Base URL" in the credential is not a web address' };
const hintsOf = (execution: Execution): string => JSON.stringify(execution.runs.Ask?.at(-1)?.hints);

describe.each([
	['stopWorkflow', { status: 'error', outputs: [] }],
	['continueRegularOutput', { status: 'success', outputs: [[failed, failed]] }],
	['continueErrorOutput', { status: 'success', outputs: [[], [failed, failed]] }],
] as const)('with On Error "%s"', (onError, broken) => {
	/** The JSON of the items at each output. */
	const outOf = (execution: Execution): unknown[] =>
		(execution.runs.Ask?.at(-1)?.outputs ?? []).map((items) => items.map(({ json }) => json));

	test('a Base URL that is broken from the start fails every item', async () => {
		await n8n.updateCredential(credential, { ...keyOf(sandbox), baseUrl: 'nowhere' });
		const over = await start(`broken-${onError}`, [questions(2), askAndWait({}, { onError }), after]);
		expect({ status: over.status, outputs: outOf(over) }).toMatchObject(broken);
	});

	test('a credential that is deleted while the execution is parked leaves the questions unanswered, with a hint', async () => {
		const parked = await start(`deleted-${onError}`, [questions(2), askAndWait({ options: { maxWait: 0.3 } }, { onError }), after]);
		await n8n.session.delete(`/credentials/${credential.id}`);
		await completeAll();
		expect(sandbox.callbacks.map(({ status }) => status)).toEqual([503, 503]);
		const over = await n8n.waitForExecution(parked.id, undefined, { timeout: 90_000 });
		expect(outOf(over)[0]).toMatchObject([timedOut, timedOut]);
		for (const { id } of sandbox.questions) expect(JSON.stringify(outOf(over)[0])).toContain(id);
		expect(hintsOf(over)).toContain("its credential can't be used");
	});

	test('a Base URL that is broken while the execution is parked is "not yet", and callbacks bring the answers', async () => {
		const parked = await start(`edited-${onError}`, [questions(2), askAndWait({}, { onError }), after]);
		await n8n.updateCredential(credential, { ...keyOf(sandbox), baseUrl: 'nowhere' });
		wakeNow(inject('n8n'), parked.id);
		const again = await until('the execution to park again', async () => {
			const execution = await n8n.execution(parked.id);
			return execution.status === 'waiting' && new Date(execution.waitTill ?? 0) > new Date() ? execution : undefined;
		});
		expect(hintsOf(again)).toContain('\\"Base URL\\" in the credential is not a web address. It tries again');
		await completeAll();
		const over = await n8n.waitForExecution(parked.id);
		expect(outOf(over)[0]).toMatchObject([{ answer: 'Answer to Question 0' }, { answer: 'Answer to Question 1' }]);
	});
});

test('an error workflow is told of a node that fails after it has waited', async () => {
	const handler = await n8n.publish(chain('Handler', [node('On Error', 'n8n-nodes-base.errorTrigger', {}), node('Told', 'n8n-nodes-base.noOp', {})]));
	const parked = await start('error-workflow', [questions(1), askAndWait({ options: { onErrorStatus: 'fail' } }), after], { errorWorkflow: handler.id });
	await sandbox.complete(sandbox.questions[0]?.id ?? '', { status: 'error', answer: 'No model is available' });
	expect((await n8n.waitForExecution(parked.id)).status).toBe('error');
	const error = { message: expect.stringContaining('No model is available') as unknown };
	const told = await n8n.waitForNextExecution(handler.id, []);
	expect(itemsOf(told, 'Told')).toMatchObject([{ json: { execution: { id: parked.id, lastNodeExecuted: 'Ask', error } } }]);
});

test('"Execute step" on the next node waits for the answer, and runs no further', async () => {
	const [byHand, last] = [node('Start', 'n8n-nodes-base.manualTrigger', {}), node('Last', 'n8n-nodes-base.noOp', {})];
	const workflow = await n8n.createWorkflow(chain('Step', [byHand, questions(1), askAndWait(), after, last]));
	const id = await n8n.run(workflow, { lastNode: 'After' });
	await n8n.waitForExecution(id, ['waiting']);
	wakeNow(inject('n8n'), id);
	await sandbox.waitForRequest(({ method }) => method === 'GET');
	await n8n.waitForExecution(id, ['waiting']);
	await completeAll();
	const over = await n8n.waitForExecution(id);
	expect(itemsOf(over, 'After')).toMatchObject([{ json: { answer: 'Answer to Question 0' } }]);
	expect(over.runs.Last).toBeUndefined();
});
