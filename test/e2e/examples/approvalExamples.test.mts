import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { bundledContract, credentialType, readExample } from '../../support/n8n/examples.mts';
import { type Execution, itemsOf } from '../../support/n8n/executions.mts';
import { submitForm, type FormAnswers } from '../../support/n8n/form.mts';
import { MicrosoftGraph } from '../microsoftGraph.mts';
import type { N8nClient, StoredCredential, StoredWorkflow } from '../../support/n8n/n8nClient.mts';
import { answerOnceParked } from '../parkedQuestions.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';
import { linkIn, SmtpServer } from '../smtpServer.mts';

const asker = 'sales@hawthorn.example';
const lawyer = 'lawyer@example.com';

let n8n: N8nClient;
let sandbox: Sandbox;
let smtp: SmtpServer;
let graph: MicrosoftGraph;
let credentials: StoredCredential[];
let published: StoredWorkflow | undefined;
beforeAll(async () => {
	n8n = connectToSharedN8n(inject('n8n'));
	sandbox = await startSandbox();
	[smtp, graph] = await Promise.all([SmtpServer.start(), MicrosoftGraph.start()]);
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	credentials = [
		await n8n.createCredential(credentialType, 'Approvals', { baseUrl, apiKey, webhookSecret }),
		await n8n.createCredential('smtp', 'Approvals', smtp.credential),
		await n8n.createCredential('microsoftOneDriveOAuth2Api', 'Approvals', graph.credential),
	];
});
beforeEach(async () => {
	smtp.emails.length = 0;
	await sandbox.reset();
});
afterAll(async () => {
	if (published !== undefined) await n8n.deactivate(published);
	await Promise.all([smtp.close(), graph.close(), sandbox.close()]);
});

/** Publishes an example in place of the one before, and runs its set-up where it has one. */
async function publish(name: string): Promise<StoredWorkflow> {
	if (published !== undefined) await n8n.deactivate(published);
	published = await n8n.publish(await readExample(name, ...credentials));
	if (published.nodes.some((node) => node.name === 'Set Up Once')) {
		await n8n.waitForExecution(await n8n.run(published, { trigger: 'Set Up Once' }));
	}
	return published;
}

/** Sends a form in; where a lawyer is to be asked, clicks what they click. Returns the execution once it is over. */
async function request(workflow: StoredWorkflow, answers: FormAnswers, click?: 'Approve' | 'Decline'): Promise<Execution> {
	const known = await n8n.executions(workflow.id);
	expect(await submitForm(n8n.baseUrl, workflow, { 'Your Email': asker, ...answers })).toMatchObject({ status: 200 });
	const id = await answerOnceParked(n8n, sandbox, workflow, known);
	if (click !== undefined) {
		const question = await smtp.waitForEmail(({ to }) => to.text === lawyer);
		await n8n.waitForExecution(id, ['waiting']);
		const page = await fetch(linkIn(question, click), { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' } });
		expect(await page.text()).toContain('Got it, thanks');
	}
	const execution = await n8n.waitForExecution(id);
	expect(execution.failure).toBeUndefined();
	return execution;
}

test.each([
	['approved', 'May we sign?', 'Approve', 'You can sign it', { status: 'completed', decision: 'approved' }],
	['refused', 'May we sign?', 'Decline', 'not approved', { status: 'completed', decision: 'not approved' }],
	['declined by the assistant', '[filtered]', undefined, 'out of scope', { status: 'filtered', decision: 'declined by the assistant' }],
	['not answered', '[error]', undefined, 'The legal team will look at it', { status: 'error', decision: 'not answered' }],
] as const)('nda-triage.json: an NDA that is %s is answered and recorded so', async (_what, marker, click, text, record) => {
	const workflow = await publish('nda-triage.json');
	const counterparty = `Meridian ${marker}`;
	const execution = await request(workflow, { Counterparty: counterparty, NDA: [await bundledContract('mutual-nda.pdf')] }, click);

	expect(sandbox.questions).toMatchObject([{ attachments: [{ fileName: 'mutual-nda.pdf' }] }]);
	expect(sandbox.questions[0]?.text).toContain('Mutual NDA');
	expect((await smtp.waitForEmail(({ to }) => to.text === asker)).text).toContain(text);
	expect(smtp.emails).toHaveLength(click === undefined ? 1 : 2);
	expect(itemsOf(execution, 'Record Decision')).toMatchObject([
		{ json: { ...record, counterparty, asked_by: asker, question_id: sandbox.questions[0]?.id } },
	]);
});

test('draft-from-template.json: an approved draft is filed and sent, although its first links have expired', async () => {
	const workflow = await publish('draft-from-template.json');
	const content = Buffer.from('A draft');
	const contentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Drafted.', attachments: [{ fileName: 'NDA.docx', contentType, content }] });
	const isAsked = smtp.waitForEmail(({ to }) => to.text === lawyer).then(() => {
		sandbox.advance(25 * 60 * 60 * 1000);
	});
	await request(workflow, { Counterparty: 'Meridian/Ltd', Purpose: 'A pilot' }, 'Approve');
	await isAsked;

	expect(sandbox.questions[0]?.text).toContain('Non-Disclosure Agreement');
	expect(graph.files).toEqual([{ path: expect.stringMatching(/^root:\/\d{4}-\d\d-\d\d NDA MeridianLtd\.docx$/) as unknown, content }]);
	const sent = await smtp.waitForEmail(({ to }) => to.text === asker);
	expect(sent.attachments).toMatchObject([{ filename: 'NDA.docx', content }]);
});

test.each([
	['refused', 'A pilot', 'Decline', 'not approved'],
	['declined by the assistant', '[filtered]', undefined, 'out of scope'],
	['not made', '[error]', undefined, 'The legal team will look at it'],
] as const)('draft-from-template.json: whoever asked hears of a draft that was %s', async (_what, purpose, click, text) => {
	const workflow = await publish('draft-from-template.json');
	graph.files.length = 0;
	await request(workflow, { Counterparty: 'Meridian', Purpose: purpose }, click);
	expect((await smtp.waitForEmail(({ to }) => to.text === asker)).text).toContain(text);
	expect(graph.files).toEqual([]);
});
