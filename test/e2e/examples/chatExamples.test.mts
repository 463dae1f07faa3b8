import { randomUUID } from 'node:crypto';

import { beforeEach, describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import type { Execution } from '../../../harness/executions.mts';
import { fileOf, formLogin } from '../../../harness/form.mts';
import { until } from '../../../harness/polling.mts';
import { asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';
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

describe('chat-agent.json', () => {
	let chat: Chat;
	beforeEach(async () => {
		await stage.publish('chat-agent.json');
		chat = new Chat();
	});

	test('the agent asks about the attached contract, and goes on in its session', async () => {
		stage.answer('completed', 'Liability is unlimited.');
		stage.model.reply = ({ toolResults: [answer] }) =>
			answer ?? { tool: 'Review_Contract', arguments: { Question: 'Is liability limited?' } };
		const contract = await bundledContract('mutual-nda.pdf');
		const id = await stage.asked(() => chat.send('Is liability limited?', fileOf(contract)));
		expect(await chat.reply()).toMatch(/^_Written by an AI:_[^]*Liability is unlimited\./);
		await stage.finished(id);
		const [first] = stage.sandbox.questions;
		expect(first).toMatchObject({
			text: 'Is liability limited?',
			attachments: [{ fileName: contract.fileName }],
		});

		stage.model.reply = ({ toolResults }) =>
			toolResults.length > 1
				? 'Then negotiate.'
				: {
						tool: 'Ask_Legal',
						arguments: { Question: 'Is that usual?', Session_ID: first?.sessionId ?? '' },
					};
		await stage.done(() => chat.send('Is that usual?'));
		expect(stage.sandbox.questions[1]).toMatchObject({
			text: 'Is that usual?',
			sessionId: first?.sessionId,
			attachments: [],
		});
	});

	test('an email to the counterparty becomes a task for a lawyer, and nothing is sent', async () => {
		const task = {
			Title: 'Email Meridian',
			Description: 'To: counsel@meridian.example\nWe will sign.',
		};
		stage.model.reply = ({ toolResults: [result] }) =>
			result === undefined
				? { tool: 'Create_Task_for_a_Lawyer', arguments: task }
				: `A lawyer decides: ${result}`;
		await stage.outcome(() => chat.send('Tell Meridian that we will sign.'));
		expect(await chat.reply()).toContain('A lawyer decides');
		expect(stage.sandbox.tasks.ordered()).toMatchObject([
			{
				title: task.Title,
				description: expect.stringMatching(
					/^Written by an AI in a chat[^]*We will sign\./,
				) as unknown,
			},
		]);
		expect(stage.smtp.emails).toEqual([]);
	});

	test('the key has expired: the agent is told that the question was not answered, and the chat gets a reply', async () => {
		stage.expireKey();
		stage.model.reply = ({ toolResults: [result] }) =>
			result === undefined
				? { tool: 'Ask_Legal', arguments: { Question: 'May we sign?', Session_ID: '' } }
				: `Ask the legal team. ${result}`;
		await stage.outcome(() => chat.send('May we sign?'));
		expect(await chat.reply()).toMatch(/Ask the legal team\. .*key/i);
	});
});

/** The hosted chat, as its page in a browser talks to n8n. */
class Chat {
	readonly #replies: string[] = [];
	readonly #sessionId = randomUUID();

	/** Sends a message, with a file if there is one, and listens for replies. */
	async send(chatInput: string, file?: File): Promise<void> {
		const form = new FormData();
		for (const [name, value] of Object.entries({
			action: 'sendMessage',
			sessionId: this.#sessionId,
			chatInput,
		}))
			form.set(name, value);
		if (file !== undefined) form.set('files', file);
		const authorization = `Basic ${Buffer.from(`${formLogin.user}:${formLogin.password}`).toString('base64')}`;
		const answer = await fetch(`${stage.webhookOf('chatTrigger')}/chat`, {
			method: 'POST',
			body: form,
			headers: { authorization },
		});
		expect(answer.status).toBe(200);
		const { executionId, resumeToken } = asRecord(await answer.json(), 'The answer to the chat');
		const query = new URLSearchParams({
			sessionId: this.#sessionId,
			executionId: asText(executionId, 'The execution'),
			isPublic: 'true',
			token: String(resumeToken),
		});
		const socket = new WebSocket(
			`${stage.n8n.baseUrl.replace('http', 'ws')}/chat?${query.toString()}`,
		);
		socket.addEventListener('message', ({ data }) => {
			if (String(data) === 'n8n|heartbeat') socket.send('n8n|heartbeat-ack');
			else if (!String(data).startsWith('n8n|')) this.#replies.push(String(data));
		});
	}

	/** The last reply, once there is one. */
	async reply(): Promise<string> {
		return await until('a reply', () => Promise.resolve(this.#replies.at(-1)));
	}
}
