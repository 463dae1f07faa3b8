import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { credentialType, readExample } from '../../support/n8n/examples.mts';
import { submitForm } from '../../support/n8n/form.mts';
import { type LanguageModel, startLanguageModel } from '../languageModel.mts';
import type { N8nClient, StoredWorkflow } from '../../support/n8n/n8nClient.mts';
import { answerOnceParked } from '../parkedQuestions.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';
import { linkIn, SmtpServer } from '../smtpServer.mts';

const asker = 'sales@hawthorn.example';
const counterparty = 'counsel@meridian.example';

let n8n: N8nClient;
let sandbox: Sandbox;
let smtp: SmtpServer;
let model: LanguageModel;
let workflow: StoredWorkflow;
beforeAll(async () => {
	n8n = connectToSharedN8n(inject('n8n'));
	sandbox = await startSandbox();
	[smtp, model] = await Promise.all([SmtpServer.start(), startLanguageModel()]);
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const example = await readExample(
		'agent.json',
		await n8n.createCredential(credentialType, 'Assistant', { baseUrl, apiKey, webhookSecret }),
		await n8n.createCredential('smtp', 'Assistant', smtp.credential),
		await n8n.createCredential('openAiApi', 'Assistant', { apiKey: 'none', url: model.baseUrl }),
	);
	workflow = await n8n.publish(example);
});
beforeEach(async () => {
	smtp.emails.length = 0;
	await sandbox.reset();
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to: ${text}` });
});
afterAll(async () => {
	await n8n.deactivate(workflow);
	await Promise.all([smtp.close(), model.close(), sandbox.close()]);
});

test.each([
	['Approve', true],
	['Decline', false],
] as const)('agent.json: the agent asks the service, and its email leaves only if the lawyer clicks Approve (%s)', async (click, isSent) => {
	model.reply = ({ toolResults: [answer, email] }) => {
		if (answer === undefined) return { tool: 'Ask_Legal', arguments: { Question: 'May we sign the NDA?' } };
		if (email !== undefined) return `I know: ${answer}. The email: ${email}`;
		const toolParameters = { To: counterparty, Subject: 'Your NDA', Text: 'We will sign.' };
		return { tool: 'Email_Counterparty', arguments: { toolParameters, hitlParameters: {} } };
	};
	const known = await n8n.executions(workflow.id);
	const answers = { 'Your Email': asker, Request: 'May we sign the NDA? If so, tell Meridian.' };
	expect(await submitForm(n8n.baseUrl, workflow, answers)).toMatchObject({ status: 200 });

	const id = await answerOnceParked(n8n, sandbox, workflow, known);
	const question = await smtp.waitForEmail(({ to }) => to.text === 'lawyer@example.com');
	expect(question.text).toContain(counterparty);
	expect(smtp.emails.filter(({ to }) => to.text === counterparty)).toEqual([]);
	await n8n.waitForExecution(id, ['waiting']);
	await fetch(linkIn(question, click), { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' } });

	const reply = await smtp.waitForEmail(({ to }) => to.text === asker);
	expect(reply.text).toContain('Answer to: May we sign the NDA?');
	expect((await n8n.waitForExecution(id)).failure).toBeUndefined();
	expect(smtp.emails.filter(({ to }) => to.text === counterparty)).toHaveLength(isSent ? 1 : 0);
});
