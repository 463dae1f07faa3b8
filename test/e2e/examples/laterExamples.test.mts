import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { completed, deliver, triggerUrl } from '../../../harness/callbacks.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { submitForm } from '../../../harness/form.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { chain, node, webhook } from '../../../harness/workflows.mts';
import { until } from '../../../harness/polling.mts';
import { Stage } from './stage.mts';

const asker = 'sales@example.com';

const stage = await Stage.ofThisFile();

/** Open questions are looked up whatever their age, so that a test need not wait. */
const atOnce = { 'minutes: 10': 'minutes: 0', '"minutesInterval":5': '"minutesInterval":59' };

/** Asks through the form; resolves once it is known who asked. */
async function ask(workflow: StoredWorkflow, Question: string, email = asker): Promise<void> {
	const known = await stage.n8n.executions(workflow.id);
	const answers = { 'Your Email': email, Question };
	expect(await submitForm(stage.n8n.baseUrl, workflow, answers)).toMatchObject({ status: 200 });
	await stage.n8n.waitForNextExecution(workflow.id, known);
}

/** What was claimed in executions that are over, once there are so many that no schedule has started. */
async function claimed(workflow: StoredWorkflow, count: number): Promise<unknown[]> {
	await until(`${count} executions`, async () => ((await stage.unscheduled(workflow)).length >= count ? true : undefined));
	const executions = await stage.n8n.executions(workflow.id);
	const ended = await Promise.all(executions.map(async ({ id }) => await stage.finished(id)));
	return ended.flatMap((execution) => itemsOf(execution, 'Claim Answer').map(({ json }) => json.question));
}

test('answer-later.json: each answer is emailed once, whether its callback comes, comes five times, or is dropped', async () => {
	const workflow = await stage.publish('answer-later.json', atOnce);
	stage.sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Yes to ${text}`, after: Infinity });
	const marks = [randomUUID(), randomUUID(), randomUUID()] as const;
	for (const mark of marks) await ask(workflow, mark);
	await ask(workflow, 'From outside', 'someone@example.com.meridian.example');
	const [delivered, dropped, doubled] = marks.map((mark) => stage.sandbox.questions.find(({ text }) => text === mark)?.id ?? '');
	expect(stage.sandbox.questions).toHaveLength(3);
	stage.sandbox.callbackFaults.drop = ({ questionId }) => questionId === dropped;
	for (const id of [delivered, dropped]) await stage.sandbox.complete(id ?? '');
	const payload = completed({ id: doubled, answer: `Yes to ${marks[2]}` });
	const deliveries = Array.from(
		{ length: 5 },
		async () => await deliver(triggerUrl(stage.n8n, workflow), stage.sandbox.webhookSecret, payload),
	);
	expect((await Promise.all(deliveries)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
	const wrong = await deliver(triggerUrl(stage.n8n, workflow), 'wrong secret', completed({ id: dropped }));
	expect(wrong.status).toBe(401);
	await stage.smtp.waitForEmail(({ text }) => text?.includes(marks[0]) === true);
	await stage.smtp.waitForEmail(({ text }) => text?.includes(marks[2]) === true);
	expect(stage.smtp.emails).toHaveLength(2);

	await stage.run(workflow, 'Every Five Minutes');
	await stage.run(workflow, 'Every Five Minutes');
	expect((await claimed(workflow, 8)).sort()).toEqual([...marks].sort());
	expect(stage.smtp.emails.map(({ to, text }) => `${to.text} ${text?.split('\n')[0] ?? ''}`).sort()).toEqual(
		marks.map((mark) => `${asker} Yes to ${mark}`).sort(),
	);
});

test.each([
	['declined gets the reason', 'May we? [filtered]', /It is out of scope\./, []],
	[
		'failed becomes a task for a lawyer',
		'May we? [error]',
		/The legal team will look at\s+it/,
		[`Answer ${asker}: May we? [error]`],
	],
] as const)('answer-later.json: a question that was %s', async (_what, question, text, tasks) => {
	const workflow = await stage.publish('answer-later.json', atOnce);
	await ask(workflow, question);
	for (const { id, status } of stage.sandbox.questions) if (status === 'in_progress') await stage.sandbox.complete(id);
	// A declined question calls back at once, perhaps before its row is in the table: then it is found by the schedule.
	await stage.sandbox.waitForCallback(() => true);
	await claimed(workflow, 2);
	await stage.run(workflow, 'Every Five Minutes');
	expect(stage.smtp.emails).toMatchObject([{ to: { text: asker }, text: expect.stringMatching(text) as unknown }]);
	expect(stage.taskTitles()).toEqual(tasks);
});

describe('answer-later.json', () => {
	const poll = 'Every Five Minutes';

	test('the form asks for a login', async () => {
		const workflow = await stage.publish('answer-later.json');
		const answers = { 'Your Email': asker, Question: 'May we?' };
		expect((await submitForm(stage.n8n.baseUrl, workflow, answers, { user: 'stranger', password: '' })).status).toBe(401);
	});

	test('nobody has asked anything yet: the schedule finds nothing, without an error', async () => {
		await stage.run(await stage.publish('answer-later.json', atOnce), poll);
		expect(stage.sandbox.requests).toEqual([]);
	});

	test.each([
		['has no answer after a day', (): void => undefined],
		['is unknown to the service after a day', () => stage.sandbox.faults.add({
			kind: 'status', status: 404, body: { error_code: 'resource_not_found', svc_api_error_code: 'resource_not_found', message: 'Not found' }, times: Infinity, match: ({ method }) => method === 'GET',
		})],
	] as const)('a question that %s becomes a task, its asker is told, and nobody looks for it any more', async (_what, lose) => {
		const workflow = await stage.publish('answer-later.json', { ...atOnce, 'days: 1': 'days: 0' });
		stage.answer('completed', 'Too late.');
		const lost = randomUUID();
		await ask(workflow, lost);
		lose();
		await stage.run(workflow, poll);
		expect(stage.taskTitles()).toEqual([`Answer ${asker}: ${lost}`]);
		expect(stage.smtp.emails).toMatchObject([{ to: { text: asker }, text: expect.stringMatching(/legal team will look\s+at\s+it/) as unknown }]);
		const { length } = stage.sandbox.requests;
		await stage.run(workflow, poll);
		expect(stage.sandbox.requests).toHaveLength(length);
	});

	test('the key expires: the execution fails, and the question stays open until the key works', async () => {
		const workflow = await stage.publish('answer-later.json', { ...atOnce, 'days: 1': 'days: 0' });
		stage.sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: Infinity });
		stage.sandbox.callbackFaults.drop = () => true;
		await ask(workflow, 'May we?');
		await stage.sandbox.complete(stage.sandbox.questions[0]?.id ?? '');
		stage.expireKey();
		const failed = await stage.n8n.waitForExecution(await stage.n8n.run(workflow, { trigger: poll }));
		expect(failed.failure?.message).toContain("Answers can't be looked up");
		expect(stage.smtp.emails).toEqual([]);
		stage.sandbox.faults.clear();
		await stage.run(workflow, poll);
		expect(stage.smtp.emails).toMatchObject([{ text: expect.stringContaining('Yes.') as unknown }]);
	});

	test('the email fails and the execution is retried: it is sent once', async () => {
		const workflow = await stage.publish('answer-later.json', atOnce);
		stage.sandbox.settings.answer = () => ({ status: 'completed', answer: '| A | B |\n|---|---|\n| 1 | 2 |', after: Infinity });
		stage.sandbox.callbackFaults.drop = () => true;
		await ask(workflow, 'May we?');
		await stage.sandbox.complete(stage.sandbox.questions[0]?.id ?? '');
		stage.smtp.isDown = true;
		const failed = await stage.n8n.waitForExecution(await stage.n8n.run(workflow, { trigger: poll }));
		expect(failed.status).toBe('error');
		stage.smtp.isDown = false;
		expect((await stage.retried(workflow, failed)).status).toBe('success');
		await stage.run(workflow, poll);
		expect(stage.smtp.emails).toMatchObject([{ html: expect.stringContaining('<table>') as unknown }]);
	});
});

describe('error-workflow.json', () => {
	const steps = [webhook('fails'), node('Read Contract', 'n8n-nodes-base.stopAndError', { errorMessage: 'A quote' })];

	/** Publishes the example, and lets another workflow fail so many times in a row; resolves once that is reported. */
	async function fail(times: number, name = 'NDA review'): Promise<StoredWorkflow> {
		const errorWorkflow = await stage.publish('error-workflow.json');
		const failing = await stage.n8n.publish(chain(name, steps, { errorWorkflow: errorWorkflow.id }));
		await Promise.all(Array.from({ length: times }, async () => await stage.n8n.callWebhook('fails')));
		await until(`${times} reports`, async () => {
			const found = (await stage.n8n.executions(errorWorkflow.id)).filter(({ mode }) => mode === 'error');
			return found.filter(({ status }) => ['success', 'error'].includes(status)).length === times ? found : undefined;
		});
		await stage.n8n.deactivate(failing);
		return errorWorkflow;
	}
	const subjects = (): string[] => stage.smtp.emails.map(({ subject }) => subject);

	test('a step that fails is reported by email and as a task, which does not quote it', async () => {
		await fail(1);
		const text = /NDA review failed in the step Read Contract:\s+A quote\s+http/;
		expect(stage.smtp.emails).toMatchObject([
			{ to: { text: 'automation@example.com' }, text: expect.stringMatching(text) as unknown },
		]);
		const [task] = stage.sandbox.tasks.ordered();
		expect(task).toMatchObject({
			title: 'A workflow stopped: NDA review',
			description: expect.stringContaining('in the step Read Contract') as unknown,
		});
		expect(task?.description).not.toContain('A quote');
	});

	test('thirty failures at once are one email and one task, and one more email says how often it failed again', async () => {
		const errorWorkflow = await fail(30, 'Flood');
		expect([subjects(), stage.taskTitles()]).toEqual([['Workflow failed: Flood'], ['A workflow stopped: Flood']]);
		await stage.run(errorWorkflow, 'Every Four Hours');
		await stage.run(errorWorkflow, 'Every Four Hours');
		expect(subjects()).toEqual(['Workflow failed: Flood', expect.stringMatching(/^Workflows failed again: \d+$/)]);
		expect(stage.smtp.emails[1]?.text).toContain('- Flood: 29 failures, the last one in the step Read Contract');
	});

	test('the first email fails: the next one tells it', async () => {
		stage.smtp.isDown = true;
		const errorWorkflow = await fail(1, 'Unheard');
		stage.smtp.isDown = false;
		await stage.run(errorWorkflow, 'Every Four Hours');
		expect(stage.smtp.emails).toMatchObject([{ text: expect.stringContaining('- Unheard: 1 failure') as unknown }]);
	});

	test('the key has expired: the email is sent', async () => {
		stage.expireKey();
		await fail(1, 'Expired');
		expect(subjects()).toEqual(['Workflow failed: Expired']);
	});
});
