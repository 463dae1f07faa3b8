import { beforeEach, describe, expect, test } from 'vitest';

import type { Execution } from '../../../harness/executions.mts';
import type { JsonRecord } from '../../../harness/unknownJson.mts';
import { Stage } from '../../support/products/stage.mts';

const stage = await Stage.ofThisFile();
const { slack } = stage.products;

describe('ask-in-slack.json', () => {
	let messages = 0;

	/** A mention of the app, as Slack reports it, at a time that no message had before. */
	function mention(
		text = 'May we sign this?',
		more: Readonly<Record<string, unknown>> = {},
	): JsonRecord & { readonly ts: string } {
		return {
			type: 'app_mention',
			user: 'U1',
			channel: 'C1',
			text: `<@U0LEGAL> ${text}`,
			ts: `${Date.now()}.${++messages}`,
			...more,
		};
	}

	async function report(event: JsonRecord, eventId?: string): Promise<void> {
		expect(await slack.report(`${stage.webhookOf('slackTrigger')}/webhook`, event, eventId)).toBe(
			200,
		);
	}

	/** Lets Slack report a mention, and returns what became of it. */
	async function outcome(event: JsonRecord): Promise<Execution> {
		return await stage.outcome(() => report(event));
	}
	const marked = (): unknown[] =>
		slack.calls
			.filter(({ method }) => method === 'reactions.add')
			.map(({ body }) => body.timestamp);

	/** Has the service answer at once, as the example looks for the answer, except follow-ups, which it waits for. */
	function answer(status: 'completed' | 'error' | 'filtered', words: string): void {
		stage.sandbox.settings.answer = ({ text }) => ({
			status,
			answer: `${words} ${text}`,
			after: text === 'And that one?' ? Infinity : 0,
		});
	}

	beforeEach(async () => {
		answer('completed', '**Yes**, to:');
		await stage.publish('ask-in-slack.json');
	});

	test('a question is answered in its thread, and a follow-up there continues its session', async () => {
		const first = mention();
		const followUp = mention('And that one?', { thread_ts: first.ts });
		const other = mention('Something else.', { files: [{ name: 'nda.pdf' }] });
		for (const event of [first, followUp, other]) await stage.done(() => report(event));
		const { questions } = stage.sandbox;
		expect(questions.map(({ text }) => text)).toEqual([
			'May we sign this?',
			'And that one?',
			'Something else.',
		]);
		expect(questions[1]?.sessionId).toBe(questions[0]?.sessionId);
		expect(questions[2]?.sessionId).not.toBe(questions[0]?.sessionId);
		expect(slack.posted(first.ts)).toEqual([
			expect.stringMatching(
				/^[^]*text":"_Written by an AI, and not checked by a lawyer\._[^]*to: May we sign this\?/,
			),
			expect.stringContaining('to: And that one?'),
		]);
		expect(slack.posted(other.ts)).toEqual([
			expect.stringMatching(/to: Something else\..*Files that are attached in Slack are not read/),
		]);
		expect(marked()).toEqual([first.ts, followUp.ts, other.ts]);
	});

	test('a follow-up before the answer continues the session', async () => {
		stage.sandbox.settings.answer = ({ text }) => ({
			status: 'completed',
			answer: text,
			after: Infinity,
		});
		const first = mention('First');
		await report(first);
		// Once its answer is looked for, its session is remembered.
		await stage.sandbox.waitForRequest(
			({ method, path }) => method === 'GET' && path.includes('/questions/'),
			30_000,
		);
		await stage.done(async () => {
			await report(mention('Second', { thread_ts: first.ts }));
			await stage.sandbox.waitForRequest(
				({ method, status }) => method === 'POST' && status === 400,
			);
			await stage.sandbox.complete(stage.sandbox.questions[0]?.id ?? '');
			await stage.sandbox.waitForQuestion(({ text }) => text === 'Second', 30_000);
		});
		expect(stage.sandbox.questions[1]?.sessionId).toBe(stage.sandbox.questions[0]?.sessionId);
	});

	test('Slack delivers a mention three times, two of them at once: it is asked and answered once', async () => {
		const event = mention();
		await Promise.all([report(event, 'Ev1'), report(event, 'Ev1')]);
		await stage.settled(2);
		await report(event, 'Ev1');
		expect((await stage.settled(3)).map(({ status }) => status)).toEqual([
			'success',
			'success',
			'success',
		]);
		expect([
			stage.sandbox.questions.length,
			slack.posted(event.ts).length,
			marked().length,
		]).toEqual([1, 1, 1]);
	});

	test.each([
		[
			'if another app mentions it, the workflow posts nothing',
			mention('May we?', { bot_id: 'B1' }),
			[],
		],
		[
			'if it is mentioned without a question, the workflow asks for one',
			mention(''),
			[expect.stringContaining('write your question') as unknown],
		],
	])('%s, and nothing is asked', async (_what, event, said) => {
		await stage.done(() => report(event));
		expect([stage.sandbox.questions.length, slack.posted(event.ts)]).toEqual([0, said]);
	});

	test.each([
		[
			'declined',
			'filtered',
			'May we sign this?',
			String.raw`Written by an AI, and not checked by a lawyer._\n\nNot for us.`,
			[],
		],
		[
			'not answered',
			'error',
			'May we sign this?',
			'The legal team will look at it',
			['Answer in Slack: May we sign this?'],
		],
		[
			'refused by the service',
			'completed',
			`May we?${' Please.'.repeat(1300)}`,
			'The legal team will look at it',
			[expect.stringContaining('Answer in Slack: May we?') as unknown],
		],
	] as const)(
		'the thread of a question that is %s says so',
		async (_what, status, question, text, tasks) => {
			answer(status, 'Not for us.');
			const event = mention(question);
			await stage.done(() => report(event));
			expect(slack.posted(event.ts)).toEqual([expect.stringContaining(text)]);
			expect(stage.taskTitles()).toEqual(tasks);
		},
	);

	test('the key has expired: the thread says so, and the execution fails', async () => {
		stage.expireKey();
		const event = mention();
		expect((await outcome(event)).failure?.message).toContain('was not answered');
		expect(slack.posted(event.ts)).toEqual([
			expect.stringContaining('Please ask the legal team yourself'),
		]);
	});

	test('Slack does not take the answer and the execution is retried: it is posted, and nothing is asked again', async () => {
		stage.products.refuse(/chat\.postMessage/, 503, 1);
		const event = mention();
		await stage.retried(await outcome(event));
		expect([stage.sandbox.questions.length, slack.posted(event.ts).length]).toEqual([1, 1]);
	});
});
