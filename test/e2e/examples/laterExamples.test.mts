import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import { completed, deliver, triggerUrl } from '../../../harness/callbacks.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { submitForm } from '../../../harness/form.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { chain, node, webhook } from '../../../harness/workflows.mts';
import { until } from '../../../harness/polling.mts';
import { Stage } from './stage.mts';

const asker = 'sales@example.com';

const stage = await Stage.ofThisFile();

/** Asks through the form; resolves once it is known who asked. */
async function ask(workflow: StoredWorkflow, Question: string, email = asker): Promise<void> {
	const known = await stage.n8n.executions(workflow.id);
	expect(await submitForm(stage.n8n.baseUrl, workflow, { 'Your Email': email, Question })).toMatchObject({ status: 200 });
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
	const workflow = await stage.publish('answer-later.json', { 'minutes: 10': 'minutes: 0' });
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
	expect((await claimed(workflow, 9)).sort()).toEqual([...marks].sort());
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
	const workflow = await stage.publish('answer-later.json', { 'minutes: 10': 'minutes: 0' });
	await ask(workflow, question);
	for (const { id, status } of stage.sandbox.questions) if (status === 'in_progress') await stage.sandbox.complete(id);
	// A declined question calls back at once, perhaps before its row is in the table: then it is found by the schedule.
	await stage.sandbox.waitForCallback(() => true);
	await claimed(workflow, 3);
	await stage.run(workflow, 'Every Five Minutes');
	expect(stage.smtp.emails).toMatchObject([{ to: { text: asker }, text: expect.stringMatching(text) as unknown }]);
	expect(stage.taskTitles()).toEqual(tasks);
});

test('error-workflow.json: a step that fails is reported by email and as a task, which does not quote it', async () => {
	const errorWorkflow = await stage.publish('error-workflow.json');
	const steps = [webhook('fails'), node('Read Contract', 'n8n-nodes-base.stopAndError', { errorMessage: 'A quote' })];
	const failing = await stage.n8n.publish(chain('NDA review', steps, { errorWorkflow: errorWorkflow.id }));
	await stage.n8n.callWebhook('fails');
	await stage.n8n.waitForNextExecution(errorWorkflow.id, []);
	await stage.n8n.deactivate(failing);

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
