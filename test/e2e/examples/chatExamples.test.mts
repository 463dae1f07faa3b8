import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { asRecord, asText } from '../../../harness/unknownJson.mts';
import { Stage } from './stage.mts';

const login = { user: 'colleague', password: 'secret' };
const counterparty = 'counsel@meridian.example';

const stage = await Stage.ofThisFile({ httpBasicAuth: login });

/** Mentions the app in a channel, and waits until the workflow is through with it. */
async function mention(workflow: StoredWorkflow, text: string, ts: string, thread?: string): Promise<void> {
	const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.slackTrigger');
	const event = {
		type: 'app_mention',
		user: 'U1',
		channel: 'C1',
		text: `<@U0LEGAL> ${text}`,
		ts,
		...(thread !== undefined && { thread_ts: thread }),
	};
	const url = `${stage.n8n.baseUrl}/webhook/${trigger?.webhookId ?? ''}/webhook`;
	await stage.finished(
		await stage.asked(workflow, async () => {
			expect(await stage.products.slack.report(url, event)).toBe(200);
		}),
	);
}

/** What was said in a thread, oldest first. */
function saidIn(thread: string): string[] {
	const messages = stage.products.slack.calls.filter(
		({ method, body }) => method === 'chat.postMessage' && body.thread_ts === thread,
	);
	return messages.map(({ body }) => JSON.stringify(body.blocks));
}

test('ask-in-slack.json: a question is answered in its thread, and a follow-up there continues its session', async () => {
	const workflow = await stage.publish('ask-in-slack.json');
	stage.sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `**Yes**, to: ${text}` });
	await mention(workflow, 'May we sign this?', '1.1');
	await mention(workflow, 'And that one?', '1.2', '1.1');
	await mention(workflow, 'Something else.', '1.3');

	const [first, followUp, other] = stage.sandbox.questions;
	expect([first, followUp, other].map((question) => question?.text)).toEqual([
		'May we sign this?',
		'And that one?',
		'Something else.',
	]);
	expect(followUp?.sessionId).toBe(first?.sessionId);
	expect(other?.sessionId).not.toBe(first?.sessionId);
	expect(saidIn('1.1')).toEqual([expect.stringContaining('to: May we sign this?'), expect.stringContaining('to: And that one?')]);
	expect(saidIn('1.3')).toEqual([expect.stringContaining('to: Something else.')]);
	const reactions = stage.products.slack.calls
		.filter(({ method }) => method === 'reactions.add')
		.map(({ body }) => body.timestamp);
	expect(reactions).toEqual(['1.1', '1.2', '1.3']);
});

test.each([
	['that is declined', 'filtered', '2.1', 'Not for us.', []],
	['that could not be answered', 'error', '2.2', 'The legal team will look at it', ['Answer in Slack: May we sign this?']],
] as const)('ask-in-slack.json: a question %s is told so in its thread', async (_what, status, ts, text, tasks) => {
	const workflow = await stage.publish('ask-in-slack.json');
	stage.answer(status, 'Not for us.');
	await mention(workflow, 'May we sign this?', ts);
	expect(saidIn(ts)).toEqual([expect.stringContaining(text)]);
	expect(stage.taskTitles()).toEqual(tasks);
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
		const headers = { authorization: `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}` };
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

test.each([
	['Approve', 1],
	['Decline', 0],
] as const)(
	'chat-agent.json: an email to the counterparty is sent only if the lawyer clicks Approve (%s)',
	async (click, sent) => {
		const workflow = await stage.publish('chat-agent.json');
		stage.model.reply = ({ toolResults: [result] }) => {
			if (result !== undefined) return `The email: ${result}`;
			const toolParameters = { To: counterparty, Subject: 'Your NDA', Text: 'We will sign.' };
			return { tool: 'Email_Counterparty', arguments: { toolParameters, hitlParameters: {} } };
		};
		const chat = new Chat(workflow);
		const id = await stage.asked(workflow, async () => {
			await chat.send('Tell Meridian that we will sign.');
		});
		expect(stage.smtp.emails.filter(({ to }) => to.text === counterparty)).toEqual([]);
		expect(await stage.click(click)).toContain(counterparty);
		await chat.reply();
		await stage.finished(id);
		expect(stage.smtp.emails.filter(({ to }) => to.text === counterparty)).toHaveLength(sent);
	},
);
