import { describe, expect, test } from 'vitest';

import { Stage } from '../../support/products/stage.mts';

const stage = await Stage.ofThisFile();
const { tasks } = stage.sandbox;

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

	test('tasks that are still open two weeks after they were due are escalated once, in one email, and no task is changed', async () => {
		const [one, other] = [
			tasks.create({ title: 'Weeks late', ...due(-30) }),
			tasks.create({ title: 'Very late', ...due(-40) }),
		];
		tasks.create({ title: 'Due', ...due(1) });
		await stage.publish('task-digest.json', {
			...soonOver,
			'"includeOverdue":false': '"includeOverdue":true',
		});
		await stage.done();
		expect(sent()).toEqual([
			'head-of-legal@example.com: Legal tasks that are two weeks late: 2',
			'legal-team@example.com: Legal tasks due 3',
		]);
		expect([one.tags, other.tags, tasks.ordered().filter(({ archived }) => archived)]).toEqual([
			[],
			[],
			[],
		]);
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

	test('the email fails and the execution is retried: the email is sent, and late tasks are escalated all the same', async () => {
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
		expect(sent()).toHaveLength(2);
	});
});
