import { createHash } from 'node:crypto';

import { afterEach, expect, test } from 'vitest';

import { bundledContract, intakeAnswers, readExample, withTexts } from '../../../harness/examples.mts';
import { formLogin, formPath, formTrigger, lastPage, submitForm } from '../../../harness/form.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { answerOnceParked } from '../parkedQuestions.mts';
import { serviceOfThisFile } from '../service.mts';

const { n8n, sandbox, credential } = await serviceOfThisFile();
const login = await n8n.createCredential('httpBasicAuth', 'Form', formLogin);
let workflow: StoredWorkflow;
afterEach(async () => {
	await n8n.deactivate(workflow);
});

test.each([
	['the review', 'May we sign this?', {}, 'Liability is capped', []],
	['why the request was declined', 'Marry me? [filtered]', {}, 'It is out of scope.', []],
	[
		'that a lawyer takes over',
		'Too hard. [error]',
		{},
		'The legal team will look at your request',
		['Review: Too hard. [error]'],
	],
	[
		'that a lawyer takes over what takes too long',
		'Slow.',
		{ '"unsupportedFiles":"skip"': '"maxWait":0' },
		'The legal team will look at your request',
		['Review: Slow.'],
	],
])('intake.json: the last page of the form shows %s', async (_what, subject, texts, shown, tasks) => {
	sandbox.tasks.clear();
	workflow = await n8n.publish(withTexts(await readExample('intake.json', credential, login), texts));
	const contract = await bundledContract('mutual-nda.pdf');
	const { status, body } = await submitForm(n8n.baseUrl, workflow, { ...intakeAnswers(contract), Subject: subject });
	expect(status).toBe(200);
	const id = await answerOnceParked(n8n, sandbox, workflow, []);

	expect(await lastPage(body)).toContain(shown);
	expect((await n8n.waitForExecution(id)).failure).toBeUndefined();
	const sha256 = createHash('sha256').update(contract.content).digest('hex');
	expect(sandbox.questions).toMatchObject([
		{ attachments: [{ fileName: 'mutual-nda.pdf', contentType: contract.contentType, sha256 }], visibility: 'organization' },
	]);
	expect(sandbox.tasks.ordered().map(({ title }) => title)).toEqual(tasks);
});

test('intake.json: the answer becomes a page with a title, lists and tables; whoever has no password gets no form', async () => {
	sandbox.settings.answer = () => ({ status: 'completed', answer: '1. Term\n2. Liability\n\n| Clause | Risk |\n|---|---|\n| 4 | high |', after: Infinity });
	workflow = await n8n.publish(await readExample('intake.json', credential, login));
	const form = `${n8n.baseUrl}/form/${formPath(formTrigger(workflow))}`;
	expect((await fetch(form)).status).toBe(401);
	expect((await submitForm(n8n.baseUrl, workflow, {}, { user: 'someone', password: 'else' })).status).toBe(401);
	expect(await n8n.executions(workflow.id)).toEqual([]);

	const { body } = await submitForm(n8n.baseUrl, workflow, intakeAnswers(await bundledContract('mutual-nda.pdf')));
	await answerOnceParked(n8n, sandbox, workflow, []);
	const page = await lastPage(body);
	for (const part of ['<h1>The review</h1>', '<li>Liability</li>', '<td>high</td>', '.page table {']) expect(page).toContain(part);
	expect(page).not.toContain('| Clause |');
});

test('intake.json: a file that the service refuses is taken over by a lawyer', async () => {
	sandbox.tasks.clear();
	sandbox.faults.add({ kind: 'status', status: 400, body: { error_code: 'unsupported_file_type', message: 'Not this one.' }, match: 'POST /files/upload-url' });
	workflow = await n8n.publish(await readExample('intake.json', credential, login));
	const { body } = await submitForm(n8n.baseUrl, workflow, intakeAnswers(await bundledContract('mutual-nda.pdf')));
	expect(await lastPage(body)).toContain('The legal team will look at your request');
	expect(sandbox.tasks.ordered()).toHaveLength(1);
});
