import { randomInt, randomUUID } from 'node:crypto';

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

describe('jira-contracts.json', () => {
	const attachment = [{ field: 'Attachment', to: '10001' }];
	const everyFourSeconds = Array.from({ length: 15 }, (_, index) =>
		JSON.stringify({ mode: 'custom', cronExpression: `${index * 4} * * * * *` }),
	).join();

	/** A file has an ID that no file had before. */
	async function attach(
		name: 'mutual-nda.pdf' | 'services-agreement.docx' = 'mutual-nda.pdf',
	): Promise<JiraAttachment> {
		return { id: randomUUID(), ...(await bundledContract(name)) };
	}

	/** A request with a key that no request had before: the example remembers them all. */
	const request = (summary = 'NDA', ...files: readonly JiraAttachment[]): JiraRequest =>
		jira.create(`LEGAL-${randomInt(1e9)}`, summary, ...files);
	const review = (name: string, words: string): string =>
		`Review of ${name}, written by an AI. Nobody has checked it yet.\n\n${words}`;
	const internal = ({ comments }: JiraRequest): string[] =>
		comments.filter(({ isPublic }) => !isPublic).map(({ text }) => text);
	const contexts = (): unknown[] =>
		tasks.ordered().map(({ additional_context }) => additional_context);

	/** Publishes the example, and lets Jira report a request. */
	async function reported(each: JiraRequest): Promise<JiraRequest> {
		await stage.publish('jira-contracts.json', {
			'{"mode":"everyMinute"}': everyFourSeconds,
			'"waitBetweenTries":5000': '"waitBetweenTries":0',
		});
		await stage.done(() => jira.report(each));
		return each;
	}

	test('a request becomes a task with a link to it, and the reviews of its contracts are internal comments and in the task; other files are not reviewed', async () => {
		stage.answer('completed', 'Liability is unlimited.');
		const picture = {
			id: randomUUID(),
			fileName: 'logo.png',
			contentType: 'image/png',
			content: Buffer.from('PNG'),
		};
		const each = await reported(
			request('Two contracts', await attach(), await attach('services-agreement.docx'), picture),
		);
		const [task, ...others] = tasks.ordered();
		expect(task).toMatchObject({
			title: `${each.key}: Two contracts`,
			description: `https://legal.atlassian.net/browse/${each.key}\n\nPlease review.`,
			tags: ['jira', `jira-${each.key}`],
		});
		const reviews = ['mutual-nda.pdf', 'services-agreement.docx'].map(
			(name) => expect.stringContaining(review(name, 'Liability is unlimited.')) as unknown,
		);
		expect(internal(each)).toEqual(reviews);
		expect([others, contexts(), contexts()]).toEqual([[], [reviews[0]], [reviews[1]]]);
		expect(each.comments.filter(({ isPublic }) => isPublic)).toEqual([
			{
				text: expect.stringContaining(
					`The legal team has your request: ${task?.display_id ?? ''}.`,
				) as unknown,
				isPublic: true,
			},
		]);
		expect(stage.sandbox.questions).toHaveLength(2);
	});

	test('a request that is created, gets its file and is delivered again at the same moment becomes one task with one review; a report without the secret is ignored', async () => {
		stage.answer('completed', 'Fine.');
		await stage.publish('jira-contracts.json');
		const each = request('NDA', await attach());
		expect(jira.filter).toEqual({ 'issue-related-events-section': 'project = LEGAL' });
		expect(await jira.report(each, undefined, false)).toBe(403);
		await Promise.all([
			jira.report(each),
			jira.report(each, attachment),
			jira.report(each),
			jira.report(each, attachment),
		]);
		await stage.answered();
		expect((await stage.settled(4)).map(({ status }) => status)).toEqual([
			'success',
			'success',
			'success',
			'success',
		]);
		expect([stage.sandbox.questions.length, tasks.ordered().length, each.comments.length]).toEqual([
			1, 1, 2,
		]);
	});

	test('a file that is attached later is reviewed, and its review is added to the task', async () => {
		stage.answer('completed', 'Fine.');
		const first = request('NDA', await attach());
		await reported(first);
		const later = jira.create(
			first.key,
			'NDA',
			...first.attachments,
			await attach('services-agreement.docx'),
		);
		await stage.done(() => jira.report(later, attachment));
		expect([internal(later).length, stage.sandbox.questions.length]).toEqual([1, 2]);
		for (const name of ['mutual-nda.pdf', 'services-agreement.docx'])
			expect(contexts()).toEqual([expect.stringContaining(review(name, 'Fine.'))]);
	});

	test('a status is changed, a file is removed, or our own comment comes in: nothing is asked or created', async () => {
		await stage.publish('jira-contracts.json');
		const each = request('NDA', await attach());
		for (const change of [
			{ field: 'status', to: '3' },
			{ field: 'Attachment', to: null },
		])
			await stage.done(() => jira.report(each, [change]));
		expect(stage.sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	});

	test.each([
		['declined', 'filtered', 'It is out of scope.'],
		['failed', 'error', 'The file is damaged.'],
	] as const)(
		'the team learns in the request and in the task if a review was %s',
		async (_what, status, reason) => {
			stage.answer(status, reason);
			const each = await reported(request('NDA', await attach()));
			expect([internal(each), contexts()]).toEqual([
				[expect.stringContaining(reason)],
				[expect.stringContaining(reason)],
			]);
		},
	);

	test.each([
		['the key has expired', () => void stage.expireKey()],
		[
			'the comment fails',
			() => {
				stage.products.refuse(/servicedeskapi/, 503, 1);
			},
		],
	])('%s and the execution is retried: one task, one question, one review', async (_what, fail) => {
		stage.answer('completed', 'Fine.');
		await stage.publish('jira-contracts.json');
		const each = request('NDA', await attach());
		fail();
		const failed = await stage.outcome(() => jira.report(each));
		stage.sandbox.faults.clear();
		await stage.retried(failed);
		expect([stage.sandbox.questions.length, tasks.ordered().length, internal(each).length]).toEqual(
			[1, 1, 1],
		);
	});

	test('a task is completed: its request is resolved and its customer told, unless somebody was quicker; a request that is gone is reported', async () => {
		const [open, byHand, gone] = [request(), request(), request()];
		await reported(open);
		for (const each of [byHand, gone]) await stage.done(() => jira.report(each));
		byHand.isResolved = true;
		jira.requests.delete(gone.key);
		const failed = await stage.outcome(() => {
			completeTasks();
			return Promise.resolve();
		});
		expect(failed.failure?.message).toBe(
			`${gone.key}: NDA: The resource you are requesting could not be found`,
		);
		expect([open, byHand].map(({ isResolved, comments }) => [isResolved, comments.length])).toEqual(
			[
				[true, 2],
				[true, 1],
			],
		);
		expect(open.comments[1]?.text).toContain('The legal team has completed your request');
	});
});
