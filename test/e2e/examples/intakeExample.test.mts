import { createHash } from 'node:crypto';

import { afterEach, expect, test } from 'vitest';

import { bundledContract, intakeAnswers, readExample, withTexts } from '../../../harness/examples.mts';
import { lastPage, submitForm } from '../../../harness/form.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { answerOnceParked } from '../parkedQuestions.mts';
import { serviceOfThisFile } from '../service.mts';

const { n8n, sandbox, credential } = await serviceOfThisFile();
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
	workflow = await n8n.publish(withTexts(await readExample('intake.json', credential), texts));
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
