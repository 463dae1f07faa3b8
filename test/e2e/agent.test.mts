import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/LegalAi/resources/index.ts';
import type { Execution } from '../../harness/executions.mts';
import type { N8nClient } from '../../harness/n8nClient.mts';
import { webhook } from '../../harness/workflows.mts';
import { until } from '../../harness/polling.mts';
import { answersWhenTold } from '../scenarios/stage.mts';
import { agentWorkflow, counsel, saidIn, toolName, wants } from '../support/n8n/agents.mts';
import { type Stage, test } from '../support/n8n/fixtures.mts';
import { begin } from '../support/n8n/parkedQuestions.mts';
import { someText } from '../support/matchers.mts';

test.override({ serviceOptions: { answer: answersWhenTold } });

const both = ['May we sign the NDA?', 'Who bears the costs?'];

/** Starts an agent whose model wants these questions asked, and waits until its execution is parked or over. */
async function consult(
	{ n8n, model, credential }: Pick<Stage, 'n8n' | 'model' | 'credential'>,
	path: string,
	questions: string[],
	options: INodeParameters = {},
) {
	wants(model, questions);
	return await begin(
		n8n,
		path,
		await agentWorkflow(n8n, model, webhook(path), counsel(credential, { options })),
	);
}

async function said(n8n: N8nClient, { id }: Execution) {
	return saidIn(await n8n.waitForExecution(id, undefined, { timeout: 60_000 }));
}

test('an agent asks two questions: the tool pauses its execution, and callbacks bring the model both answers', async ({
	n8n,
	service,
	credential,
	model,
}) => {
	const parked = await consult({ n8n, model, credential }, 'agent-called-back', both);
	expect(parked.status).toBe('waiting');
	for (const index of both.keys()) {
		const asked = await until(`question ${index} to be asked`, () => service.questions[index]);
		await n8n.waitForExecution(parked.id, ['waiting']);
		await service.complete(asked.id);
	}
	const words = await said(n8n, parked);
	for (const question of both) expect(words).toContain(`Answer to ${question}`);
	expect(service.questions.map(({ text }) => text).toSorted()).toEqual(both);

	const [first, ...later] = model.requests;
	expect(first?.tools).toMatchObject([
		{
			name: toolName,
			description: resources.question.operations.askAndWait.toolDescription,
			parameters: { properties: { Question: { type: 'string' } }, required: ['Question'] },
		},
	]);
	const result: unknown = JSON.parse(later.at(-1)?.toolResults[0] ?? '');
	expect(result).toMatchObject([
		{
			id: someText,
			session_id: someText,
			status: 'completed',
		},
	]);
});

test("an agent's model learns that a question was not answered within Max Wait, and its ID", async ({
	n8n,
	service,
	credential,
	model,
}) => {
	const words = await said(
		n8n,
		await consult({ n8n, model, credential }, 'agent-in-vain', both.slice(0, 1), { maxWait: 0.05 }),
	);
	expect(words).toContain('"timed_out":true');
	expect(words).toContain(service.questions[0]?.id);
});

test('who waits for the response of an agent learns that the question is in progress as the tool pauses the execution', async ({
	n8n,
	service,
	credential,
	model,
}) => {
	wants(model, both.slice(0, 1));
	const responding = webhook('agent-last', { responseMode: 'lastNode' });
	const { id } = await n8n.publish(
		await agentWorkflow(n8n, model, responding, counsel(credential)),
	);
	const response = await n8n.callWebhook('agent-last');
	const [asked] = service.questions;
	expect([response.status, await response.json()]).toMatchObject([
		200,
		{ id: asked?.id, status: 'in_progress' },
	]);
	await service.complete(asked?.id ?? '');
	expect(saidIn(await n8n.waitForNextExecution(id, []))).toContain(`Answer to ${asked?.text}`);
});

test("an agent's model learns why a question can't be asked", async ({
	n8n,
	service,
	credential,
	model,
}) => {
	expect(await said(n8n, await consult({ n8n, model, credential }, 'agent-empty', ['']))).toContain(
		'Question\\" is empty',
	);
	expect(service.questions).toHaveLength(0);
});
