import { randomInt, randomUUID } from 'node:crypto';

import { beforeEach, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import type { JiraAttachment, JiraRequest } from '../../support/products/jira.mts';
import { Stage } from '../../support/products/stage.mts';

const stage = await Stage.ofThisFile();
const { jira } = stage.products;
const { tasks } = stage.sandbox;

const poll = 'Every Five Minutes';
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
const review = (name: string, words: string): unknown =>
	expect.stringContaining(
		`Review of ${name}, written by an AI. Nobody has checked it yet.\n\n${words}`,
	);
const internal = ({ comments }: JiraRequest): string[] =>
	comments.filter(({ isPublic }) => !isPublic).map(({ text }) => text);
const told = ({ comments }: JiraRequest): string[] =>
	comments.filter(({ isPublic }) => isPublic).map(({ text }) => text);
const contexts = (): unknown[] =>
	tasks.ordered().map(({ additional_context }) => additional_context);

/** Publishes the example; two hours pass at once in it, if told so. */
async function publish(hours = '{ hours: 2 }'): Promise<void> {
	await stage.publish('jira-contracts.json', {
		'{"mode":"everyMinute"}': everyFourSeconds,
		'"waitBetweenTries":5000': '"waitBetweenTries":0',
		'{ hours: 2 }': hours,
	});
}

/** Has the workflow find what is new, and ask so many questions, which are answered. Returns how the executions for the requests ended. */
async function sweep(questions = 0): Promise<unknown[]> {
	await stage.run(poll);
	if (questions > 0) await stage.answered(questions);
	return (await stage.settled(1))
		.filter(({ runs }) => runs['A Request'] !== undefined)
		.map(({ status }) => status);
}

beforeEach(() => {
	stage.answer('completed', 'Liability is unlimited.');
});

test('each request, on all pages, becomes a task with a link to it; the reviews of its contracts are internal comments and in the task; and all of it once', async () => {
	const picture = { fileName: 'logo.png', contentType: 'image/png', content: Buffer.from('PNG') };
	const each = request('Two contracts', await attach(), await attach('services-agreement.docx'), {
		id: randomUUID(),
		...picture,
	});
	const others = [request(), request()];
	await publish();
	await sweep(2);
	expect(await sweep()).toEqual(['success', 'success', 'success']);
	expect([...jira.queries]).toEqual([expect.stringMatching(/^project = LEGAL AND statusCategory/)]);
	expect(stage.taskTitles()).toEqual(
		[each, ...others].map(({ key, summary }) => `${key}: ${summary}`).sort(),
	);
	const task = tasks.ordered().find(({ tags }) => tags.includes(`jira-${each.key}`));
	expect(task?.description).toBe(
		`https://legal.atlassian.net/browse/${each.key}\n\nPlease review.`,
	);
	expect(Date.parse(task?.complete_by ?? '')).toBeGreaterThan(Date.now() + 2 * 86_400_000);
	expect(internal(each)).toEqual(
		['mutual-nda.pdf', 'services-agreement.docx'].map((name) =>
			review(name, 'Liability is unlimited.'),
		),
	);
	for (const text of internal(each)) expect(task?.additional_context).toContain(text);
	expect(told(each)).toEqual([
		expect.stringContaining(`The legal team has your request: ${task?.display_id ?? ''}.`),
	]);
});

test('a file that is attached later is reviewed, and its review is added to the task', async () => {
	const first = request('NDA', await attach());
	await publish();
	await sweep(1);
	const later = jira.create(
		first.key,
		'NDA',
		...first.attachments,
		await attach('services-agreement.docx'),
	);
	await sweep(1);
	expect([internal(later).length, stage.sandbox.questions.length]).toEqual([1, 2]);
	for (const name of ['mutual-nda.pdf', 'services-agreement.docx'])
		expect(contexts()).toEqual([review(name, 'Liability is unlimited.')]);
});

test.each([
	['declined', 'filtered', 'It is out of scope.', 0],
	['failed', 'error', 'The file is damaged.', 1],
] as const)(
	'the team learns in the request and in the task if a review was %s',
	async (_what, status, reason, questions) => {
		stage.answer(status, reason);
		const each = request('NDA', await attach());
		await publish();
		await sweep(questions);
		expect([internal(each), contexts()]).toEqual([
			[expect.stringContaining(reason)],
			[expect.stringContaining(reason)],
		]);
	},
);

test('the key has expired: the customer reads once that it takes longer, each try fails, and two hours after the key works there is one task with the review', async () => {
	const each = request('NDA', await attach());
	await publish('{ seconds: 0 }');
	stage.expireKey();
	await sweep();
	expect(await sweep()).toEqual(['error', 'error']);
	expect(told(each)).toEqual([expect.stringContaining("can't be reached at the moment")]);
	stage.sandbox.faults.clear();
	await sweep(1);
	expect([stage.taskTitles().length, told(each).length, internal(each).length]).toEqual([1, 2, 1]);
});

test('the task does not take a review: it is in the request, the execution fails, and it is not asked again', async () => {
	const each = request('NDA', await attach());
	await publish('{ seconds: 0 }');
	stage.sandbox.faults.add({
		kind: 'status',
		status: 403,
		match: 'PATCH /tasks/:task_id',
		times: Infinity,
	});
	await sweep(1);
	expect(await sweep()).toEqual(['error']);
	expect(internal(each)).toEqual([review('mutual-nda.pdf', 'Liability is unlimited.')]);
});

test('n8n stops three times during a review: a lawyer is asked to read the contract, and reads so once, whatever is answered later', async () => {
	const each = request('NDA', await attach());
	await publish('{ seconds: 0 }');
	for (const count of [1, 2, 3, 3]) {
		await stage.run(poll);
		await stage.sandbox.waitForQuestion(() => stage.sandbox.questions.length === count);
	}
	await stage.answered(3);
	await stage.settled(8);
	expect(internal(each)).toEqual([
		expect.stringContaining('n8n stopped three times.\n\nPlease read it yourself.'),
	]);
});

test('tasks are completed or archived: their requests are resolved and their customers told, unless somebody was quicker; what is gone is reported; what is opened again becomes a new task', async () => {
	const [open, archived, byHand, gone] = [request(), request(), request(), request()];
	await publish('{ seconds: 0 }');
	await sweep();
	byHand.isResolved = true;
	jira.requests.delete(gone.key);
	for (const task of tasks.ordered()) {
		const isArchived = task.tags.includes(`jira-${archived.key}`);
		tasks.update(task, isArchived ? { archived: true } : { status: 'completed' });
	}
	const messages = (await stage.settled(7)).map(({ failure }) => failure?.message);
	expect(messages.filter((message) => message !== undefined)).toEqual([
		`${gone.key}: NDA: The resource you are requesting could not be found`,
	]);
	const said = [open, archived, byHand].map((each) => told(each).slice(1));
	expect(said).toEqual([
		[expect.stringContaining('completed your request')],
		[expect.stringContaining('closed your request')],
		[],
	]);
	for (const each of [open, byHand]) each.isResolved = false;
	await sweep();
	expect(stage.taskTitles()).toEqual(
		[open, open, byHand, byHand, archived, gone].map(({ key }) => `${key}: NDA`).sort(),
	);
});
