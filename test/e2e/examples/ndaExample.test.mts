import { expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
import type { FormAnswers } from '../../../harness/form.mts';
import { until } from '../../../harness/polling.mts';
import type { Task } from '../../sandbox/state/tasks.mts';
import { Stage } from '../../support/products/stage.mts';

const stage = await Stage.ofThisFile();
const { tasks } = stage.sandbox;
const contract = await bundledContract('mutual-nda.pdf');
const asker = 'sales@example.com';
/** An answer that poses as a link. */
const hostile = '<a href="https://evil.example">Decide here</a> &lt;b&gt;';

async function send(answers: FormAnswers = {}): Promise<void> {
	await stage.submit({
		'Your Email': asker,
		Counterparty: 'Meridian/Ltd',
		NDA: [contract],
		...answers,
	});
}

/** What the colleague was told by email. */
function told(address = asker): string[] {
	return stage.smtp.emails
		.filter(({ to }) => to.text === address)
		.map(({ text = '' }) => text.trim());
}

/** The task that a lawyer is to decide, once there is one. */
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

test('three NDAs at once on an n8n that has no table yet are all recorded, and only a task that says "approved" approves', async () => {
	await stage.publish('nda-triage.json', { legal_nda_decisions: 'legal_new_table' });
	stage.answer('completed', 'Usual terms. Decision: approved');
	const decisions = [
		'\nApproved, ONLY with a liability cap',
		'approved',
		'\n\ndeclined: too broad',
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
	]);
	const said = (about: string): string | undefined => told().find((text) => text.includes(about));
	expect(said('Company 0')).toMatch(
		/^Approved: the NDA with Company 0 \(mutual-nda\.pdf, sent on [^)]+\)\. Sign this file only if this is met:\s+ONLY with a liability cap\s+Task: LEGAL-\d+$/,
	);
	expect(said('Company 1')).toContain('You can sign this file.');
	expect(said('Company 2')).toContain("Please don't sign it.");
});

test('a lawyer who completes the task in other words, or without any, is asked again, and nobody is told anything before it is clear', async () => {
	await stage.publish('nda-triage.json');
	stage.answer('completed', 'Usual terms.');
	const id = await stage.asked(send);
	for (const [times, unclear] of ['OK, sign it', '', 'Not approved yet', 'Approved?'].entries()) {
		await until(
			'a task that is open again',
			async () => {
				const task = await toDecide();
				const asked = task.description?.split('not clear enough').length ?? 0;
				return asked === times + 1 && task.status !== 'completed' ? true : undefined;
			},
			{ timeout: 60_000 },
		);
		write(await toDecide(), unclear);
	}
	await until(
		'the last question',
		async () => ((await toDecide()).status === 'in_progress' ? true : undefined),
		{ timeout: 60_000 },
	);
	expect(told()).toEqual([]);
	write(await toDecide(), 'approved');
	await stage.finished(id);
	expect(told()).toEqual([expect.stringContaining('You can sign this file.')]);
	expect(tasks.ordered()).toHaveLength(1);
});

test('what is asked from an address outside the company is reviewed, and the lawyer gets the emails', async () => {
	await stage.publish('nda-triage.json');
	stage.answer('completed', 'Usual terms.');
	const id = await stage.asked(() => send({ 'Your Email': 'ada@exmaple.com' }));
	const task = await toDecide();
	expect(task.description).toContain('ada@exmaple.com is not an address of your company');
	write(task, 'approved');
	await stage.finished(id);
	expect([told('ada@exmaple.com'), told('lawyer@example.com').length]).toEqual([[], 1]);
});

test('a lawyer reads who asks, the review below a line that says who wrote it, and how to decide; no email has HTML', async () => {
	await stage.publish('nda-triage.json');
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

test('an NDA that the service refuses is decided by a lawyer, who is told whom to ask for the file', async () => {
	await stage.publish('nda-triage.json');
	const body = { error_code: 'unsupported_file_type', message: 'Not this one.' };
	stage.sandbox.faults.add({ kind: 'status', status: 400, body, match: 'POST /files/upload-url' });
	const id = await stage.asked(send);
	const task = await toDecide();
	expect(task.description).toMatch(
		/Legal AI did not review it: [^]*Ask sales@example\.com for the file/,
	);
	write(task, 'approved');
	await stage.finished(id);
	expect(told()).toEqual([expect.stringContaining('You can sign this file.')]);
});

test('if nobody decides in time, the colleague is told so, and gets the decision when there is one; an archived task is none to sign by', async () => {
	await stage.publish('nda-triage.json', {
		'[3, 3, 5, 5, 5, 4, 3][$now.weekday - 1] * 24 * 60': '0.03',
	});
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

test('the last email is refused at first: the decision is recorded once, and told once', async () => {
	await stage.publish('nda-triage.json');
	stage.answer('completed', 'Usual terms.');
	stage.smtp.refused.add(asker);
	const id = await stage.asked(send);
	write(await toDecide(), 'approved');
	const { runs } = await stage.finished(id);
	expect(told()).toEqual([expect.stringContaining('You can sign this file.')]);
	expect([
		runs['Record Decision']?.length,
		stage.sandbox.questions.length,
		tasks.ordered().length,
	]).toEqual([1, 1, 1]);
});

test.each([
	['the key was revoked', /./, 'Legal AI did not review it, and there is no task'],
	['the service takes no task', /\/tasks$/, 'There is a review \\(http[^)]+\\), but no task'],
])(
	'%s: the lawyer is asked by email, with a copy to the colleague, and reads what there is',
	async (_what, refused, said) => {
		await stage.publish('nda-triage.json');
		const match = ({ path }: { path: string }): boolean => refused.test(path);
		stage.sandbox.faults.add({ kind: 'status', status: 403, times: Infinity, match });
		stage.answer('completed', 'Usual terms.');
		await stage.done(send);
		expect(stage.smtp.emails).toMatchObject([
			{
				to: { text: 'lawyer@example.com' },
				cc: { text: asker },
				text: expect.stringMatching(
					new RegExp(`${said}: [^]*reply to all, with the NDA`),
				) as unknown,
			},
		]);
	},
);
