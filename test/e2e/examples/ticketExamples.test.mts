import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import type { JiraAttachment, JiraRequest } from '../../support/products/jira.mts';
import { Stage } from '../../support/products/stage.mts';

const stage = await Stage.ofThisFile();
const { jira } = stage.products;
const { tasks } = stage.sandbox;

/** Completes all tasks, as lawyers do. */
function completeTasks(): void {
	for (const task of tasks.ordered()) tasks.update(task, { status: 'completed' });
}

describe('jira-tasks.json', () => {
	const sweep = 'Every 15 Minutes';

	/** Publishes the example, and lets Jira report requests. */
	async function reported(...requests: readonly JiraRequest[]): Promise<void> {
		await stage.publish('jira-tasks.json');
		for (const request of requests) await stage.done(() => jira.report(request));
	}

	/** The requests whose tasks are archived. */
	function archived(): unknown[] {
		return tasks.ordered().filter((task) => task.archived).map(({ tags }) => tags[1]).sort();
	}

	test('a request that Jira reports twice becomes one task with one comment; a report without the secret is ignored', async () => {
		const request = jira.create('LEGAL-12', 'NDA with Meridian');
		await reported(request, request);
		expect(jira.filter).toEqual({ 'issue-related-events-section': 'project = LEGAL' });
		expect(await jira.report(request, undefined, false)).toBe(403);
		const [task, ...others] = tasks.ordered();
		expect(task).toMatchObject({ title: 'LEGAL-12: NDA with Meridian', description: 'Please review.', tags: ['jira', 'jira-LEGAL-12'] });
		expect(others).toEqual([]);
		const comment = `The legal team has your request: ${task?.display_id ?? ''}.`;
		expect(request.comments).toEqual([{ text: expect.stringContaining(comment) as unknown, isPublic: true }]);
		await stage.run(sweep);
		expect([request.isResolved, archived()]).toEqual([false, []]);
	});

	test('the comment fails and the execution is retried: one task, one comment', async () => {
		const request = jira.create('LEGAL-13');
		await stage.publish('jira-tasks.json');
		stage.products.refuse(/^POST .*\/comment/, 503, 1);
		await stage.retried(await stage.outcome(() => jira.report(request)));
		expect([stage.taskTitles(), request.comments.length]).toEqual([['LEGAL-13: NDA'], 1]);
	});

	test.each([
		['somebody resolves a request in the same moment', /^POST .*LEGAL-1\/transitions/, 400],
		['Jira fails between its two steps', /^PUT .*LEGAL-1/, 503],
		['Jira is down for a moment', /^GET .*LEGAL-1/, 503],
	])('%s: that is reported, the next request is resolved, and the task is archived the next time', async (_what, address, status) => {
		const requests = [jira.create('LEGAL-1'), jira.create('LEGAL-2')];
		await reported(...requests);
		completeTasks();
		stage.products.refuse(address, status, 1);
		expect((await stage.sweep(sweep)).failure?.message).toContain('jira-LEGAL-1');
		expect(archived()).toEqual(['jira-LEGAL-2']);
		await stage.run(sweep);
		expect([requests.map(({ isResolved }) => isResolved), archived()]).toEqual([[true, true], ['jira-LEGAL-1', 'jira-LEGAL-2']]);
	});

	test('requests are resolved even if one was resolved by hand, one deleted, and a task tagged by hand; the error names the last two', async () => {
		const [deleted, byHand, open] = [jira.create('LEGAL-1'), jira.create('LEGAL-2'), jira.create('LEGAL-3')];
		await reported(deleted, byHand, open);
		jira.requests.delete(deleted.key);
		byHand.isResolved = true;
		tasks.create({ title: 'By hand', tags: ['jira'] });
		completeTasks();
		const message = (await stage.sweep(sweep)).failure?.message;
		expect(message).toContain('jira-LEGAL-1');
		expect(message).toContain('(jira)');
		expect([open.isResolved, archived()]).toEqual([true, ['jira-LEGAL-2', 'jira-LEGAL-3']]);
	});
});

describe('jira-contracts.json', () => {
	const attachment = [{ field: 'Attachment', to: '10001' }];

	/** A file has an ID that no file had before. */
	async function attach(name: 'mutual-nda.pdf' | 'services-agreement.docx' = 'mutual-nda.pdf'): Promise<JiraAttachment> {
		return { id: randomUUID(), ...(await bundledContract(name)) };
	}

	/** Publishes the example, and returns a request with a contract. */
	async function published(): Promise<JiraRequest> {
		await stage.publish('jira-contracts.json');
		return jira.create('LEGAL-1', 'NDA', await attach());
	}

	test('each contract of a request gets one internal comment, other files none', async () => {
		const picture = { id: '3', fileName: 'logo.png', contentType: 'image/png', content: Buffer.from('PNG') };
		const request = jira.create('LEGAL-1', 'Two contracts', await attach(), await attach('services-agreement.docx'), picture);
		stage.answer('completed', 'Liability is unlimited.');
		await stage.publish('jira-contracts.json');
		await stage.done(() => jira.report(request));
		const names = ['mutual-nda.pdf', 'services-agreement.docx'];
		const files = stage.sandbox.questions.map(({ attachments: [file] }) => file?.kind === 'upload' && file.fileName);
		expect(files.toSorted()).toEqual(names);
		const review = (name: string): string => `Review of ${name} by Legal AI. Nobody has checked it yet.\n\nLiability is unlimited.`;
		expect(request.comments).toEqual(names.map((name) => ({ text: expect.stringContaining(review(name)) as unknown, isPublic: false })));
	});

	test('a request that is created, gets its file and is delivered again at the same moment gets one question and one comment', async () => {
		const request = await published();
		stage.answer('completed', 'Fine.');
		await Promise.all([jira.report(request), jira.report(request, attachment), jira.report(request), jira.report(request, attachment)]);
		await stage.answered();
		expect((await stage.settled(4)).map(({ status }) => status)).toEqual(['success', 'success', 'success', 'success']);
		expect([stage.sandbox.questions.length, request.comments.length]).toEqual([1, 1]);
	});

	test('a status is changed, a file is removed, or our own comment comes in: nothing is asked', async () => {
		const request = await published();
		for (const change of [{ field: 'status', to: '3' }, { field: 'Attachment', to: null }]) await stage.done(() => jira.report(request, [change]));
		expect(stage.sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	});

	test.each([
		['declined', 'filtered', 'It is out of scope.'],
		['failed', 'error', 'The file is damaged.'],
	] as const)('the team learns if a review was %s', async (_what, status, reason) => {
		const request = await published();
		stage.answer(status, reason);
		await stage.done(() => jira.report(request));
		expect(request.comments).toEqual([{ text: expect.stringContaining(reason) as unknown, isPublic: false }]);
	});

	test('the key has expired: the team is told in the request, and the execution fails', async () => {
		const request = await published();
		stage.expireKey();
		expect((await stage.outcome(() => jira.report(request))).failure?.message).toContain('LEGAL-1 was not reviewed');
		expect(request.comments).toEqual([{ text: 'Legal AI could not review mutual-nda.pdf. Please read it yourself.', isPublic: false }]);
	});

	test('the comment fails and the execution is retried: nothing is asked again', async () => {
		const request = await published();
		stage.answer('completed', 'Fine.');
		stage.products.refuse(/servicedeskapi/, 503, 1);
		await stage.retried(await stage.outcome(() => jira.report(request)));
		expect([stage.sandbox.questions.length, request.comments.length]).toEqual([1, 1]);
	});
});

describe('task-digest.json', () => {
	const daily = 'Weekdays at Seven';
	const escalation = 'head-of-legal@example.com: Legal tasks more than two weeks late: 1';
	const due = (days: number): { complete_by: string } => ({ complete_by: new Date(Date.now() + days * 86_400_000).toISOString() });
	const sent = (): string[] => stage.smtp.emails.map(({ to, subject }) => `${to.text}: ${subject.replace(/ by .*:/, '')}`).sort();

	test('due tasks are listed each day, if there are any, late ones are escalated once, and nothing is archived', async () => {
		tasks.create({ title: 'In time', ...due(5) });
		await stage.publish('task-digest.json');
		await stage.run(daily);
		expect(sent()).toEqual([]);
		for (let number = 1; number <= 60; number++) tasks.create({ title: `Due ${number}`, ...due(-7) });
		tasks.create({ title: 'Due after the weekend', ...due(3) });
		const late = tasks.create({ title: 'Weeks late', tags: ['nda'], ...due(-30) });
		tasks.create({ title: 'Known to be late', tags: ['escalated'], ...due(-40) });
		tasks.create({ title: 'Completed', status: 'completed', tags: ['jira', 'jira-LEGAL-1'], ...due(-30) });
		tasks.create({ title: 'Somebody else completed this', status: 'completed' });
		await stage.run(daily);
		await stage.run(daily);
		const digest = 'legal-team@example.com: Legal tasks due 63';
		expect(sent()).toEqual([escalation, digest, digest]);
		expect(stage.smtp.emails[0]?.text?.trim().split('\n')).toHaveLength(51);
		expect(stage.smtp.emails.map(({ text }) => text)).toContainEqual(
			expect.stringMatching(/^- LEGAL-\d+ Weeks late \(due \w+ \d+\)\s*$/),
		);
		expect(late.tags).toEqual(['nda', 'escalated']);
		expect(tasks.ordered().filter(({ archived }) => archived)).toEqual([]);
	});

	test('the email fails: nothing is tagged, and the head of legal is told the next day', async () => {
		const late = tasks.create({ title: 'Weeks late', ...due(-30) });
		await stage.publish('task-digest.json');
		stage.smtp.isDown = true;
		expect((await stage.sweep(daily)).status).toBe('error');
		expect(late.tags).toEqual([]);
		stage.smtp.isDown = false;
		await stage.run(daily);
		expect(sent()).toContain(escalation);
		expect(late.tags).toEqual(['escalated']);
	});
});
