import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { formLogin } from '../../../harness/form.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';
import { Stage } from './stage.mts';

const stage = await Stage.ofThisFile();

describe('ask-in-slack.json', () => {
	const { slack } = stage.products;
	let messages = 0;
	/** A time that no message had before. */
	const nextTs = (): string => `${Date.now()}.${++messages}`;

	/** A mention of the app, as Slack reports it. */
	function mention(text: string, more: Readonly<Record<string, unknown>> = {}): JsonRecord & { readonly ts: string } {
		return { type: 'app_mention', user: 'U1', channel: 'C1', text: `<@U0LEGAL> ${text}`, ts: nextTs(), ...more };
	}

	async function report(workflow: StoredWorkflow, event: JsonRecord, eventId?: string): Promise<void> {
		const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.slackTrigger');
		expect(await slack.report(`${stage.n8n.baseUrl}/webhook/${trigger?.webhookId ?? ''}/webhook`, event, eventId)).toBe(200);
	}

	/** What was said in a thread, oldest first. */
	function saidIn(thread: string): string[] {
		const posted = slack.calls.filter(({ method, body }) => method === 'chat.postMessage' && body.thread_ts === thread);
		return posted.map(({ body }) => JSON.stringify(body.blocks ?? body.text));
	}
	const eyes = (): unknown[] => slack.calls.filter(({ method }) => method === 'reactions.add').map(({ body }) => body.timestamp);

	test('a question is answered in its thread, and a follow-up there continues its session', async () => {
		const workflow = await stage.publish('ask-in-slack.json');
		stage.sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `**Yes**, to: ${text}`, after: text === 'And that one?' ? Infinity : 0 });
		const first = mention('May we sign this?');
		const followUp = mention('And that one?', { thread_ts: first.ts });
		const other = mention('Something else.', { files: [{ name: 'nda.pdf' }] });
		for (const event of [first, followUp, other])
			await stage.finished(await stage.asked(workflow, async () => { await report(workflow, event); }));
		const { questions } = stage.sandbox;
		expect(questions.map(({ text }) => text)).toEqual(['May we sign this?', 'And that one?', 'Something else.']);
		expect(questions[1]?.sessionId).toBe(questions[0]?.sessionId);
		expect(questions[2]?.sessionId).not.toBe(questions[0]?.sessionId);
		expect(saidIn(first.ts)).toEqual([
			expect.stringContaining('to: May we sign this?'),
			expect.stringContaining('to: And that one?'),
		]);
		expect(saidIn(other.ts)).toEqual([expect.stringMatching(/to: Something else\..*Files that are attached in Slack are not read/)]);
		expect(eyes()).toEqual([first.ts, followUp.ts, other.ts]);
	});

	test('a follow-up before the answer continues the session', async () => {
		const workflow = await stage.publish('ask-in-slack.json');
		stage.sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: text, after: Infinity });
		const first = mention('First');
		await report(workflow, first);
		// Once its answer is looked for, its session is remembered.
		await until('a look for the answer', () =>
			Promise.resolve(stage.sandbox.requests.find(({ method, path }) => method === 'GET' && path.includes('/questions/'))),
		);
		const second = await stage.asked(workflow, async () => {
			await report(workflow, mention('Second', { thread_ts: first.ts }));
			await until('the refusal', () =>
				Promise.resolve(stage.sandbox.requests.find(({ method, status }) => method === 'POST' && status === 400)),
			);
			await stage.sandbox.complete(stage.sandbox.questions[0]?.id ?? '');
			await until('the question', () => Promise.resolve(stage.sandbox.questions[1]));
		});
		await stage.finished(second);
		expect(stage.sandbox.questions[1]?.sessionId).toBe(stage.sandbox.questions[0]?.sessionId);
	});

	test('Slack delivers a mention three times, two of them at once: it is asked and answered once', async () => {
		const workflow = await stage.publish('ask-in-slack.json');
		stage.sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: 0 });
		const event = mention('May we sign this?');
		await stage.started(workflow, async () => { await Promise.all([report(workflow, event, 'Ev1'), report(workflow, event, 'Ev1')]); });
		await report(workflow, event, 'Ev1');
		await until('three executions', async () => {
			const ended = (await stage.n8n.executions(workflow.id)).filter(({ status }) => status === 'success');
			return ended.length === 3 ? ended : undefined;
		});
		expect([stage.sandbox.questions.length, saidIn(event.ts).length, eyes().length]).toEqual([1, 1, 1]);
	});

	test('another app mentions it: nothing is asked', async () => {
		const workflow = await stage.publish('ask-in-slack.json');
		const event = mention('May we?', { bot_id: 'B1' });
		await stage.finished((await stage.started(workflow, async () => { await report(workflow, event); })).id);
		expect([stage.sandbox.questions.length, slack.calls]).toEqual([0, []]);
	});

	test('it is mentioned without a question: it asks for one', async () => {
		const workflow = await stage.publish('ask-in-slack.json');
		const event = mention('');
		await stage.finished((await stage.started(workflow, async () => { await report(workflow, event); })).id);
		expect([stage.sandbox.questions.length, saidIn(event.ts)]).toEqual([0, [expect.stringContaining('write your question')]]);
	});

	test.each([
		['declined', 'filtered', 'Not for us.', []],
		['not answered', 'error', 'The legal team will look at it', ['Answer in Slack: May we sign this?']],
	] as const)('a question that is %s is told so in its thread', async (_what, status, text, tasks) => {
		const workflow = await stage.publish('ask-in-slack.json');
		stage.sandbox.settings.answer = () => ({ status, answer: 'Not for us.', after: 0 });
		const event = mention('May we sign this?');
		await stage.finished((await stage.started(workflow, async () => { await report(workflow, event); })).id);
		expect(saidIn(event.ts)).toEqual([expect.stringContaining(text)]);
		expect(stage.taskTitles()).toEqual(tasks);
	});

	test('the service refuses the question: it becomes a task', async () => {
		const workflow = await stage.publish('ask-in-slack.json');
		const event = mention(`May we sign this?${' Please.'.repeat(1300)}`);
		await stage.finished((await stage.started(workflow, async () => { await report(workflow, event); })).id);
		expect(saidIn(event.ts)).toEqual([expect.stringContaining('The legal team will look at it')]);
		expect(stage.taskTitles()).toEqual([expect.stringContaining('Answer in Slack: May we sign this?')]);
	});

	test('the key has expired: the thread says so, and the execution fails', async () => {
		const workflow = await stage.publish('ask-in-slack.json');
		stage.expireKey();
		const event = mention('May we sign this?');
		const execution = await stage.started(workflow, async () => { await report(workflow, event); });
		expect(execution.failure?.message).toContain('was not answered');
		expect(saidIn(event.ts)).toEqual([expect.stringContaining('Please ask the legal team yourself')]);
	});

	test('Slack does not take the answer and the execution is retried: it is posted, and nothing is asked again', async () => {
		const workflow = await stage.publish('ask-in-slack.json');
		stage.sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: 0 });
		stage.products.refuse(/chat\.postMessage/, 503, 1);
		const event = mention('May we sign this?');
		const failed = await stage.started(workflow, async () => { await report(workflow, event); });
		expect(failed.status).toBe('error');
		expect((await stage.retried(workflow, failed)).status).toBe('success');
		expect([stage.sandbox.questions.length, saidIn(event.ts).length]).toEqual([1, 1]);
	});
});

/** The hosted chat, as its page in a browser talks to n8n. */
class Chat {
	readonly replies: string[] = [];
	readonly #workflow: StoredWorkflow;
	readonly #sessionId = randomUUID();

	constructor(workflow: StoredWorkflow) {
		this.#workflow = workflow;
	}

	/** Sends a message, with a file if there is one, and listens for replies. */
	async send(chatInput: string, file?: File): Promise<void> {
		const form = new FormData();
		for (const [name, value] of Object.entries({ action: 'sendMessage', sessionId: this.#sessionId, chatInput }))
			form.set(name, value);
		if (file !== undefined) form.set('files', file);
		const trigger = this.#workflow.nodes.find(({ type }) => type.endsWith('.chatTrigger'));
		const headers = { authorization: `Basic ${Buffer.from(`${formLogin.user}:${formLogin.password}`).toString('base64')}` };
		const answer = await fetch(`${stage.n8n.baseUrl}/webhook/${trigger?.webhookId ?? ''}/chat`, {
			method: 'POST',
			body: form,
			headers,
		});
		expect(answer.status).toBe(200);
		const { executionId, resumeToken } = asRecord(await answer.json(), 'The answer to the chat');
		const query = new URLSearchParams({
			sessionId: this.#sessionId,
			executionId: asText(executionId, 'The execution'),
			isPublic: 'true',
			token: String(resumeToken),
		});
		const socket = new WebSocket(`${stage.n8n.baseUrl.replace('http', 'ws')}/chat?${query.toString()}`);
		socket.addEventListener('message', ({ data }) => {
			if (String(data) === 'n8n|heartbeat') socket.send('n8n|heartbeat-ack');
			else if (!String(data).startsWith('n8n|')) this.replies.push(String(data));
		});
	}

	async reply(): Promise<string> {
		return await until('a reply', () => Promise.resolve(this.replies.at(-1)));
	}
}

test('chat-agent.json: the agent asks about the attached contract, and goes on in its session', async () => {
	const workflow = await stage.publish('chat-agent.json');
	stage.answer('completed', 'Liability is unlimited.');
	stage.model.reply = ({ toolResults: [answer] }) =>
		answer ?? { tool: 'Review_Contract', arguments: { Question: 'Is liability limited?' } };
	const chat = new Chat(workflow);
	const { content, contentType, fileName } = await bundledContract('mutual-nda.pdf');
	const id = await stage.asked(workflow, async () => {
		await chat.send('Is liability limited?', new File([new Uint8Array(content)], fileName, { type: contentType }));
	});
	expect(await chat.reply()).toContain('Liability is unlimited.');
	await stage.finished(id);
	const [first] = stage.sandbox.questions;
	expect(first).toMatchObject({ text: 'Is liability limited?', attachments: [{ fileName }] });

	stage.model.reply = ({ toolResults }) =>
		toolResults.length > 1
			? 'Then negotiate.'
			: { tool: 'Ask_Legal', arguments: { Question: 'Is that usual?', Session_ID: first?.sessionId ?? '' } };
	await stage.finished(
		await stage.asked(workflow, async () => {
			await chat.send('Is that usual?');
		}),
	);
	expect(stage.sandbox.questions[1]).toMatchObject({ text: 'Is that usual?', sessionId: first?.sessionId, attachments: [] });
});

test('chat-agent.json: an email to the counterparty becomes a task for a lawyer, and nothing is sent', async () => {
	const workflow = await stage.publish('chat-agent.json');
	stage.model.reply = ({ toolResults: [result] }) => {
		if (result !== undefined) return `A lawyer decides: ${result}`;
		const Description = 'To: counsel@meridian.example\nWe will sign.';
		return { tool: 'Create_Task_for_a_Lawyer', arguments: { Title: 'Email Meridian', Description } };
	};
	const chat = new Chat(workflow);
	await stage.started(workflow, async () => {
		await chat.send('Tell Meridian that we will sign.');
	});
	expect(await chat.reply()).toContain('A lawyer decides');
	expect(stage.sandbox.tasks.ordered()).toMatchObject([
		{ title: 'Email Meridian', description: expect.stringContaining('We will sign.') as unknown },
	]);
	expect(stage.smtp.emails).toEqual([]);
});

test('chat-agent.json: the key has expired: the agent is told that the question was not answered, and the chat gets a reply', async () => {
	const workflow = await stage.publish('chat-agent.json');
	stage.expireKey();
	stage.model.reply = ({ toolResults: [result] }) =>
		result === undefined
			? { tool: 'Ask_Legal', arguments: { Question: 'May we sign?', Session_ID: '' } }
			: `Ask the legal team. ${result}`;
	const chat = new Chat(workflow);
	await stage.started(workflow, async () => {
		await chat.send('May we sign?');
	});
	expect(await chat.reply()).toMatch(/Ask the legal team\. .*key/i);
});
