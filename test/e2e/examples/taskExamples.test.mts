import { describe, expect, test } from 'vitest';

import { credentialType } from '../../../harness/examples.mts';
import { chain, node, webhook } from '../../../harness/workflows.mts';
import { keyOf } from '../../support/n8n/service.mts';
import { taskTriggerWorkflow } from '../../support/n8n/taskTriggers.mts';
import { Stage } from '../../support/products/stage.mts';

const stage = await Stage.ofThisFile();
const { tasks } = stage.sandbox;

describe('error-workflow.json', () => {
	const steps = [
		webhook('fails'),
		node('Read Contract', 'n8n-nodes-base.stopAndError', { errorMessage: 'A quote' }),
	];

	/** Publishes the example, and lets another workflow fail so many times in a row; resolves once that is reported. */
	async function fail(times: number, name: string): Promise<void> {
		await stage.publish('error-workflow.json');
		const failing = await stage.n8n.publish(
			chain(name, steps, { errorWorkflow: stage.workflow.id }),
		);
		await Promise.all(
			Array.from({ length: times }, async () => await stage.n8n.callWebhook('fails')),
		);
		await stage.settled(times);
		await stage.n8n.deactivate(failing);
	}
	const subjects = (): string[] => stage.smtp.emails.map(({ subject }) => subject);

	test('a step that fails is reported by email and as a task, which does not quote it', async () => {
		await fail(1, 'NDA review');
		const text = /NDA review failed in the step Read Contract:\s+A quote\s+http/;
		expect(stage.smtp.emails).toMatchObject([
			{ to: { text: 'automation@example.com' }, text: expect.stringMatching(text) as unknown },
		]);
		const [task] = stage.sandbox.tasks.ordered();
		expect(task?.title).toBe('A workflow stopped: NDA review');
		expect(task?.description).toMatch(/in the step Read Contract[^]*http\S+\/executions\/\d+/);
		expect(task?.description).not.toContain('A quote');
		expect(Date.parse(task?.complete_by ?? '')).toBeGreaterThan(Date.now());
	});

	test('thirty failures at once are one email and one task, and one more email says how often it failed again', async () => {
		await fail(30, 'Flood');
		expect([subjects(), stage.taskTitles()]).toEqual([
			['Workflow failed: Flood'],
			['A workflow stopped: Flood'],
		]);
		await stage.run('Every Four Hours');
		await stage.run('Every Four Hours');
		expect(subjects()).toEqual([
			'Workflow failed: Flood',
			expect.stringMatching(/^Workflows failed again: \d+$/),
		]);
		expect(stage.smtp.emails[1]?.text).toContain(
			'- Flood: 29 failures, the last one in the step Read Contract',
		);
	});

	test('the first email fails: the task is created all the same, and the next email reports that, too', async () => {
		stage.smtp.isDown = true;
		await fail(1, 'Unheard');
		stage.smtp.isDown = false;
		expect(stage.taskTitles()).toEqual(['A workflow stopped: Unheard']);
		await stage.run('Every Four Hours');
		expect(stage.smtp.emails).toMatchObject([
			{ text: expect.stringContaining('- Unheard: 1 failure') as unknown },
		]);
	});

	test("a trigger that can't look any more is reported with its workflow's name and what is wrong", async () => {
		await stage.publish('error-workflow.json');
		const credential = await stage.n8n.createCredential(
			credentialType,
			'Revoked',
			keyOf(stage.sandbox),
		);
		const polling = await stage.n8n.publish({
			...taskTriggerWorkflow(credential),
			settings: { errorWorkflow: stage.workflow.id },
		});
		stage.expireKey(1);
		await stage.settled(1);
		await stage.n8n.deactivate(polling);
		expect(stage.smtp.emails).toMatchObject([
			{
				subject: 'Workflow failed: On task',
				text: expect.stringMatching(
					new RegExp(`^On task failed:\\s+[^]*key[^]*/workflow/${polling.id}`),
				) as unknown,
			},
		]);
		expect(stage.taskTitles()).toEqual(['A workflow stopped: On task']);
	});

	test('the key has expired: the email is sent', async () => {
		stage.expireKey();
		await fail(1, 'Expired');
		expect(subjects()).toEqual(['Workflow failed: Expired']);
	});
});

describe('task-digest.json', () => {
	const soonOver = { '24480': '0.05' };
	const due = (days: number): { complete_by: string } => ({
		complete_by: new Date(Date.now() + days * 86_400_000).toISOString(),
	});
	const sent = (): string[] =>
		stage.smtp.emails
			.map(({ to, subject }) => `${to.text}: ${subject.replace(/ by .*:/, '')}`)
			.sort();

	test('on the first day, open tasks that are due soon are in one email, with the year; those that were overdue before are in none', async () => {
		for (let number = 1; number <= 60; number++)
			tasks.create({ title: `Due ${number}`, ...due(2) });
		tasks.create({ title: 'In time', ...due(6) });
		tasks.create({ title: 'Overdue', ...due(-30) });
		tasks.create({ title: 'Completed', status: 'completed', ...due(2) });
		await stage.publish('task-digest.json', soonOver);
		await stage.done();
		expect(sent()).toEqual(['legal-team@example.com: Legal tasks due 60']);
		const lines = stage.smtp.emails[0]?.text?.trim().split('\n') ?? [];
		expect(lines).toHaveLength(51);
		expect(lines[0]).toMatch(/^- LEGAL-\d+ Due \d+ \(due \w+ \d+, 20\d\d\)$/);
		expect(lines[50]).toBe('… and 10 more');
	});

	test('tasks that are still open two weeks after they were due are escalated once, in one email, with one that is gone, and no task is changed', async () => {
		const [late, gone] = [
			tasks.create({ title: 'Weeks late', ...due(-30) }),
			tasks.create({ title: 'Gone', ...due(-40) }),
		];
		tasks.create({ title: 'Due', ...due(1) });
		stage.sandbox.faults.add({
			kind: 'status',
			status: 404,
			match: ({ path }) => path.endsWith(`/tasks/${gone.id}`),
			times: Infinity,
		});
		await stage.publish('task-digest.json', {
			...soonOver,
			'"includeOverdue":false': '"includeOverdue":true',
		});
		await stage.done();
		expect(sent()).toEqual([
			'head-of-legal@example.com: Legal tasks that are two weeks late or gone: 2',
			'legal-team@example.com: Legal tasks due 3',
		]);
		expect(stage.smtp.emails.find(({ to }) => to.text.startsWith('head'))?.text).toMatch(
			/^- LEGAL-\d+ Gone \(could not be looked up: [^]*- LEGAL-\d+ Weeks late \(due \w+ \d+, 20\d\d\)\s*$/,
		);
		expect([late.tags, late.archived]).toEqual([[], false]);
	});

	test('a task that is completed meanwhile is not escalated', async () => {
		const late = tasks.create({ title: 'Weeks late', ...due(-30) });
		await stage.publish('task-digest.json', {
			'24480': '0.2',
			'"includeOverdue":false': '"includeOverdue":true',
		});
		const id = await stage.asked();
		tasks.update(late, { status: 'completed' });
		await stage.finished(id);
		expect(sent()).toEqual(['legal-team@example.com: Legal tasks due 1']);
	});

	test('the digest can not be emailed: it is a task, and late tasks are escalated all the same; if that email fails, a retry sends it', async () => {
		tasks.create({ title: 'Weeks late', ...due(-30) });
		stage.smtp.isDown = true;
		await stage.publish('task-digest.json', {
			...soonOver,
			'"includeOverdue":false': '"includeOverdue":true',
			'"waitBetweenTries":5000': '"waitBetweenTries":0',
		});
		const failed = await stage.outcome();
		stage.smtp.isDown = false;
		await stage.retried(failed);
		expect(tasks.ordered()).toMatchObject([
			{ title: 'Weeks late' },
			{
				title: 'Read the digest: it could not be emailed',
				description: expect.stringMatching(
					/^- LEGAL-\d+ Weeks late \(due \w+ \d+, 20\d\d\)$/,
				) as unknown,
			},
		]);
		expect(sent()).toEqual([
			'head-of-legal@example.com: Legal tasks that are two weeks late or gone: 1',
		]);
	});
});
