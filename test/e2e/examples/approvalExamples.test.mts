import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
import type { FormAnswers } from '../../../harness/form.mts';
import { decideSoon, Stage } from '../../support/products/stage.mts';

const asker = 'sales@hawthorn.example';
/** The task that a lawyer gets for what was not approved. */
const toGetBack = `NDA with Meridian/Ltd: get back to ${asker}`;

const stage = await Stage.ofThisFile();
const { microsoft, slack } = stage.products;
const contract = await bundledContract('mutual-nda.pdf');

async function send(answers: FormAnswers = {}): Promise<void> {
	await stage.submit({ 'Your Email': asker, Counterparty: 'Meridian/Ltd', NDA: [contract], Purpose: 'A pilot', ...answers });
}

/** What the colleague was told by email. */
function told(): string[] {
	return stage.smtp.emails.filter(({ to }) => to.text === asker).map(({ text = '' }) => text.trim());
}

/** What the colleague was told, and sent, through Outlook. */
function toldInOutlook(): { html: string; attachments: unknown[] }[] {
	return microsoft.mails.filter(({ to }) => to === asker);
}

/** Puts contracts into the folder, and has the workflow find them. */
async function fill(...fileNames: readonly string[]): Promise<void> {
	microsoft.folder.push(...fileNames.map((fileName) => ({ ...contract, id: randomUUID(), fileName })));
	await stage.run('Every 15 Minutes');
}

describe.each([
	{
		example: 'nda-triage.json',
		start: send,
		said: () => told().join(),
		refusal: "Please don't sign",
		recordedBy: 'Record Decision',
	},
	{
		example: 'nda-slack.json',
		start: send,
		tier: ['High'],
		said: () => told().join(),
		refusal: "Please don't sign",
		recordedBy: 'Keep Tier',
	},
	{
		example: 'draft-from-template.json',
		start: send,
		files: ['NDA.docx'],
		said: () => toldInOutlook().map(({ html }) => html).join(),
		refusal: 'The legal team will look at your request',
	},
	{
		example: 'sharepoint-teams.json',
		start: () => fill('Meridian.pdf'),
		executions: 2,
		said: () => microsoft.chat.at(-1),
		refusal: 'Meridian.pdf is not approved.',
		task: 'Review Meridian.pdf',
	},
])('$example', ({ example, start, tier = [], files = [], executions = 1, said, refusal, task = toGetBack, recordedBy }) => {
	test.each([
		['is declined by the lawyer', 'completed', 'Decline', 'Comment: Too broad.', 'not approved'],
		['is decided by nobody in time', 'completed', undefined, 'Nobody decided within 3 days', 'not decided'],
		['is declined by the assistant', 'filtered', undefined, 'Not for us.', 'not reviewed'],
		['could not be reviewed', 'error', undefined, 'Not for us.', 'not reviewed'],
	] as const)('what %s becomes a task, and nothing is approved', async (_what, status, decision, reason, recorded) => {
		await stage.publish(example, decision === undefined ? decideSoon : {});
		stage.answer(status, 'Not for us.', ...files);
		await start();
		if (status !== 'filtered') await stage.answered();
		if (decision !== undefined) await stage.decide(await stage.linkForLawyer(), decision, ...tier, 'Too broad.');
		const all = await stage.settled(executions);

		expect(said()).toContain(refusal);
		expect(stage.sandbox.tasks.ordered()).toMatchObject([{ title: task, description: expect.stringContaining(reason) as unknown }]);
		expect([microsoft.uploads, toldInOutlook().flatMap(({ attachments }) => attachments)]).toEqual([[], []]);
		const records = all.flatMap((execution) => itemsOf(execution, recordedBy ?? ''));
		expect(records.map(({ json }) => json.decision ?? json.last_decision)).toEqual(recordedBy === undefined ? [] : [recorded]);
	});
});

describe('nda-triage.json', () => {
	test('five NDAs at once on an n8n that has no table yet are all recorded, without a step to set it up', async () => {
		await stage.publish('nda-triage.json', { legal_nda_decisions: 'legal_new_table' });
		stage.answer('filtered', 'Not for us.');
		for (let sent = 0; sent < 5; sent++) await send({ Counterparty: `Company ${sent}` });
		const executions = await stage.settled(5);
		expect(executions.map(({ failure }) => failure)).toEqual(Array(5).fill(undefined));
		expect(executions.map((execution) => itemsOf(execution, 'Record Decision').length)).toEqual(Array(5).fill(1));
	});

	test('an NDA that is approved is answered in fixed words with the comment, and recorded so', async () => {
		await stage.publish('nda-triage.json');
		stage.answer('completed', '## Parties\n**Meridian** and us.');
		const id = await stage.asked(send);
		await stage.decide(await stage.linkForLawyer(), 'Approve', 'Two years at most.');
		const execution = await stage.finished(id);

		const [question] = stage.sandbox.questions;
		expect(question).toMatchObject({ attachments: [{ fileName: 'mutual-nda.pdf' }], visibility: 'organization' });
		expect(question?.text).toContain('Mutual NDA');
		expect(stage.smtp.emails[0]?.text).toMatch(/Parties\s+Meridian and us\.\s+The NDA and the review:\s+http/);
		expect(told()).toEqual(['The NDA with Meridian/Ltd is approved. You can sign it.\n\nComment: Two years at most.']);
		expect(stage.taskTitles()).toEqual([]);
		expect(itemsOf(execution, 'Record Decision')).toMatchObject([
			{ json: { decision: 'approved', asked_by: asker, question_id: question?.id } },
		]);
	});

	test('a decision that comes after the three days changes nothing', async () => {
		await stage.publish('nda-triage.json', decideSoon);
		stage.answer('completed', 'Usual terms.');
		const id = await stage.asked(send);
		const link = await stage.linkForLawyer();
		await stage.finished(id);
		const form = new FormData();
		form.append('field-0', 'Approve');
		const late = await fetch(link, { method: 'POST', body: form });
		expect(await late.text()).not.toContain('Got it, thanks');
		expect(told()).toEqual([expect.stringContaining("Please don't sign")]);
	});

	test('a file that the service refuses: the colleague is told, and a lawyer gets a task', async () => {
		await stage.publish('nda-triage.json');
		const body = { error_code: 'unsupported_file_type', message: 'Not this one.' };
		stage.sandbox.faults.add({ kind: 'status', status: 400, body, match: 'POST /files/upload-url' });
		await stage.done(send);
		expect(told()).toEqual([expect.stringContaining("Please don't sign")]);
		expect(stage.taskTitles()).toEqual([toGetBack]);
	});

	test('the last email fails, and the run is retried: the decision is recorded once, and told once', async () => {
		await stage.publish('nda-triage.json');
		stage.answer('completed', 'Usual terms.');
		stage.smtp.refused.add(asker);
		const id = await stage.asked(send);
		await stage.decide(await stage.linkForLawyer(), 'Approve', '');
		const again = await stage.retried(await stage.n8n.waitForExecution(id));
		expect(told()).toEqual([expect.stringContaining('You can sign it')]);
		expect([stage.smtp.emails.length, again.runs['Record Decision']?.length, stage.sandbox.questions.length]).toEqual([2, 1, 1]);
	});

	test('the key has expired: the run fails and nobody is told to sign; retried with a new key, it is answered once', async () => {
		await stage.publish('nda-triage.json');
		stage.answer('filtered', 'Not for us.');
		const expired = stage.expireKey();
		const failed = await stage.outcome(send);
		expect(told()).toEqual([]);
		expired.remove();
		await stage.retried(failed);
		expect(told()).toEqual([expect.stringContaining("Please don't sign")]);
		expect(stage.taskTitles()).toEqual([toGetBack]);
	});
});

test('nda-slack.json: an unknown counterparty is high risk; the tier that the lawyer gives it counts for the next NDA, however its name is written', async () => {
	/** A colleague asks, and the lawyer decides. Returns the channel, and what the message there says about the risk. */
	const decide = async (Counterparty: string, ...decision: readonly string[]): Promise<unknown[]> => {
		const id = await stage.asked(() => send({ Counterparty }));
		await stage.decide(await stage.linkForLawyer(Counterparty), ...decision);
		await stage.finished(id);
		const { body } = slack.calls.findLast(({ method }) => method === 'chat.postMessage') ?? {};
		return [body?.channel, /Risk tier of the counterparty: (\w+)/.exec(JSON.stringify(body))?.[1]];
	};
	await stage.publish('nda-slack.json');
	stage.answer('completed', 'Usual **terms**.');
	expect(await decide('Hawthorn Ltd.', 'Approve', 'Low', '')).toEqual(['#nda-high-risk', 'Unknown']);
	expect(told()).toEqual(['The NDA with Hawthorn Ltd. is approved. You can sign it.']);
	expect(await decide(' HAWTHORN, ltd', 'Decline', 'High', 'They were bought.')).toEqual(['#nda-low-risk', 'Low']);
	expect(await decide('hawthorn ltd', 'Decline', 'High', '')).toEqual(['#nda-high-risk', 'High']);
});

describe('draft-from-template.json', () => {
	test('an approved draft is filed and sent once, although its first links have expired and OneDrive refuses the first try', async () => {
		await stage.publish('draft-from-template.json');
		stage.answer('completed', 'A mutual NDA.', 'NDA.docx');
		const id = await stage.asked(send);
		const link = await stage.linkForLawyer();
		stage.sandbox.advance(25 * 60 * 60 * 1000);
		stage.products.refuse(/\/drive\/items\/.*content/, 403, 1);
		await stage.decide(link, 'Approve', 'Fill in the date.');
		await stage.retried(await stage.n8n.waitForExecution(id));

		expect(stage.sandbox.questions[0]?.text).toContain('Non-Disclosure Agreement');
		const content = Buffer.from('NDA.docx');
		expect(microsoft.uploads).toEqual([
			{ path: expect.stringMatching(/^root:\/\d{4}-\d\d-\d\d NDA MeridianLtd\.docx$/) as unknown, content },
		]);
		expect(toldInOutlook()).toMatchObject([
			{ attachments: [{ name: 'NDA.docx', content }], html: expect.stringContaining('Fill in the date.') as unknown },
		]);
		expect(stage.taskTitles()).toEqual([]);
	});

	test('a draft with an unexpected file becomes a task, and is not sent', async () => {
		await stage.publish('draft-from-template.json');
		stage.answer('completed', 'A mutual NDA.', 'NDA.docx', 'positions.docx');
		await stage.done(send);
		expect(toldInOutlook()).toMatchObject([{ attachments: [], html: expect.stringContaining('The legal team will look') as unknown }]);
		expect([stage.taskTitles(), microsoft.uploads]).toEqual([[toGetBack], []]);
	});
});

describe('sharepoint-teams.json', () => {
	test('each new file is reviewed and decided on by itself, and once', async () => {
		await stage.publish('sharepoint-teams.json');
		stage.answer('completed', '**Sign** with changes.');
		await fill('a.pdf', 'b.pdf', 'notes.txt');
		await stage.answered(2);
		await stage.decide(await stage.linkForLawyer('May a.pdf be signed?'), 'Approve', '');
		await stage.decide(await stage.linkForLawyer('May b.pdf be signed?'), 'Decline', '');
		await stage.settled(3);
		expect(microsoft.chat.sort()).toEqual([
			expect.stringMatching(/May a\.pdf be signed\?[^]*Sign with changes\./),
			expect.stringMatching(/May b\.pdf be signed\?[^]*Sign with changes\./),
			'a.pdf is approved.',
			expect.stringContaining('b.pdf is not approved.'),
		]);
		expect(stage.taskTitles()).toEqual(['Review b.pdf']);

		await stage.run('Every 15 Minutes');
		expect(stage.sandbox.questions).toHaveLength(2);
	});

	test('a download that fails is tried again, and the file is reviewed', async () => {
		stage.products.refuse(/contoso\.sharepoint\.com\/files/, 503, 1);
		await stage.publish('sharepoint-teams.json');
		stage.answer('filtered', 'Not for us.');
		await fill('flaky.pdf');
		await stage.settled(2);
		expect(stage.taskTitles()).toEqual(['Review flaky.pdf']);
	});
});
