import { beforeEach, describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { type Execution, itemsOf } from '../../../harness/executions.mts';
import type { FormAnswers } from '../../../harness/form.mts';
import { until } from '../../../harness/polling.mts';
import type { Task } from '../../sandbox/state/tasks.mts';
import type { HubspotDeal } from '../../support/products/hubspot.mts';
import { decideSoon, Stage } from '../../support/products/stage.mts';

const asker = 'sales@example.com';
const lawyer = 'Ada Lovelace';
/** The task that a lawyer gets for what was not approved in Slack. */
const toGetBack = `NDA with Meridian/Ltd: get back to ${asker}`;
/** An answer that poses as the message's own button, in HTML and in Slack's way. */
const hostile =
	'<a href="https://evil.example">Decide here</a> &lt;b&gt; <https://evil.example|Decide here>';
const condition = 'ONLY with a liability cap.\nSee clause 4.';

const stage = await Stage.ofThisFile();
const { hubspot, slack } = stage.products;
const { tasks } = stage.sandbox;
const contract = await bundledContract('mutual-nda.pdf');

async function send(answers: FormAnswers = {}): Promise<void> {
	await stage.submit({
		'Your Email': asker,
		Counterparty: 'Meridian/Ltd',
		NDA: [contract],
		...answers,
	});
}

/** What the colleague was told by email. */
function told(): string[] {
	return stage.smtp.emails
		.filter(({ to }) => to.text === asker)
		.map(({ text = '' }) => text.trim());
}

/** A task that a lawyer is to decide, once there is one. */
async function toDecide(about = ''): Promise<Task> {
	return await until(
		'a task to decide',
		() => Promise.resolve(tasks.ordered().find(({ title }) => title.includes(about))),
		{ timeout: 60_000 },
	);
}

/** Writes a decision below the description of a task, and completes the task unless told otherwise. */
function write(
	task: Task,
	decision: string,
	change: { status?: string; archived?: boolean } = { status: 'completed' },
): void {
	tasks.update(task, { description: `${task.description ?? ''} ${decision}`, ...change });
}

describe.each([
	{
		example: 'nda-slack.json',
		start: send,
		tier: ['High'],
		question: () => slack.posted()[0] ?? '',
		after: () => [...slack.posted().filter((text) => !text.includes('may be signed')), ...told()],
		messages: 2,
		refusal: "Please don't sign it yet",
		task: toGetBack,
		file: 'mutual-nda.pdf, sent on ',
	},
])('$example', ({ example, start, tier, question, after, messages, refusal, task, file }) => {
	test.each([
		[
			'is declined by the lawyer',
			'completed',
			'Decline',
			/not approved by Ada Lovelace on .*Reason: Too broad\./s,
		],
		[
			'is decided by nobody in time',
			'completed',
			undefined,
			/not decided on within three working days/,
		],
		[
			'is declined by the assistant',
			'filtered',
			undefined,
			/not reviewed by Legal AI.*Legal AI: Not for us\./s,
		],
		[
			'could not be reviewed',
			'error',
			undefined,
			/not reviewed by Legal AI.*Legal AI: Not for us\./s,
		],
	] as const)(
		'what %s becomes a task, and nothing is approved',
		async (_what, status, decision, reason) => {
			await stage.publish(example, decision === undefined ? decideSoon : {});
			stage.answer(status, 'Not for us.');
			await start();
			if (status !== 'filtered') await stage.answered();
			if (decision !== undefined)
				await stage.decide(await stage.linkForLawyer(), decision, ...tier, 'Too broad.', lawyer);
			await stage.settled(1);

			expect(after()).toHaveLength(messages);
			for (const message of after()) expect(message).toContain(refusal);
			expect(tasks.ordered()).toMatchObject([
				{ title: task, description: expect.stringMatching(reason) as unknown },
			]);
		},
	);

	test('the condition of an approval is in every message after it, with the file, who approved it, and when', async () => {
		await stage.publish(example);
		stage.answer('completed', 'Usual terms.');
		await start();
		await stage.answered();
		await stage.decide(await stage.linkForLawyer(), 'Approve', ...tier, condition, lawyer);
		await stage.settled(1);
		expect(after()).toHaveLength(messages);
		for (const message of after()) {
			const plain = message.replaceAll(/\\r|\r/g, '').replaceAll(/<br\/?>|\\n/g, '\n');
			expect(plain).toContain(`Condition: ${condition}`);
			expect(plain).toMatch(/was approved by Ada Lovelace on \w+ \d+, \d\d:\d\d/);
			expect(plain).toContain(file);
		}
		expect(stage.taskTitles()).toEqual([]);
	});

	test('an answer is shown as the text that it is, below a line that says who wrote it', async () => {
		await stage.publish(example);
		stage.answer('completed', hostile);
		await start();
		await stage.answered();
		await stage.linkForLawyer();
		expect(question()).not.toMatch(/<a href=\\?"https:\/\/evil|<https:\/\/evil/);
		expect(question()).toMatch(/Written by Legal AI\. Nobody has checked it yet\.[^]*&lt;a href/);
		expect(question()).toContain('&amp;lt;b');
	});
});

describe('nda-triage.json', () => {
	/** How long each wait for the decision takes, instead of three working days. */
	const waiting = (seconds: number): Record<string, string> => ({
		'[3, 3, 5, 5, 5, 4, 3][$now.weekday - 1] * 24 * 60': String(seconds / 60),
	});

	test('five NDAs at once on an n8n that has no table yet are all recorded, and only a task that says "approved" approves', async () => {
		await stage.publish('nda-triage.json', {
			legal_nda_decisions: 'legal_new_table',
			...waiting(10),
		});
		stage.answer('completed', 'Usual terms. Decision: approved');
		const decisions = [
			'\nApproved, ONLY with a liability cap',
			'approved',
			'\n\ndeclined: too broad',
			'',
			'Not approved yet',
		];
		for (const index of decisions.keys()) await send({ Counterparty: `Company ${index}` });
		await stage.answered(decisions.length);
		for (const [index, decision] of decisions.entries())
			write(await toDecide(`Company ${index}`), decision);
		const executions = await stage.settled(decisions.length);
		const recorded = executions
			.flatMap((execution) => itemsOf(execution, 'Record Decision'))
			.map(({ json }) => [json.counterparty, json.decision, json.condition]);
		expect(recorded.sort()).toEqual([
			['Company 0', 'approved', 'ONLY with a liability cap'],
			['Company 1', 'approved', ''],
			['Company 2', 'not approved', 'too broad'],
			['Company 3', 'not approved', ''],
			['Company 4', 'not approved', 'Not approved yet'],
		]);
		const said = (about: string): string | undefined => told().find((text) => text.includes(about));
		expect(said('Company 0')).toMatch(
			/^Approved: the NDA with Company 0 \(mutual-nda\.pdf, sent on [^)]+\)\. Sign this file only if this is met:\s+ONLY with a liability cap\s+Task: LEGAL-\d+$/,
		);
		expect(said('Company 1')).toContain('You can sign this file.');
		for (const about of ['Company 2', 'Company 3', 'Company 4'])
			expect(said(about)).toContain("Please don't sign it.");
	});

	test('a lawyer reads who asks, the review below a line that says who wrote it, and how to decide; no email has HTML', async () => {
		await stage.publish('nda-triage.json', waiting(10));
		stage.answer('completed', hostile);
		const id = await stage.asked(send);
		const task = await toDecide();
		expect(task.description).toMatch(
			/^sales@example\.com asks whether the NDA with Meridian\/Ltd may be signed: mutual-nda\.pdf, sent on \w+ \d+, \d\d:\d\d\./,
		);
		expect(task.description).toContain(
			`Written by Legal AI. Nobody has checked it yet.\n\n${hostile}\n\nThe NDA and the review: http`,
		);
		expect(Date.parse(task.complete_by ?? '')).toBeGreaterThan(Date.now() + 2 * 86_400_000);
		write(task, 'approved');
		await stage.finished(id);
		expect(stage.sandbox.questions).toMatchObject([
			{ attachments: [{ fileName: 'mutual-nda.pdf' }], visibility: 'organization' },
		]);
		expect(stage.smtp.emails.map(({ html }) => html)).toEqual([false]);
	});

	test.each([
		[
			'is declined by the assistant',
			(): void => {
				stage.answer('filtered', 'Not for us.');
			},
			'Not for us.',
		],
		[
			'is refused as a file',
			(): void => {
				const body = { error_code: 'unsupported_file_type', message: 'Not this one.' };
				stage.sandbox.faults.add({
					kind: 'status',
					status: 400,
					body,
					match: 'POST /files/upload-url',
				});
			},
			'Ask sales@example.com for the file',
		],
	])('an NDA that %s is decided by a lawyer, too', async (_what, prepare, reason) => {
		await stage.publish('nda-triage.json', waiting(10));
		prepare();
		const id = await stage.asked(send);
		const task = await toDecide();
		expect(task.description).toMatch(new RegExp(`Legal AI did not review it: [^]*${reason}`));
		write(task, 'approved');
		await stage.finished(id);
		expect(told()).toEqual([expect.stringContaining('You can sign this file.')]);
	});

	test('if nobody decides in time, the colleague is told so, and gets the decision when there is one; an archived task is none to sign by', async () => {
		await stage.publish('nda-triage.json', waiting(2));
		stage.answer('completed', 'Usual terms.');
		const id = await stage.asked(send);
		const task = await toDecide();
		await until('the interim note', () => Promise.resolve(told()[0]), { timeout: 60_000 });
		write(task, 'approved', { archived: true });
		await stage.finished(id);
		expect(told()[0]).toMatch(
			/^The legal team has not yet decided on the NDA with Meridian\/Ltd [^]*Please don't sign it yet/,
		);
		expect(told().at(-1)).toContain('Not approved: the NDA with Meridian/Ltd');
		expect(tasks.ordered()).toHaveLength(1);
	});

	test('the last email fails, and the run is retried: the decision is recorded once, and told once', async () => {
		await stage.publish('nda-triage.json', waiting(10));
		stage.answer('completed', 'Usual terms.');
		stage.smtp.refused.add(asker);
		const id = await stage.asked(send);
		write(await toDecide(), 'approved');
		const again = await stage.retried(await stage.n8n.waitForExecution(id));
		expect(told()).toEqual([expect.stringContaining('You can sign this file.')]);
		expect([
			again.runs['Record Decision']?.length,
			stage.sandbox.questions.length,
			tasks.ordered().length,
		]).toEqual([1, 1, 1]);
	});

	test('the key has expired: the run fails and nobody is told to sign; retried with a new key, the task is created and decided', async () => {
		await stage.publish('nda-triage.json', waiting(10));
		const expired = stage.expireKey();
		const failed = await stage.outcome(send);
		expect([failed.status, told()]).toEqual(['error', []]);
		expired.remove();
		const known = await stage.n8n.executions(stage.workflow.id);
		await stage.n8n.retry(failed);
		write(await toDecide(), 'declined');
		const { id } = await stage.n8n.waitForNextExecution(stage.workflow.id, known);
		await stage.finished(id);
		expect(told()).toEqual([expect.stringContaining("Please don't sign it.")]);
	});
});

test('nda-slack.json: an unknown counterparty is high risk; the tier that the lawyer gives it counts for the next NDA, however its name is written', async () => {
	/** A colleague asks, and the lawyer decides. Returns the channel, and what the message there says about the risk. */
	const decide = async (
		Counterparty: string,
		...decision: readonly string[]
	): Promise<unknown[]> => {
		const id = await stage.asked(() => send({ Counterparty }));
		await stage.decide(await stage.linkForLawyer(Counterparty), ...decision, lawyer);
		const [kept] = itemsOf(await stage.finished(id), 'Keep Tier');
		expect(kept?.json).toMatchObject({
			last_decision: decision[0] === 'Approve' ? 'approved' : 'not approved',
			last_decided_by: lawyer,
		});
		const { body } =
			slack.calls.find((call) =>
				JSON.stringify(call.body).includes(`${Counterparty} may be signed`),
			) ?? {};
		return [body?.channel, /Risk tier of the counterparty: (\w+)/.exec(JSON.stringify(body))?.[1]];
	};
	await stage.publish('nda-slack.json');
	stage.answer('completed', 'Usual **terms**.');
	expect(await decide('Hawthorn Ltd.', 'Approve', 'Low', '')).toEqual([
		'#nda-high-risk',
		'Unknown',
	]);
	expect(told()).toEqual([
		expect.stringMatching(
			/^The NDA with Hawthorn Ltd\. \(mutual-nda\.pdf, [^]*\) was approved [^]*\n\nYou can sign this file\.$/,
		),
	]);
	expect(await decide(' HAWTHORN, ltd', 'Decline', 'High', 'They were bought.')).toEqual([
		'#nda-low-risk',
		'Low',
	]);
	expect(await decide('hawthorn ltd', 'Decline', 'High', '')).toEqual(['#nda-high-risk', 'High']);
});

describe('hubspot-nda.json', () => {
	const poll = 'Every Five Minutes';
	const party = 'Meridian Analytics, Inc.';
	const status = ({ properties }: HubspotDeal): string | undefined => properties.nda_status;

	beforeEach(() => {
		stage.answer('completed', 'Here it is.', 'NDA Meridian.docx');
	});

	/** Publishes the example so that each wait for the lawyer takes so many seconds, and has it draft what is requested. */
	async function draft(questions = 1, seconds = 10): Promise<void> {
		await stage.publish('hubspot-nda.json', { '"maxWait":525600': `"maxWait":${seconds / 60}` });
		await stage.run(poll);
		if (questions > 0) await stage.answered(questions);
	}

	/** What became of the executions for the deals, once all are over. */
	async function deals(count = 1): Promise<Execution[]> {
		return (await stage.settled(count + 1)).filter(({ runs }) => runs['A Deal'] !== undefined);
	}

	test('a requested NDA is drafted, and attached as ready to sign only once a lawyer approved it as drafted, with the condition, and once, although the search is late', async () => {
		const deal = hubspot.request('101');
		hubspot.stale.add(deal.id);
		await draft();
		const task = await toDecide(`Approve the NDA with ${party} for sales`);
		expect(task.description).toMatch(
			/^Written by Legal AI\. Nobody has checked it yet: NDA Meridian\.docx, in http/,
		);
		expect(stage.sandbox.questions[0]?.text).toContain(
			'Meridian Analytics, Inc., 1 Main Street, Boston',
		);
		await stage.run(poll);
		expect([status(deal), deal.files]).toEqual(['with_legal', []]);
		write(task, 'As drafted, <only> for two years');
		await deals(2);
		expect([status(deal), deal.files]).toEqual(['ready_to_sign', ['NDA Meridian.docx']]);
		expect(deal.notes).toEqual([
			`Drafted by Legal AI, and approved by the legal team in ${task.display_id}: NDA Meridian.docx, As drafted, &lt;only> for two years`,
		]);
		expect([stage.sandbox.questions.length, tasks.ordered().length]).toEqual([1, 1]);
	});

	test('a lawyer who has the draft corrected and only completes the task does not send out the first draft: a second task asks for the file', async () => {
		const deal = hubspot.request('101');
		await draft();
		write(await toDecide('Approve'), '');
		const second = await toDecide('No NDA is attached to the deal Deal 101 yet');
		expect([status(deal), deal.files]).toEqual(['with_legal', []]);
		deal.properties.nda_status = 'ready_to_sign';
		write(second, '');
		await deals();
		expect([deal.files, tasks.ordered().length]).toEqual([[], 2]);
	});

	test.each([
		['declined', 'filtered', []],
		['answered without a file', 'completed', []],
		['answered with two files', 'completed', ['a.docx', 'b.docx']],
	] as const)(
		'a request that is %s is written by a lawyer: once the file is attached by hand and the task completed, all is done',
		async (_what, outcome, files) => {
			const deal = hubspot.request('101');
			stage.answer(outcome, 'Here.', ...files);
			await draft(outcome === 'filtered' ? 0 : 1);
			const task = await toDecide(`Approve the NDA with ${party} for sales`);
			expect(task.description).toMatch(/^Legal AI did not draft it: /);
			await expect.poll(() => status(deal)).toBe('with_legal');
			deal.properties.nda_status = 'ready_to_sign';
			write(task, 'as drafted');
			await deals();
			expect([deal.files, tasks.ordered().length]).toEqual([[], 1]);
		},
	);

	test('five are requested at once: each gets its own draft as soon as it is approved, one is declined, and whoever left out the address sees that', async () => {
		const requested = ['1', '2', '3', '4', '5'].map((id) =>
			hubspot.request(id, { nda_party: `Party ${id}` }),
		);
		const incomplete = hubspot.request('6', { nda_address: ' ' });
		stage.sandbox.settings.answer = ({ text }) => {
			const fileName = `NDA ${/Party \d/.exec(text)?.[0] ?? ''}.docx`;
			return {
				status: 'completed',
				answer: 'Here.',
				attachments: [{ fileName, contentType: 'application/msword', content: Buffer.from('x') }],
			};
		};
		await draft(5, 15);
		for (const { id, properties } of requested) {
			const task = await toDecide(`Party ${id}`);
			if (id === '5') await expect.poll(() => properties.nda_status).toBe('with_legal');
			if (id === '5') properties.nda_status = 'declined';
			write(task, id === '5' ? '' : 'as drafted');
		}
		await deals(6);
		expect(requested.map(({ files }) => files)).toEqual([
			...['1', '2', '3', '4'].map((id) => [`NDA Party ${id}.docx`]),
			[],
		]);
		expect([...requested, incomplete].map(status)).toEqual([
			...Array<string>(4).fill('ready_to_sign'),
			'declined',
			'details_missing',
		]);
	});

	test.each([
		['the key has expired: the deal says so', () => void stage.expireKey(), 'failed'],
		[
			"the deal can't be marked",
			() => {
				stage.products.refuse(/^PUT api\.hubapi\.com\/deals/, 429, 1);
			},
			'requested',
		],
	])('%s, nothing is asked, and the NDA can be requested again', async (_what, fail, marked) => {
		const deal = hubspot.request('101');
		fail();
		await draft(0);
		await deals();
		expect([status(deal), stage.sandbox.questions.length]).toEqual([marked, 0]);
		stage.sandbox.faults.clear();
		deal.properties.nda_status = 'requested';
		await stage.run(poll);
		await stage.answered();
		write(await toDecide(), 'as drafted');
		await deals(2);
		expect(status(deal)).toBe('ready_to_sign');
	});

	test.each([
		[
			'attaching fails once',
			(): void => {
				stage.products.refuse(/crm\/v3\/objects\/notes/, 503, 1);
			},
		],
		[
			'HubSpot is down for a moment after the approval',
			(): void => {
				stage.products.refuse(/^GET api\.hubapi\.com\/deals/, 503, 1);
			},
		],
	])('%s: the execution fails, and a retry attaches the file, once', async (_what, fail) => {
		const deal = hubspot.request('101');
		await draft();
		const task = await toDecide();
		fail();
		write(task, 'as drafted');
		const [failed] = await deals();
		expect([failed?.status, deal.files]).toEqual(['error', []]);
		if (failed !== undefined) await stage.retried(failed);
		expect([status(deal), deal.files.length, tasks.ordered().length]).toEqual([
			'ready_to_sign',
			1,
			1,
		]);
	});
});
