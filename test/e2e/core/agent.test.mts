import type { INode } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

import { resources } from '../../../nodes/LegalAi/resources/index.ts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { agentWorkflow, newestAgent, toolName } from '../agents.mts';
import { credentialType } from '../../support/n8n/examples.mts';
import { itemsOf } from '../../support/n8n/executions.mts';
import { startLanguageModel, type LanguageModel } from '../languageModel.mts';
import type { N8nClient, StoredCredential, WorkflowDefinition } from '../../support/n8n/n8nClient.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';
import { asText } from '../../support/unknownJson.mts';
import { isN8n1 } from '../../support/n8n/versions.mts';
import { node } from '../../support/n8n/workflows.mts';

let n8n: N8nClient;
let sandbox: Sandbox;
let model: LanguageModel;
let legalAiKey: StoredCredential;
let modelKey: StoredCredential;
beforeAll(async () => {
	n8n = connectToSharedN8n(inject('n8n'));
	sandbox = await startSandbox({ answerTime: [3_000, 3_000] });
	model = await startLanguageModel();
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	legalAiKey = await n8n.createCredential(credentialType, 'Agent', { baseUrl, apiKey, webhookSecret });
	modelKey = await n8n.createCredential('openAiApi', 'Model', { apiKey: 'none', url: model.baseUrl });
});
beforeEach(async () => {
	model.reset();
	await sandbox.reset();
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to: ${text}` });
});
afterAll(async () => {
	await model.close();
	await sandbox.close();
});

function agentOf(version: number, toolSettings: Partial<INode> = {}): WorkflowDefinition {
	const start = node('Start', 'n8n-nodes-base.manualTrigger', {});
	return agentWorkflow(start, version, { model: modelKey, legalAi: legalAiKey }, {}, toolSettings);
}

const triedTwice: Partial<INode> = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };

/** Lets an agent put questions to the tool, one after the other, and returns what it makes of the results. */
async function consult(workflow: WorkflowDefinition, questions: readonly string[]): Promise<string> {
	model.reply = ({ toolResults }) => {
		const question = questions[toolResults.length];
		return question === undefined
			? `Counsel says: ${toolResults.join(' / ')}`
			: { tool: toolName, arguments: { Question: question } };
	};
	const stored = await n8n.createWorkflow(workflow);
	const execution = await n8n.waitForExecution(await n8n.run(stored));
	if (execution.failure !== undefined) throw new Error(execution.failure.message);
	return asText(itemsOf(execution, 'AI Agent')[0]?.json.output, 'What the agent says');
}

// The versions differ in who runs the tool: the agent itself, within its own node, or since 3 the engine.
describe.each([2.2, newestAgent])("as a tool of the AI Agent's version %d", (agentVersion) => {
	test('it is described so that a model can tell what it is for', async () => {
		await consult(agentOf(agentVersion), []);
		expect(model.requests).toMatchObject([
			{
				tools: [
					{
						name: toolName,
						description: resources.question.operations.askAndWait.toolDescription,
						parameters: { properties: { Question: { type: 'string' } }, required: ['Question'] },
					},
				],
			},
		]);
	});

	test('it waits for the answer, and the model is given it with the ids to go on with', async () => {
		const said = await consult(agentOf(agentVersion), ['May we sign the NDA?']);
		expect(said).toContain('Answer to: May we sign the NDA?');
		const [asked] = sandbox.questions;
		expect(asked).toMatchObject({ syncMode: false, assistantId: 'default' });
		expect(asked?.callbackUrl === undefined).toBe(agentVersion < 3);
		const result: unknown = JSON.parse(model.requests[1]?.toolResults[0] ?? '');
		expect(result).toMatchObject([{ id: asked?.id, session_id: asked?.sessionId, status: 'completed' }]);
	});

	test('each call asks its own question', async () => {
		const asks = ['May we sign the NDA?', 'Who bears the costs?'];
		const said = await consult(agentOf(agentVersion), asks);
		expect(sandbox.questions.map(({ text }) => text).toSorted()).toEqual(asks);
		for (const ask of asks) expect(said).toContain(`Answer to: ${ask}`);
	});

	test('a call that n8n tries again does not ask again what may have been accepted', async () => {
		const fault = sandbox.faults.add({ kind: 'reset', when: 'handled', match: ({ method }) => method === 'POST' });
		const said = consult(agentOf(agentVersion, triedTwice), ['May we sign the NDA?']);
		// The third version of the agent fails with its tool in n8n 1.
		if (isN8n1(n8n.version) && agentVersion >= 3) await expect(said).rejects.toThrow();
		else expect(await said).toContain('Counsel says');
		expect(fault.fired).toBe(1);
		expect(sandbox.questions).toHaveLength(1);
	});
});

// Since version 3 of the agent a call is parked, and no look fails it.
test('a call that n8n tries again after a look was refused does not ask again', async () => {
	const fault = sandbox.faults.add({ kind: 'status', status: 403, match: 'GET /assistants/:assistant_id/questions/:question_id' });
	expect(await consult(agentOf(2.2, triedTwice), ['May we sign the NDA?'])).toContain('Answer to: May we sign the NDA?');
	expect(fault.fired).toBe(1);
	expect(sandbox.questions).toHaveLength(1);
});

test('what keeps a question from being asked is told to the model; in n8n 1, the execution fails of it', async () => {
	const said = consult(agentOf(newestAgent), ['']);
	if (isN8n1(n8n.version)) await expect(said).rejects.toThrow('"Question" is empty');
	else expect(await said).toContain('Question\\" is empty');
	expect(sandbox.questions).toHaveLength(0);
});
