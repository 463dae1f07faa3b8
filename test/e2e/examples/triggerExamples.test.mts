import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';

import { callbackResponses } from '../../../nodes/LegalAi/messages/callbackMessages.ts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { completed, deliver, triggerUrl } from '../../support/n8n/callbacks.mts';
import { credentialType, readExample, withTexts } from '../../support/n8n/examples.mts';
import { type ExecutionSummary, itemsOf } from '../../support/n8n/executions.mts';
import { submitForm } from '../../support/n8n/form.mts';
import type { N8nClient, StoredCredential, StoredWorkflow, WorkflowDefinition } from '../../support/n8n/n8nClient.mts';
import { until } from '../../support/polling.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';

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
	active = await n8n.publish(workflow);
	return active;
}

async function askByForm(workflow: StoredWorkflow, question: string): Promise<void> {
	const answers = { 'Your Email': 'sales@hawthorn.example', Question: question };
	expect(await submitForm(n8n.baseUrl, workflow, answers)).toMatchObject({ status: 200 });
}

/** The executions that no schedule has started: while a test runs, a published schedule may come due. */
function unscheduled(executions: readonly ExecutionSummary[]): readonly ExecutionSummary[] {
	return executions.filter(({ mode }) => mode !== 'trigger');
}

/** What a node put out in all of a workflow's executions, oldest first; waits for `count` of them, besides scheduled ones. */
async function outputOf(workflow: StoredWorkflow, node: string, count: number): Promise<unknown[]> {
	const executions = await until(`${count} executions`, async () => {
		const found = await n8n.executions(workflow.id);
		return unscheduled(found).length >= count ? found : undefined;
	});
	expect(unscheduled(executions)).toHaveLength(count);
	const ended = await Promise.all(executions.map(async ({ id }) => await n8n.waitForExecution(id)));
	expect(ended.map(({ failure }) => failure?.message)).toEqual(ended.map(() => undefined));
	return ended.reverse().flatMap((execution) => itemsOf(execution, node).map(({ json }) => json));
}

test('trigger.json: what is asked through the form is answered to whoever asked', async () => {
	const workflow = await activated(await readExample('trigger.json', credential));
	await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Set Up Once' }));
	const asked = ['May we sign this?', 'Marry me? [filtered]', 'Too hard. [error]'];
	for (const question of asked) await askByForm(workflow, question);

	const executions = 1 + 2 * asked.length;
	const to = 'sales@hawthorn.example';
	for (const nth of [0, 1, 2]) await sandbox.waitForCallback(() => sandbox.callbacks.length > nth);
	const answer = sandbox.questions.find(({ text }) => text === asked[0])?.answer;
	expect(await outputOf(workflow, 'Write Answer', executions)).toEqual([
		{ to, subject: expect.stringContaining('Re: ') as unknown, text: expect.stringContaining(String(answer)) as unknown },
	]);
	expect(await outputOf(workflow, 'Write Reason for Declining', executions)).toMatchObject([
		{ to, text: expect.stringContaining('It is out of scope.') as unknown },
	]);
	expect(await outputOf(workflow, 'Write Note About Delay', executions)).toMatchObject([{ to }]);
	expect(sandbox.callbacks.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test.each([
	['as it is', '"skipDuplicates":true', 1],
	['with a trigger that lets every delivery through', '"skipDuplicates":false', 5],
])('trigger-deduplicate.json, %s: an answer that is delivered five times is handled once', async (_how, option, started) => {
	const example = await readExample('trigger-deduplicate.json', credential);
	const options = { options: JSON.parse(`{${option}}`) as { skipDuplicates: boolean } };
	const nodes = example.nodes.map((node) => (node.type.endsWith('legalAiTrigger') ? { ...node, parameters: options } : node));
	const workflow = await activated({ ...example, nodes });
	await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Set Up Once' }));
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: Infinity });
	await askByForm(workflow, 'May we sign this?');
	await outputOf(workflow, 'Add to Table', 2);

	const payload = completed({ id: sandbox.questions[0]?.id });
	const delivery = async () => await deliver(triggerUrl(n8n, workflow), secret, payload);
	const replies = [await delivery(), ...(await Promise.all([delivery(), delivery(), delivery(), delivery()]))];
	expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
	expect(await outputOf(workflow, 'Write Answer', 2 + started)).toMatchObject([{ to: 'sales@hawthorn.example' }]);
});

test('trigger-deduplicate.json: what could not be answered becomes one task for a lawyer', async () => {
	const workflow = await activated(await readExample('trigger-deduplicate.json', credential));
	await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Set Up Once' }));
	sandbox.callbackFaults.duplicate = () => true;
	const question = 'Marry me? [filtered]';
	await askByForm(workflow, question);
	await sandbox.waitForCallback(() => sandbox.callbacks.length === 2);
	expect(sandbox.callbacks.map(({ status, responseBody }) => [status, responseBody])).toEqual(
		expect.arrayContaining([
			[200, JSON.stringify({ message: callbackResponses.accepted })],
			[200, JSON.stringify({ message: callbackResponses.acceptedDuplicate })],
		]),
	);
	expect(await outputOf(workflow, 'Add to Table', 3)).toMatchObject([{ question, status: 'open' }]);
	expect(await outputOf(workflow, 'Claim Answer', 3)).toMatchObject([{ question, status: 'filtered' }]);
	expect(await outputOf(workflow, 'Create Task for a Lawyer', 3)).toMatchObject([
		{ title: `Answer sales@hawthorn.example: ${question}` },
	]);
});

test('recovery.json: each answer is handled once, whichever way it comes, and one whose callback was dropped too', async () => {
	const workflow = await activated(withTexts(await readExample('recovery.json', credential), { 'minutes: 10': 'minutes: 0' }));
	const lookUp = async (): Promise<void> => {
		await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Every Five Minutes' }));
	};
	await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Set Up Once' }));

	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: Infinity });
	const marks = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const;
	for (const [index, mark] of marks.entries()) {
		await askByForm(workflow, `Question ${mark}`);
		await outputOf(workflow, 'Add to Table', index + 2);
	}
	const idOf = (mark: string): string => sandbox.questions.find(({ text }) => text.includes(mark))?.id ?? '';
	const [delivered, dropped, doubled] = marks.map(idOf);

	sandbox.callbackFaults.drop = ({ questionId }) => questionId === dropped;
	sandbox.callbackFaults.duplicate = ({ questionId }) => questionId === doubled;
	for (const id of [delivered, dropped, doubled]) await sandbox.complete(id ?? '');
	await outputOf(workflow, 'Write Answer', 7);

	await lookUp();
	const late = await deliver(triggerUrl(n8n, workflow), 'wrong secret', completed({ id: idOf(marks[3]) }));
	expect(late.status).toBe(401);
	await lookUp();

	const claimed = await outputOf(workflow, 'Claim Answer', 9);
	expect(claimed.map((row) => (row as { question: string }).question).sort()).toEqual(
		marks.slice(0, 3).map((mark) => `Question ${mark}`).sort(),
	);
	const replies = await outputOf(workflow, 'Write Answer', 9);
	expect(replies).toMatchObject(claimed.map(() => ({ to: 'sales@hawthorn.example', text: expect.stringContaining('Yes.') as unknown })));
});
