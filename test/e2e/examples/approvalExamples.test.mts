import { randomUUID } from 'node:crypto';

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
const { hubspot, microsoft, slack } = stage.products;
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

/** Saves a contract in the folder, once more if it is there: when, or a day ago. */
function save(
	fileName: string,
	lastModifiedDateTime = new Date(Date.now() - 86_400_000).toISOString(),
): void {
	const known = microsoft.folder.findIndex((file) => file.fileName === fileName);
	const [{ id } = { id: randomUUID() }] = known === -1 ? [] : microsoft.folder.splice(known, 1);
	microsoft.folder.push({ ...contract, id, fileName, cTag: randomUUID(), lastModifiedDateTime });
}

/** Saves contracts in the folder, and has the workflow find them. */
async function fill(...fileNames: readonly string[]): Promise<void> {
	for (const fileName of fileNames) save(fileName);
	await stage.run('Every 15 Minutes');
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
	{
		example: 'sharepoint-teams.json',
		start: () => fill('Meridian.pdf'),
		tier: [],
		executions: 2,
		question: () => microsoft.chat[0] ?? '',
		after: () => microsoft.chat.filter((text) => !text.startsWith('May ')),
		messages: 1,
		refusal: 'A lawyer will look at it: LEGAL-',
		task: 'Review Meridian.pdf',
		file: 'Meridian.pdf (saved on ',
	},
])(
	'$example',
	({ example, start, tier, executions = 1, question, after, messages, refusal, task, file }) => {
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
				await stage.settled(executions);

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
			await stage.settled(executions);
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
	},
);

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

describe('sharepoint-teams.json', () => {
	test('each new file is reviewed and decided on by itself, and once; what is still being edited, or is no contract, is not', async () => {
		await stage.publish('sharepoint-teams.json');
		stage.answer('completed', '**Sign** with changes.');
		save('edited.docx', new Date().toISOString());
		await fill('a.pdf', 'b.pdf', 'notes.txt', '~$a.docx');
		await stage.answered(2);
		await stage.decide(await stage.linkForLawyer('May a.pdf'), 'Approve', '', lawyer);
		await stage.decide(await stage.linkForLawyer('May b.pdf'), 'Decline', '', lawyer);
		await stage.settled(3);
		expect(microsoft.chat.sort()).toEqual([
			expect.stringMatching(
				/^May a\.pdf \(saved on [^)]*\) be signed\?<br\/><br\/>Written by Legal AI[^]*<br\/><br\/>Sign with changes\.<br\/>/,
			),
			expect.stringMatching(/^May b\.pdf [^]*Sign with changes\./),
			expect.stringMatching(/^a\.pdf [^]* was approved by Ada Lovelace on [\w :,]+\.$/),
			expect.stringMatching(
				/^b\.pdf [^]* was not approved by [^]*A lawyer will look at it: LEGAL-\d+$/,
			),
		]);
		expect(stage.taskTitles()).toEqual(['Review b.pdf']);

		await stage.run('Every 15 Minutes');
		expect(stage.sandbox.questions).toHaveLength(2);
	});

	test('a second version that is saved over the first is reviewed, and an approval of the first says that it is not about the second', async () => {
		await stage.publish('sharepoint-teams.json');
		stage.answer('completed', 'Sign.');
		await fill('MSA.docx');
		await stage.answered();
		const link = await stage.linkForLawyer('May MSA.docx');
		await fill('MSA.docx');
		await stage.answered();
		await stage.decide(link, 'Approve', '', lawyer);
		await until('the decision', () => Promise.resolve(microsoft.chat[2]), { timeout: 60_000 });
		expect([stage.sandbox.questions.length, microsoft.chat[2]]).toEqual([
			2,
			expect.stringContaining('this is not about its newest version'),
		]);
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
