import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { completed, deliver, triggerUrl } from './callbacks.mts';
import { credentialType, readExample } from './examples.mts';
import { itemsOf } from './executions.mts';
import { submitForm } from './form.mts';
import type { N8nClient, StoredCredential, StoredWorkflow, WorkflowDefinition } from './n8nClient.mts';
import { until } from './polling.mts';
import { connectToSharedN8n } from './sharedN8n.mts';

const secret = 'whsec-trigger-examples';

let n8n: N8nClient;
let sandbox: Sandbox;
let credential: StoredCredential;
let active: StoredWorkflow | undefined;

beforeAll(async () => {
	n8n = connectToSharedN8n(inject('n8n'));
	sandbox = await startSandbox({ answerTime: [200, 300], webhookSecret: secret });
	const { apiKey, baseUrl } = sandbox;
	credential = await n8n.createCredential(credentialType, 'Examples', { baseUrl, apiKey, webhookSecret: secret });
});
afterEach(async () => {
	if (active !== undefined) await n8n.deactivate(active);
	active = undefined;
	await sandbox.reset();
});
afterAll(async () => {
	await sandbox.close();
});

async function activated(workflow: WorkflowDefinition): Promise<StoredWorkflow> {
	const stored = await n8n.createWorkflow(workflow);
	await n8n.activate(stored);
	active = stored;
	return stored;
}

async function askByForm(workflow: StoredWorkflow, question: string): Promise<void> {
	const answers = { 'Your e-mail': 'sales@hawthorn.example', Question: question };
	expect(await submitForm(n8n.baseUrl, workflow, answers)).toMatchObject({ status: 200 });
}

/** What a node put out in all of a workflow's executions that are over, oldest first; waits for `count` executions. */
async function outputOf(workflow: StoredWorkflow, node: string, count: number): Promise<unknown[]> {
	const executions = await until(`${count} executions`, async () => {
		const found = await n8n.executions(workflow.id);
		return found.length >= count ? found : undefined;
	});
	expect(executions).toHaveLength(count);
	const ended = await Promise.all(executions.map(async ({ id }) => await n8n.waitForExecution(id)));
	expect(ended.map(({ failure }) => failure?.message)).toEqual(ended.map(() => undefined));
	return ended.reverse().flatMap((execution) => itemsOf(execution, node).map(({ json }) => json));
}

test('trigger.json: what is asked through the form comes back to the same workflow', async () => {
	const workflow = await activated(await readExample('trigger.json', credential));
	const asked = ['May we sign this?', 'Marry me? [filtered]', 'Too hard. [error]'];
	for (const question of asked) await askByForm(workflow, question);

	const executions = 2 * asked.length;
	for (const nth of [0, 1, 2]) await sandbox.waitForCallback(() => sandbox.callbacks.length > nth);
	const [completedOne, filteredOne, failedOne] = asked.map((text) => sandbox.questions.find((one) => one.text === text));
	expect(await outputOf(workflow, 'Answer', executions)).toEqual([
		{ question_id: completedOne?.id, answer: completedOne?.answer, link: expect.stringContaining('http') as unknown },
	]);
	expect(await outputOf(workflow, 'For a Lawyer', executions)).toEqual([
		{ question_id: filteredOne?.id, reason: 'It is out of scope.' },
	]);
	expect(await outputOf(workflow, 'Look into It', executions)).toMatchObject([{ question_id: failedOne?.id }]);
	expect(sandbox.callbacks.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('trigger-deduplicate.json: what the trigger lets through twice is let through once', async () => {
	const example = await readExample('trigger-deduplicate.json', credential);
	const forgetful = example.nodes.map((node) =>
		node.type.endsWith('legalAiTrigger') ? { ...node, parameters: { options: { skipDuplicates: false } } } : node,
	);
	const workflow = await activated({ ...example, nodes: forgetful });
	const [first, second] = [completed(), completed()];
	for (const [index, payload] of [first, first, second, first].entries()) {
		const known = await n8n.executions(workflow.id);
		expect(known).toHaveLength(index);
		expect(await deliver(triggerUrl(n8n, workflow), secret, payload)).toMatchObject({ status: 200 });
		await n8n.waitForNextExecution(workflow.id, known);
	}
	const answers = await outputOf(workflow, 'Answer', 4);
	expect(answers).toMatchObject([{ question_id: first.id }, { question_id: second.id }]);
});

test('recovery.json: each answer is handled once, whichever way it comes, and one whose callback was dropped too', async () => {
	const example = await readExample('recovery.json', credential);
	const impatient = JSON.stringify(example.nodes).replace('minutes: 10', 'minutes: 0');
	expect(impatient).not.toBe(JSON.stringify(example.nodes));
	const nodes = JSON.parse(impatient) as WorkflowDefinition['nodes'];
	const workflow = await activated({ ...example, nodes });
	const lookUp = async (): Promise<void> => {
		await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Every Five Minutes' }));
	};
	await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Set Up Once' }));

	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: Infinity });
	const marks = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const;
	for (const [index, mark] of marks.entries()) {
		await askByForm(workflow, `Question ${mark}`);
		await outputOf(workflow, 'Note It', index + 2);
	}
	const idOf = (mark: string): string => sandbox.questions.find(({ text }) => text.includes(mark))?.id ?? '';
	const [delivered, dropped, doubled] = marks.map(idOf);

	sandbox.callbackFaults.drop = ({ questionId }) => questionId === dropped;
	sandbox.callbackFaults.duplicate = ({ questionId }) => questionId === doubled;
	for (const id of [delivered, dropped, doubled]) await sandbox.complete(id ?? '');
	await outputOf(workflow, 'Reply', 7);

	await lookUp();
	const late = await deliver(triggerUrl(n8n, workflow), 'wrong secret', completed({ id: idOf(marks[3]) }));
	expect(late.status).toBe(401);
	await lookUp();

	const replies = await outputOf(workflow, 'Reply', 9);
	expect(replies.map((reply) => (reply as { question: string }).question).sort()).toEqual(
		marks.slice(0, 3).map((mark) => `Question ${mark}`).sort(),
	);
	expect(replies).toMatchObject(replies.map(() => ({ to: 'sales@hawthorn.example', status: 'completed' })));
});
