import { afterAll, beforeAll, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { credentialType, readExample } from '../../support/n8n/examples.mts';
import { type N8n, startN8n } from '../../support/n8n/n8n.mts';
import type { StoredWorkflow } from '../../support/n8n/n8nClient.mts';
import { answerOnceParked } from '../parkedQuestions.mts';
import { SlackService } from '../slackService.mts';

let n8n: N8n;
let sandbox: Sandbox;
let slack: SlackService;
let workflow: StoredWorkflow;
beforeAll(async () => {
	slack = await SlackService.start();
	n8n = await startN8n({ environment: slack.environment });
	sandbox = await startSandbox();
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const example = await readExample(
		'ask-in-slack.json',
		await n8n.createCredential(credentialType, 'Slack', { baseUrl, apiKey, webhookSecret }),
		await n8n.createCredential('slackApi', 'Slack', slack.credential),
	);
	workflow = await n8n.publish(example);
	await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Set Up Once' }));
});
afterAll(async () => {
	await n8n.close();
	await Promise.all([slack.close(), sandbox.close()]);
});

/** Mentions the app in a channel, and waits until the workflow is through with it. */
async function mention(text: string, ts: string, thread?: string): Promise<void> {
	const known = await n8n.executions(workflow.id);
	const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.slackTrigger');
	const event = { type: 'app_mention', user: 'U1', channel: 'C1', text: `<@U0LEGAL> ${text}`, ts, ...(thread !== undefined && { thread_ts: thread }) };
	expect(await slack.report(`${n8n.baseUrl}/webhook/${trigger?.webhookId ?? ''}/webhook`, event)).toBe(200);
	const execution = await n8n.waitForExecution(await answerOnceParked(n8n, sandbox, workflow, known));
	expect(execution.failure).toBeUndefined();
}

/** What was said in a thread, oldest first. */
function saidIn(thread: string): string[] {
	const messages = slack.calls.filter(({ method, body }) => method === 'chat.postMessage' && body.thread_ts === thread);
	return messages.map(({ body }) => JSON.stringify(body.blocks));
}

test('ask-in-slack.json: a question is answered in its thread, and a follow-up there continues its session', async () => {
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `**Yes**, to: ${text}` });
	await mention('May we sign this?', '1.1');
	await mention('And that one?', '1.2', '1.1');
	await mention('Something else.', '1.3');

	const [first, followUp, other] = sandbox.questions;
	expect([first, followUp, other].map((question) => question?.text)).toEqual(['May we sign this?', 'And that one?', 'Something else.']);
	expect(followUp?.sessionId).toBe(first?.sessionId);
	expect(other?.sessionId).not.toBe(first?.sessionId);
	expect(saidIn('1.1')).toEqual([expect.stringContaining('to: May we sign this?'), expect.stringContaining('to: And that one?')]);
	expect(saidIn('1.3')).toEqual([expect.stringContaining('to: Something else.')]);
	const reactions = slack.calls.filter(({ method }) => method === 'reactions.add').map(({ body }) => body);
	expect(reactions).toMatchObject(['1.1', '1.2', '1.3'].map((timestamp) => ({ channel: 'C1', timestamp, name: 'eyes' })));
});

test.each([
	['that is declined', 'filtered', '2.1', 'Not for us.'],
	['that could not be answered', 'error', '2.2', 'The legal team will look at it'],
] as const)('ask-in-slack.json: a question %s is told so in its thread', async (_what, status, ts, text) => {
	sandbox.settings.answer = () => ({ status, answer: 'Not for us.' });
	await mention('May we sign this?', ts);
	expect(saidIn(ts)).toEqual([expect.stringContaining(text)]);
});
