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
		await stage.publish('ask-in-slack.json', { '"waitBetweenTries":5000': '"waitBetweenTries":0' });
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
			[expect.stringContaining('Please write it as text') as unknown],
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

	test('the question has the names of people and channels, and what Slack has escaped; an answer of any length is posted whole, and nothing links to its private session', async () => {
		stage.sandbox.settings.answer = () => ({
			status: 'completed',
			answer: 'Whole. '.repeat(4000),
			after: 0,
		});
		const event = mention(
			'May <@U0CFO> sign for R&amp;D in <#C2|sales>? <https://a.example|Terms>',
		);
		await stage.done(() => report(event));
		expect(stage.sandbox.questions).toMatchObject([
			{ text: 'May @CFO sign for R&D in #sales? Terms (https://a.example)', visibility: 'private' },
		]);
		const posts = slack.posted(event.ts);
		expect([posts.length, posts.join('').match(/Whole/g)?.length]).toEqual([3, 4000]);
		expect(posts.join('')).not.toContain('/sessions/');
	});

	test('a direct message is a question, and our answer to it is none', async () => {
		const event = { type: 'message', channel_type: 'im', user: 'U1', channel: 'D1', ts: '7.1' };
		await stage.done(() => report({ ...event, text: 'May <@U0CFO> sign?' }));
		expect(slack.posted('7.1')).toEqual([expect.stringContaining('to: May @CFO sign?')]);
		await stage.done(() => report({ ...event, ts: '7.2', text: 'Yes.', bot_id: 'B0' }));
		expect(stage.sandbox.questions).toHaveLength(1);
	});

	test.each([
		['for a moment: it is posted', 2, 'success', 1, []],
		[
			'at all: a lawyer gets it in a task',
			Infinity,
			'error',
			0,
			['Reply in Slack: May we sign this?'],
		],
	] as const)(
		'Slack does not take the answer %s',
		async (_what, times, status, posted, created) => {
			stage.products.refuse(/chat\.postMessage/, 503, times);
			const event = mention();
			expect((await outcome(event)).status).toBe(status);
			expect([stage.sandbox.questions.length, slack.posted(event.ts).length]).toEqual([1, posted]);
			expect(stage.taskTitles()).toEqual(created);
			for (const { description } of stage.sandbox.tasks.ordered())
				expect(description).toMatch(/^Ada asked in Slack[^]*\/archives\/C1\/p\d+[^]*\*\*Yes\*\*/);
		},
	);
});

describe('teams-questions.json', () => {
	const { chats } = stage.products.microsoft;
	const said = (id: string): string[] =>
		(chats.byId.get(id) ?? []).filter(({ from }) => from === 'me').map(({ html }) => html);

	/** Makes the messages of a chat 50 minutes old. */
	const ago = (id: string): void => {
		for (const message of chats.byId.get(id) ?? []) message.at = new Date(Date.now() - 3e6);
	};

	/** Publishes the example, and has it look for messages and ask so many questions, which are answered. */
	async function look(questions = 1): Promise<void> {
		await stage.run('Every Minute');
		if (questions > 0) await stage.answered(questions);
		await stage.settled(1);
	}
	beforeEach(async () => {
		stage.answer('completed', '**Yes**, <sign> it.');
		await stage.publish('teams-questions.json', {
			'"waitBetweenTries":5000': '"waitBetweenTries":0',
		});
	});

	test('each chat, on all pages, is answered once and in private, though a call came after the question; what is written later, or before the answer, continues its session', async () => {
		const people = ['Ada', 'Bob', 'Eve'];
		for (const name of people) chats.write(name, name, '<p>Hi!</p>');
		chats.write('Ada', 'Ada', '<div>May <at id="0">CFO</at> sign for R&amp;D?</div>', ['a.pdf']);
		chats.write('Bob', '', '<systemEventMessage/>');
		await look(3);
		await look(0);
		const asked = stage.sandbox.questions.map(({ text }) => text).sort();
		expect(asked).toEqual(['Hi!', 'Hi!', 'Hi!\nMay @CFO sign for R&D?']);
		for (const name of people)
			expect(said(name)).toEqual([
				expect.stringContaining('looking into it'),
				expect.stringMatching(/Written by an AI[^]*<strong>Yes<\/strong>, &lt;sign&gt; it\./),
			]);
		expect(said('Ada')[1]).toContain('Files that are attached in Teams are not read');
		chats.write('Ada', 'Ada', 'And now?');
		await stage.run('Every Minute');
		await stage.sandbox.waitForQuestion(({ text }) => text === 'And now?');
		chats.write('Ada', 'Ada', 'And then?');
		await stage.answered();
		await stage.answered();
		await stage.settled(1);
		const [first] = stage.sandbox.questions.filter(({ text }) => text.includes('CFO'));
		expect(stage.sandbox.questions.slice(3)).toMatchObject(
			['And now?', 'And then?'].map((text) => ({
				text,
				sessionId: first?.sessionId,
				visibility: 'private',
			})),
		);
	});

	test('n8n was killed before it answered: the chat is asked about again after 45 minutes, and after three times a lawyer gets it', async () => {
		chats.write('Cid', 'Cid', 'May we?');
		chats.write('Cid', 'me', "I'm looking into it.");
		for (const from of ['Dan', 'me', 'me', 'me']) chats.write('Dan', from, "I'm looking into it.");
		chats.write('Eli', 'Eli', 'And we?');
		for (const html of ['Yes.', "I'm looking into it."]) chats.write('Eli', 'me', html);
		await look(0);
		expect(stage.sandbox.questions).toEqual([]);
		for (const id of ['Cid', 'Dan', 'Eli']) ago(id);
		await look(2);
		expect(stage.sandbox.questions.map(({ text }) => text).sort()).toEqual(['And we?', 'May we?']);
		expect(said('Cid').at(-1)).toContain('<strong>Yes</strong>');
		expect(said('Dan').at(-1)).toContain('The legal team will look at it');
		expect(stage.taskTitles()).toEqual([expect.stringMatching(/^Answer in Teams: /)]);
	});

	test('n8n is off for 45 minutes while a question waits for its answer: it is asked again, and answered once', async () => {
		chats.write('Hal', 'Hal', 'May we?');
		await stage.run('Every Minute');
		await stage.sandbox.waitForQuestion(() => true);
		ago('Hal');
		await look(2);
		expect(said('Hal').slice(2)).toEqual([expect.stringContaining('Written by an AI')]);
	});

	test.each([
		[
			'Fay',
			'is not answered',
			() => {
				stage.answer('error', 'Not for us.');
			},
			1,
			'The legal team will look at it',
			1,
		],
		[
			'Gus',
			'meets a key that has expired',
			() => void stage.expireKey(),
			0,
			'Please ask the legal team yourself',
			0,
		],
	])(
		'the chat of %s, whose question %s, says so',
		async (name, _what, fail, questions, words, created) => {
			fail();
			chats.write(name, name, 'May we?');
			await look(questions);
			expect([said(name).at(-1), stage.taskTitles().length]).toEqual([
				expect.stringContaining(words),
				created,
			]);
		},
	);
});
