import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { bundledContract, credentialType, readExample } from '../../support/n8n/examples.mts';
import { MicrosoftGraph, type MailReply } from '../microsoftGraph.mts';
import type { N8nClient, StoredWorkflow } from '../../support/n8n/n8nClient.mts';
import { answerOnceParked } from '../parkedQuestions.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';

const redline = Buffer.from('A redline');
const contentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

let n8n: N8nClient;
let sandbox: Sandbox;
let graph: MicrosoftGraph;
let workflow: StoredWorkflow;
beforeAll(async () => {
	n8n = connectToSharedN8n(inject('n8n'));
	[sandbox, graph] = await Promise.all([startSandbox(), MicrosoftGraph.start()]);
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const credentials = [
		await n8n.createCredential(credentialType, 'Outlook', { baseUrl, apiKey, webhookSecret }),
		await n8n.createCredential('microsoftOutlookOAuth2Api', 'Outlook', graph.credential),
	];
	workflow = await n8n.createWorkflow(await readExample('vendor-paper.json', ...credentials));
});
afterAll(async () => {
	await Promise.all([graph.close(), sandbox.close()]);
});

/** Puts an email with a contract into the inbox, and publishes the workflow: n8n looks into it at once. Returns the reply. */
async function receive(subject: string): Promise<MailReply | undefined> {
	const contract = await bundledContract('services-agreement.docx');
	const id = randomUUID();
	const attachments = [{ name: contract.fileName, contentType: contract.contentType, content: contract.content }];
	graph.inbox.splice(0, Infinity, { id, from: 'vendor@meridian.example', subject, bodyPreview: 'Our paper.', attachments });
	const known = await n8n.executions(workflow.id);
	await n8n.activate(workflow);
	const execution = await n8n.waitForExecution(await answerOnceParked(n8n, sandbox, workflow, known));
	await n8n.deactivate(workflow);
	expect(execution.failure).toBeUndefined();
	return graph.replies.find(({ to, isSent }) => to === id && isSent);
}

test("vendor-paper.json: a vendor's contract is redlined, and the redline is the reply in its thread", async () => {
	const attachments = [{ fileName: 'Redline.docx', contentType, content: redline }];
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Redlined.', attachments });
	expect(await receive('Services agreement')).toMatchObject({ attachments: [{ name: 'Redline.docx', content: redline }] });
	expect(sandbox.questions).toMatchObject([{ attachments: [{ fileName: 'services-agreement.docx' }] }]);
	expect(sandbox.questions[0]?.text).toContain('SaaS Procurement');
});

test.each([
	['an answer without a redline', 'completed', 'There is **nothing** to change.', 'There is <strong>nothing</strong> to change.'],
	['the reason for declining', 'filtered', 'We do not review this.', 'We do not review this.'],
] as const)('vendor-paper.json: %s is the reply in its thread', async (_what, status, answer, text) => {
	sandbox.settings.answer = () => ({ status, answer });
	const reply = await receive('Services agreement');
	expect(reply).toMatchObject({ attachments: [] });
	expect(reply?.text).toContain(text);
});

test('vendor-paper.json: what could not be redlined becomes a task for a lawyer', async () => {
	sandbox.settings.answer = () => ({ status: 'error', answer: 'The file is damaged.' });
	expect(await receive('A damaged contract')).toBeUndefined();
	const task = sandbox.tasks.ordered().find(({ title }) => title === 'Redline: A damaged contract');
	expect(task?.description).toContain('The file is damaged.');
});
