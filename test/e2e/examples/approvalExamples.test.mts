import { describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { submitForm, type FormAnswers } from '../../../harness/form.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { linkIn } from '../smtpServer.mts';
import { Stage } from './stage.mts';

const asker = 'sales@hawthorn.example';
/** Three days, as the examples say, and as long as a test waits. */
const soon = { '"resumeAmount":3,"resumeUnit":"days"': '"resumeAmount":0.02,"resumeUnit":"minutes"' };

const stage = await Stage.ofThisFile();

async function send(workflow: StoredWorkflow, answers: FormAnswers): Promise<void> {
	const all = { 'Your Email': asker, Counterparty: 'Meridian/Ltd', NDA: [await bundledContract('mutual-nda.pdf')], ...answers };
	expect(await submitForm(stage.n8n.baseUrl, workflow, all)).toMatchObject({ status: 200 });
}

async function request(workflow: StoredWorkflow, answers: FormAnswers = {}): Promise<string> {
	return await stage.asked(workflow, async () => {
		await send(workflow, answers);
	});
}

/** What the colleague was told by email. */
function told(): (string | undefined)[] {
	return stage.smtp.emails.filter(({ to }) => to.text === asker).map(({ text }) => text);
}

describe('nda-triage.json', () => {
	/** The link in the email that the lawyer gets, and what it says. */
	async function emailToLawyer(): Promise<{ link: string; text: string }> {
		const email = await stage.smtp.waitForEmail(({ to }) => to.text === 'lawyer@example.com');
		return { link: linkIn(email, 'Decide'), text: email.text ?? '' };
	}

	test('five NDAs at once on an n8n that has no table yet are all recorded, without a step to set it up', async () => {
		const workflow = await stage.publish('nda-triage.json');
		stage.answer('filtered', 'Not for us.');
		for (let sent = 0; sent < 5; sent++) await send(workflow, { Counterparty: `Company ${sent}` });
		const executions = await stage.settled(workflow, 5);
		expect(executions.map(({ failure }) => failure)).toEqual(Array(5).fill(undefined));
		expect(executions.map((execution) => itemsOf(execution, 'Record Decision').length)).toEqual(Array(5).fill(1));
	});

	test.each([
		['is approved', 'completed', ['Approve', 'Two years at most.'], 'You can sign it.\n\nComment: Two years at most.', 'approved'],
		['is declined by the lawyer', 'completed', ['Decline', ''], "Please don't sign", 'not approved'],
		['is declined by the assistant', 'filtered', [], "Please don't sign", 'not reviewed'],
		['could not be reviewed', 'error', [], "Please don't sign", 'not reviewed'],
	] as const)('an NDA that %s is answered in fixed words, and recorded so', async (_what, status, values, text, decision) => {
		const workflow = await stage.publish('nda-triage.json');
		stage.answer(status, '## Parties\n**Meridian** and us.');
		const id = await request(workflow);
		if (values.length > 0) {
			const email = await emailToLawyer();
			expect(email.text).toMatch(/Parties\s+Meridian and us\.\s+The NDA and the review:\s+http/);
			await stage.decide(email.link, ...values);
		}
		const execution = await stage.finished(id);

		expect(stage.sandbox.questions).toMatchObject([{ attachments: [{ fileName: 'mutual-nda.pdf' }], visibility: 'organization' }]);
		expect(stage.sandbox.questions[0]?.text).toContain('Mutual NDA');
		expect(told().map((mail) => mail?.trim())).toEqual([expect.stringContaining(text)]);
		expect(told()[0]).not.toContain('Meridian and us');
		expect(stage.taskTitles()).toEqual(decision === 'approved' ? [] : [`NDA with Meridian/Ltd: get back to ${asker}`]);
		expect(itemsOf(execution, 'Record Decision')).toMatchObject([
			{ json: { decision, asked_by: asker, question_id: stage.sandbox.questions[0]?.id } },
		]);
	});

	test('nobody decides: a lawyer gets a task, and a decision that comes later changes nothing', async () => {
		const workflow = await stage.publish('nda-triage.json', soon);
		stage.answer('completed', 'Usual terms.');
		const id = await request(workflow);
		const { link } = await emailToLawyer();
		const execution = await stage.finished(id);
		expect(itemsOf(execution, 'Record Decision')).toMatchObject([{ json: { decision: 'not decided' } }]);
		expect(stage.sandbox.tasks.ordered()).toMatchObject([{ description: expect.stringContaining('Nobody decided within 3 days') as unknown }]);

		const form = new FormData();
		form.append('field-0', 'Approve');
		const late = await fetch(link, { method: 'POST', body: form });
		expect(await late.text()).not.toContain('Got it, thanks');
		expect(told()).toEqual([expect.stringContaining("Please don't sign")]);
	});

	test('a file that the service refuses: the colleague is told, and a lawyer gets a task', async () => {
		const workflow = await stage.publish('nda-triage.json');
		stage.sandbox.faults.add({
			kind: 'status',
			status: 400,
			body: { error_code: 'unsupported_file_type', message: 'Not this one.' },
			match: 'POST /files/upload-url',
		});
		await send(workflow, {});
		await stage.settled(workflow, 1);
		expect(told()).toEqual([expect.stringContaining("Please don't sign")]);
		expect(stage.taskTitles()).toEqual([`NDA with Meridian/Ltd: get back to ${asker}`]);
	});

	test('the last email fails, and the run is retried: the decision is recorded once, and told once', async () => {
		const workflow = await stage.publish('nda-triage.json');
		stage.answer('completed', 'Usual terms.');
		stage.smtp.refused.add(asker);
		const id = await request(workflow);
		await stage.decide((await emailToLawyer()).link, 'Approve', '');
		expect((await stage.n8n.waitForExecution(id)).status).toBe('error');
		const again = await stage.retried(workflow, { id });
		expect(again.failure).toBeUndefined();
		expect(told()).toEqual([expect.stringContaining('You can sign it')]);
		expect(stage.smtp.emails).toHaveLength(2);
		expect(again.runs['Record Decision']).toHaveLength(1);
		expect(stage.sandbox.questions).toHaveLength(1);
	});

	test('the key has expired: the run fails and nobody is told to sign; retried with a new key, it is answered once', async () => {
		const workflow = await stage.publish('nda-triage.json');
		stage.answer('filtered', 'Not for us.');
		const expired = stage.expireKey();
		await send(workflow, {});
		const [failed] = await stage.settled(workflow, 1);
		expect([failed?.status, told()]).toEqual(['error', []]);
		expired.remove();
		expect((await stage.retried(workflow, failed ?? { id: '' })).failure).toBeUndefined();
		expect(told()).toEqual([expect.stringContaining("Please don't sign")]);
		expect(stage.taskTitles()).toHaveLength(1);
	});
});

describe('nda-slack.json', () => {
	/** The last message in Slack: the channel, its text, and the link to the form. */
	async function asked(count: number): Promise<{ channel: unknown; text: string; link: string }> {
		const message = await until('a message in Slack', () =>
			Promise.resolve(stage.products.slack.calls.filter(({ method }) => method === 'chat.postMessage')[count - 1]),
		);
		const text = JSON.stringify(message.body);
		return { channel: message.body.channel, text, link: /"url":"([^"]+)"/.exec(text)?.[1] ?? '' };
	}

	test('an unknown counterparty is high risk; the tier that the lawyer gives it counts for the next NDA, however its name is written', async () => {
		const workflow = await stage.publish('nda-slack.json');
		stage.answer('completed', 'Usual **terms**.');
		const first = await request(workflow, { Counterparty: 'Meridian Ltd.' });
		const unknown = await asked(1);
		expect([unknown.channel, unknown.text]).toEqual(['#nda-high-risk', expect.stringContaining('Risk tier of the counterparty: Unknown')]);
		await stage.decide(unknown.link, 'Approve', 'Low', '');
		await stage.finished(first);
		expect(told()).toEqual([expect.stringContaining('The NDA with Meridian Ltd. is approved. You can sign it.')]);

		const second = await request(workflow, { Counterparty: ' MERIDIAN, ltd' });
		const known = await asked(2);
		expect([known.channel, known.text]).toEqual(['#nda-low-risk', expect.stringContaining('Risk tier of the counterparty: Low')]);
		await stage.decide(known.link, 'Decline', 'High', 'They were bought.');
		await stage.finished(second);
		expect(stage.sandbox.tasks.ordered()).toMatchObject([{ description: expect.stringContaining('They were bought.') as unknown }]);

		await request(workflow, { Counterparty: 'Meridian Ltd' });
		expect((await asked(3)).channel).toBe('#nda-high-risk');
	});

	test('nobody decides: a lawyer gets a task, the colleague is told, and the counterparty keeps its tier', async () => {
		const workflow = await stage.publish('nda-slack.json', soon);
		stage.answer('completed', 'Usual terms.');
		const execution = await stage.finished(await request(workflow, { Counterparty: 'Slow Inc' }));
		expect(stage.sandbox.tasks.ordered()).toMatchObject([{ description: expect.stringContaining('Nobody decided within 3 days') as unknown }]);
		expect(told()).toEqual([expect.stringContaining("Please don't sign")]);
		expect(itemsOf(execution, 'Keep Tier')).toMatchObject([{ json: { tier: 'Unknown', last_decision: 'not decided' } }]);
	});

	test('an NDA that could not be reviewed asks nobody in Slack, and becomes a task', async () => {
		const workflow = await stage.publish('nda-slack.json');
		stage.answer('error', 'The file is damaged.');
		await stage.finished(await request(workflow));
		expect(stage.products.slack.calls).toEqual([]);
		expect(stage.sandbox.tasks.ordered()).toMatchObject([{ description: expect.stringContaining('The file is damaged.') as unknown }]);
		expect(told()).toEqual([expect.stringContaining("Please don't sign")]);
	});
});
