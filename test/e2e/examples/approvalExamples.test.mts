import { expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { submitForm, type FormAnswers } from '../../../harness/form.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { Stage } from './stage.mts';

const asker = 'sales@hawthorn.example';

const stage = await Stage.ofThisFile();

async function request(workflow: StoredWorkflow, answers: FormAnswers): Promise<string> {
	return await stage.asked(workflow, async () => {
		expect(
			await submitForm(stage.n8n.baseUrl, workflow, { 'Your Email': asker, Counterparty: 'Meridian/Ltd', ...answers }),
		).toMatchObject({ status: 200 });
	});
}

test.each([
	['approved', 'completed', 'Approve', 'You can sign it', 'approved'],
	['not approved', 'completed', 'Decline', "Please don't sign", 'not approved'],
	['declined by the assistant', 'filtered', undefined, "Please don't sign", 'not reviewed'],
	['not reviewed', 'error', undefined, "Please don't sign", 'not reviewed'],
] as const)(
	'nda-triage.json: an NDA that is %s is answered in fixed words, and recorded so',
	async (_what, status, click, text, decision) => {
		const workflow = await stage.publish('nda-triage.json');
		stage.answer(status, '## Parties\n**Meridian** and us.');
		const id = await request(workflow, { NDA: [await bundledContract('mutual-nda.pdf')] });
		if (click !== undefined)
			expect(await stage.click(click)).toMatch(/Parties\s+Meridian and us\.\s+The NDA and the review:\s+http/);
		const execution = await stage.finished(id);

		expect(stage.sandbox.questions).toMatchObject([
			{ attachments: [{ fileName: 'mutual-nda.pdf' }], visibility: 'organization' },
		]);
		expect(stage.sandbox.questions[0]?.text).toContain('Mutual NDA');
		const told = stage.smtp.emails.filter(({ to }) => to.text === asker).map((email) => email.text);
		expect(told).toEqual([expect.stringContaining(text)]);
		expect(told[0]).not.toContain('Meridian and us');
		expect(stage.taskTitles()).toEqual(decision === 'approved' ? [] : [`NDA with Meridian/Ltd: get back to ${asker}`]);
		expect(itemsOf(execution, 'Record Decision')).toMatchObject([
			{ json: { decision, status, asked_by: asker, question_id: stage.sandbox.questions[0]?.id } },
		]);
	},
);

test('draft-from-template.json: an approved draft is filed and sent, although its first links have expired', async () => {
	const workflow = await stage.publish('draft-from-template.json');
	stage.answer('completed', 'A mutual NDA.', 'NDA.docx');
	const id = await request(workflow, { Purpose: 'A pilot' });
	await stage.smtp.waitForEmail(() => true);
	stage.sandbox.advance(25 * 60 * 60 * 1000);
	await stage.click('Approve');
	await stage.finished(id);

	expect(stage.sandbox.questions[0]?.text).toContain('Non-Disclosure Agreement');
	const content = Buffer.from('NDA.docx');
	expect(stage.products.microsoft.uploads).toEqual([
		{ path: expect.stringMatching(/^root:\/\d{4}-\d\d-\d\d NDA MeridianLtd\.docx$/) as unknown, content },
	]);
	expect(stage.smtp.emails.at(-1)).toMatchObject({ to: { text: asker }, attachments: [{ filename: 'NDA.docx', content }] });
	expect(stage.taskTitles()).toEqual([]);
});

test.each([
	['is not approved', 'completed', ['NDA.docx'], 'Decline'],
	['has an unexpected file with it', 'completed', ['NDA.docx', 'positions.docx'], undefined],
	['was declined by the assistant', 'filtered', [], undefined],
	['failed', 'error', [], undefined],
] as const)('draft-from-template.json: a draft that %s becomes a task, and is not sent', async (_what, status, files, click) => {
	const workflow = await stage.publish('draft-from-template.json');
	stage.answer(status, 'A mutual NDA.', ...files);
	stage.products.microsoft.uploads.length = 0;
	const id = await request(workflow, { Purpose: 'A pilot' });
	if (click !== undefined) await stage.click(click);
	await stage.finished(id);

	expect(stage.smtp.emails.at(-1)).toMatchObject({
		to: { text: asker },
		text: expect.stringContaining('The legal team will look at your request') as unknown,
		attachments: [],
	});
	expect(stage.taskTitles()).toEqual([`NDA with Meridian/Ltd: get back to ${asker}`]);
	expect(stage.products.microsoft.uploads).toEqual([]);
});

test('sharepoint-teams.json: each new file is reviewed and decided on by itself, and once', async () => {
	const { microsoft } = stage.products;
	const { content, contentType } = await bundledContract('mutual-nda.pdf');
	microsoft.folder.push(
		...['a.pdf', 'b.pdf', 'notes.txt'].map((fileName) => ({ id: `01${fileName}`, fileName, contentType, content })),
	);
	const workflow = await stage.publish('sharepoint-teams.json');
	stage.answer('completed', '**Sign** with changes.');
	await stage.run(workflow, 'Every 15 Minutes');
	const reviews = (await stage.n8n.executions(workflow.id)).slice(0, -1);
	expect(reviews).toHaveLength(2);
	for (const { id } of reviews) await stage.n8n.waitForExecution(id, ['waiting']);
	for (const { id } of stage.sandbox.questions) await stage.sandbox.complete(id);
	for (const [name, button] of [
		['a.pdf', 'Approve'],
		['b.pdf', 'Decline'],
	] as const) {
		const asked = await until('the question', () =>
			Promise.resolve(microsoft.chat.find((message) => message.includes(`May ${name} be signed?`))),
		);
		expect(asked).toContain('Sign with changes.');
		await stage.open(new RegExp(`href="([^"]+)">[^<]*${button}`).exec(asked)?.[1] ?? '');
	}
	for (const { id } of reviews) await stage.finished(id);
	expect(microsoft.chat.slice(2)).toEqual(
		expect.arrayContaining([expect.stringContaining('a.pdf is approved.'), expect.stringContaining('b.pdf is not approved.')]),
	);
	expect(stage.taskTitles()).toEqual(['Review b.pdf']);

	await stage.run(workflow, 'Every 15 Minutes');
	expect(stage.sandbox.questions).toHaveLength(2);
});
