import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeEach, expect, inject, test } from 'vitest';

import { resources } from '../../nodes/LegalAi/resources/index.ts';
import type { Execution } from '../../harness/executions.mts';
import { webhook } from '../../harness/workflows.mts';
import { until } from '../../harness/polling.mts';
import { AgentStage, saidIn, toolName } from './agents.mts';
import { connectToSharedN8n } from './sharedN8n.mts';
import { wakeNow } from './storedExecutions.mts';

const n8n = connectToSharedN8n(inject('n8n'));
const stage = await AgentStage.open(n8n);
const { model, sandbox } = stage;
beforeEach(async () => {
	await stage.reset();
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to: ${text}`, after: Infinity });
});
afterAll(() => stage.close());

const both = ['May we sign the NDA?', 'Who bears the costs?'];

/** Starts an agent whose model wants these questions asked, and waits until its execution is parked or over. */
async function consult(path: string, questions: readonly string[], options: INodeParameters = {}): Promise<Execution> {
	stage.asks(questions);
	const workflow = await n8n.publish(stage.workflow(webhook(path), { parameters: { options } }));
	await n8n.callWebhook(path);
	return await n8n.waitForNextExecution(workflow.id, [], ['waiting', 'error', 'success']);
}

async function said({ id }: Execution): Promise<string> {
	return saidIn(await n8n.waitForExecution(id, undefined, { timeout: 60_000 }));
}

/** Waits until a question was asked and its execution is parked, then lets the service answer it. */
async function answerOnceParked({ id }: Execution, index: number): Promise<void> {
	const asked = await until(`question ${index} to be asked`, () => Promise.resolve(sandbox.questions[index]));
	await n8n.waitForExecution(id, ['waiting']);
	await sandbox.complete(asked.id);
}

test('an agent asks two questions: the tool pauses its execution, and callbacks bring the model both answers', async () => {
	const parked = await consult('agent-called-back', both);
	expect(parked.status).toBe('waiting');
	await answerOnceParked(parked, 0);
	await answerOnceParked(parked, 1);
	const words = await said(parked);
	for (const question of both) expect(words).toContain(`Answer to: ${question}`);
	expect(sandbox.questions.map(({ text }) => text).toSorted()).toEqual(both);

	const [first, ...later] = model.requests;
	expect(first?.tools).toMatchObject([
		{
			name: toolName,
			description: resources.question.operations.askAndWait.toolDescription,
			parameters: { properties: { Question: { type: 'string' } }, required: ['Question'] },
		},
	]);
	const result: unknown = JSON.parse(later.at(-1)?.toolResults[0] ?? '');
	expect(result).toMatchObject([{ id: expect.any(String) as unknown, session_id: expect.any(String) as unknown, status: 'completed' }]);
});

test('without callbacks, the tool wakes and finds the answers', async () => {
	sandbox.callbackFaults.drop = true;
	const parked = await consult('agent-woken', both);
	for (const index of both.keys()) {
		await answerOnceParked(parked, index);
		wakeNow(inject('n8n'), parked.id);
	}
	const words = await said(parked);
	for (const question of both) expect(words).toContain(`Answer to: ${question}`);
	expect(sandbox.questions.map(({ text }) => text).toSorted()).toEqual(both);
});

test('a question that is not answered within Max Wait: the model is told so, with the ID to ask again for', async () => {
	const words = await said(await consult('agent-in-vain', both.slice(0, 1), { maxWait: 0.2 }));
	expect(words).toContain('"timed_out":true');
	expect(words).toContain(sandbox.questions[0]?.id);
});

test('what keeps a question from being asked is told to the model', async () => {
	expect(await said(await consult('agent-empty', ['']))).toContain('Question\\" is empty');
	expect(sandbox.questions).toHaveLength(0);
});
