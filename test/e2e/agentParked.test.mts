import type { INodeParameters } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { agentWorkflow, newestAgent, toolName } from './agents.mts';
import { credentialType } from '../support/n8n/examples.mts';
import { itemsOf, type Execution } from '../support/n8n/executions.mts';
import { startLanguageModel, type LanguageModel } from './languageModel.mts';
import { startN8n, type N8n } from '../support/n8n/n8n.mts';
import type { StoredCredential } from '../support/n8n/n8nClient.mts';
import { until } from '../support/polling.mts';
import { asText } from '../support/unknownJson.mts';
import { wakeNow } from './storedExecutions.mts';
import { wakingEveryTwoSeconds } from './wakingSoon.mts';
import { webhook } from '../support/n8n/workflows.mts';

let n8n: N8n;
let model: LanguageModel;
let modelKey: StoredCredential;
let sandbox: Sandbox;
let legalAiKey: StoredCredential;
beforeAll(async () => {
	n8n = await startN8n({ environment: wakingEveryTwoSeconds });
	model = await startLanguageModel();
	modelKey = await n8n.createCredential('openAiApi', 'Model', { apiKey: 'none', url: model.baseUrl });
});
beforeEach(async () => {
	model.reset();
	sandbox = await startSandbox();
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	legalAiKey = await n8n.createCredential(credentialType, 'Agent', { baseUrl, apiKey, webhookSecret });
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to: ${text}`, after: Infinity });
});
afterEach(async () => {
	await sandbox.close();
});
afterAll(async () => {
	await n8n.close();
	await model.close();
});

const asking = (question: string) => ({ tool: toolName, arguments: { Question: question } });

/** Starts an agent, whose model wants these questions asked at once, and waits until its execution is parked. */
async function consult(path: string, questions: readonly string[], options: INodeParameters = {}): Promise<Execution> {
	model.reply = ({ toolResults }) =>
		toolResults.length === 0 ? questions.map(asking) : `Counsel says: ${toolResults.join(' / ')}`;
	const keys = { model: modelKey, legalAi: legalAiKey };
	const workflow = await n8n.publish(agentWorkflow(webhook(path), newestAgent, keys, { options }));
	await n8n.callWebhook(path);
	const execution = await n8n.waitForNextExecution(workflow.id, [], ['waiting', 'error', 'success']);
	expect(execution).toMatchObject({ status: 'waiting', failure: undefined });
	return execution;
}

async function said({ id }: Execution): Promise<string> {
	const over = await n8n.waitForExecution(id, undefined, { timeout: 60_000 });
	expect(over).toMatchObject({ status: 'success', failure: undefined });
	return asText(itemsOf(over, 'AI Agent')[0]?.json.output, 'What the agent says');
}

/** Waits until a question was asked and its execution is parked, then lets the service answer it. */
async function answerOnceParked({ id }: Execution, index: number): Promise<void> {
	const asked = await until(`question ${index} to be asked`, () => Promise.resolve(sandbox.questions[index]));
	await n8n.waitForExecution(id, ['waiting']);
	await sandbox.complete(asked.id);
}

const both = ['May we sign the NDA?', 'Who bears the costs?'];

test('two tool calls in parallel: both are asked once, and the model is given both answers', async () => {
	const parked = await consult('parallel', both);
	await answerOnceParked(parked, 0);
	await answerOnceParked(parked, 1);
	const words = await said(parked);
	for (const question of both) expect(words).toContain(`Answer to: ${question}`);
	expect(sandbox.questions.map(({ text }) => text).toSorted()).toEqual(both);
});

test('two tool calls in parallel whose callbacks are dropped: the node wakes and finds both answers', async () => {
	sandbox.callbackFaults.drop = true;
	const parked = await consult('parallel-unheard', both);
	for (const index of both.keys()) {
		await answerOnceParked(parked, index);
		wakeNow(n8n, parked.id);
	}
	const words = await said(parked);
	for (const question of both) expect(words).toContain(`Answer to: ${question}`);
	expect(sandbox.questions.map(({ text }) => text).toSorted()).toEqual(both);
});

// n8n's recovery takes an agent that waits for its tool for one that crashed, and from then on turns callbacks away.
test('n8n killed while a tool call is parked: the answer reaches the model with the next look', async () => {
	const parked = await consult('killed', both.slice(0, 1));
	await n8n.kill('SIGKILL');
	await n8n.restart();
	await answerOnceParked(parked, 0);
	wakeNow(n8n, parked.id);
	expect(await said(parked)).toContain(`Answer to: ${both[0] ?? ''}`);
	expect(sandbox.questions).toHaveLength(1);
});

test('a question that is not answered within Max Wait: the model is told so, with the ID to ask again for', async () => {
	const parked = await consult('in-vain', both.slice(0, 1), { maxWait: 0.2 });
	const words = await said(parked);
	expect(words).toContain('"timed_out":true');
	expect(words).toContain(sandbox.questions[0]?.id);
});
