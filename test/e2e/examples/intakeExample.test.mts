import { createHash } from 'node:crypto';

import { bundledContract, intakeAnswers, readExample } from '../../../harness/examples.mts';
import { type FormAnswers, formLogin, lastPage, submitForm } from '../../../harness/form.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { answerOnceParked } from '../../support/n8n/parkedQuestions.mts';
import { serviceOfThisFile } from '../../support/n8n/service.mts';

const { n8n, sandbox, credential } = await serviceOfThisFile();
const login = await n8n.createCredential('httpBasicAuth', 'Form', formLogin);
const contract = await bundledContract('mutual-nda.pdf');
let workflow: StoredWorkflow;
afterEach(async () => {
	await n8n.deactivate(workflow);
});

async function publish() {
	sandbox.tasks.clear();
	workflow = await n8n.publish(await readExample('intake.json', credential, login));
}

/** Sends the contract in. Returns the last page of the form, once the service has answered. */
async function submit(answers: FormAnswers = {}) {
	const { status, body } = await submitForm(n8n.baseUrl, workflow, {
		...intakeAnswers(contract),
		...answers,
	});
	expect(status).toBe(200);
	const id = await answerOnceParked(n8n, sandbox, workflow, []);
	const page = await lastPage(body);
	expect((await n8n.waitForExecution(id)).failure).toBeUndefined();
	return page;
}

test.each([
	['the review', 'May we sign this?', 'Liability is capped', []],
	['why the request was declined', 'Marry me? [filtered]', 'It is out of scope.', []],
	[
		'that a lawyer takes over',
		'Too hard. [error]',
		'The legal team will look at your request',
		['Review: Too hard. [error]'],
	],
])('intake.json: the last page of the form shows %s', async (_what, subject, shown, tasks) => {
	await publish();
	expect(await submit({ Subject: subject })).toContain(shown);
	const sha256 = createHash('sha256').update(contract.content).digest('hex');
	expect(sandbox.questions).toMatchObject([
		{
			attachments: [{ fileName: 'mutual-nda.pdf', contentType: contract.contentType, sha256 }],
			visibility: 'private',
		},
	]);
	expect(sandbox.tasks.ordered().map(({ title }) => title)).toEqual(tasks);
});

test('intake.json: the answer becomes a page with a title, lists and tables, below a line that says who wrote it, and HTML in it stays text; whoever has no password gets no form', async () => {
	sandbox.settings.answer = () => ({
		status: 'completed',
		answer: '1. Term\n2. Liability <b>\n\n| Clause | Risk |\n|---|---|\n| 4 | high |',
		after: Infinity,
	});
	await publish();
	expect((await fetch(`${n8n.baseUrl}/form/legal-intake`)).status).toBe(401);
	expect(
		(await submitForm(n8n.baseUrl, workflow, {}, { user: 'someone', password: 'else' })).status,
	).toBe(401);
	const page = await submit();
	for (const part of [
		'<h1>The review</h1>',
		'<li>Liability &lt;b&gt;</li>',
		'<td>high</td>',
		'.page table {',
	])
		expect(page).toContain(part);
	expect(page).toMatch(/Written by Legal AI\. No lawyer has checked it yet\.[^]*<li>Term/);
	expect(page).not.toMatch(/\| Clause \||\/sessions\//);
	expect(await n8n.executions(workflow.id)).toHaveLength(1);
});
