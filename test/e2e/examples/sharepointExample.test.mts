import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { until } from '../../../harness/polling.mts';
import { decideSoon, Stage } from '../../support/products/stage.mts';

const lawyer = 'Ada Lovelace';
const schedule = 'Every 15 Minutes';

const stage = await Stage.ofThisFile();
const { microsoft } = stage.products;
const contract = await bundledContract('mutual-nda.pdf');

/** Saves a contract in the folder, once more if it is there: when, or a day ago. */
function save(
	fileName: string,
	lastModifiedDateTime = new Date(Date.now() - 86_400_000).toISOString(),
): void {
	const known = microsoft.folder.findIndex((file) => file.fileName === fileName);
	const [{ id } = { id: randomUUID() }] = known === -1 ? [] : microsoft.folder.splice(known, 1);
	microsoft.folder.push({ ...contract, id, fileName, cTag: randomUUID(), lastModifiedDateTime });
}

/** Publishes the example, saves contracts in the folder, and has the workflow find them. */
async function publish(
	texts: Readonly<Record<string, string>>,
	...fileNames: readonly string[]
): Promise<void> {
	await stage.publish('sharepoint-teams.json', texts);
	for (const fileName of fileNames) save(fileName);
	await stage.run(schedule);
}

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
] as const)(
	'a contract that %s becomes a task with a due date and a link to it, the chat is told, and nothing is approved',
	async (_what, status, decision, reason) => {
		stage.answer(status, 'Not for us.');
		await publish(decision === undefined ? decideSoon : {}, 'Meridian.pdf');
		if (status !== 'filtered') await stage.answered();
		if (decision !== undefined)
			await stage.decide(await stage.linkForLawyer(), decision, 'Too broad.', lawyer);
		await stage.settled(2);
		const [task, ...others] = stage.sandbox.tasks.ordered();
		expect([task?.title, others]).toEqual(['Review Meridian.pdf', []]);
		expect(task?.description).toMatch(reason);
		expect(task?.description).toContain('https://contoso.sharepoint.com/Meridian.pdf');
		expect(Date.parse(task?.complete_by ?? '')).toBeGreaterThan(Date.now());
		expect(microsoft.chat.filter((text) => !text.startsWith('May '))).toEqual([
			expect.stringContaining(`A lawyer will look at it: ${task?.display_id ?? ''}`),
		]);
	},
);

test('the question can not be posted in the chat: a lawyer gets a task', async () => {
	stage.products.refuse(/^POST graph.*chats/, 403, 1);
	stage.answer('completed', 'Sign.');
	await publish({}, 'unheard.pdf');
	await stage.answered();
	await stage.settled(2);
	expect(stage.taskTitles()).toEqual(['Review unheard.pdf']);
	expect(microsoft.chat).toEqual([
		expect.stringContaining('not decided on: the question could not be posted'),
	]);
});

test('the key is refused when the lawyer has decided, and the chat is down for a while: it gets the decision, and reads that there is no task', async () => {
	stage.answer('completed', 'Sign.');
	await publish({ '"waitBetweenTries":5000': '"waitBetweenTries":0' }, 'keyless.pdf');
	await stage.answered();
	const link = await stage.linkForLawyer();
	stage.expireKey();
	stage.products.refuse(/^POST graph.*chats/, 503, 4);
	await stage.decide(link, 'Decline', 'Too broad.', lawyer);
	await stage.settled(2);
	expect(microsoft.chat.slice(1)).toEqual([
		expect.stringMatching(/not approved by Ada Lovelace[^]*No task could be created: please see/),
	]);
});

test('each new file is reviewed and decided on by itself, once, with its condition; an answer is shown as the text that it is; what is still being edited is not reviewed', async () => {
	stage.answer(
		'completed',
		'**Sign** with changes. <a href="https://evil.example">Decide here</a> &lt;b&gt;',
	);
	save('edited.docx', new Date().toISOString());
	await publish({}, 'a.pdf', 'b.pdf', '~$a.docx');
	await stage.answered(2);
	const condition = 'ONLY with a liability cap.';
	await stage.decide(await stage.linkForLawyer('May a.pdf'), 'Approve', condition, lawyer);
	await stage.decide(await stage.linkForLawyer('May b.pdf'), 'Decline', '', lawyer);
	await stage.settled(3);
	expect(microsoft.chat.sort()).toEqual([
		expect.stringMatching(
			/^May a\.pdf \(saved on [^)]*\) be signed\?<br\/><br\/>Written by Legal AI\. Nobody has checked it yet\.<br\/><br\/>Sign with changes\. &lt;a href[^]*&amp;lt;b/,
		),
		expect.stringMatching(/^May b\.pdf [^]*Sign with changes\./),
		expect.stringMatching(
			/^a\.pdf \(saved on [^]* was approved by Ada Lovelace on \w+ \d+, \d\d:\d\d\.<br\/><br\/>Condition: ONLY with a liability cap\.$/,
		),
		expect.stringMatching(
			/^b\.pdf [^]* was not approved by [^]*A lawyer will look at it: LEGAL-\d+$/,
		),
	]);
	expect(stage.taskTitles()).toEqual(['Review b.pdf']);

	await stage.run(schedule);
	expect(stage.sandbox.questions).toHaveLength(2);
});

test('a second version that is saved over the first is reviewed, and an approval of the first says that it is not about the second', async () => {
	stage.answer('completed', 'Sign.');
	await publish({}, 'MSA.docx');
	await stage.answered();
	const link = await stage.linkForLawyer('May MSA.docx');
	save('MSA.docx');
	await stage.run(schedule);
	await stage.answered();
	await stage.decide(link, 'Approve', '', lawyer);
	await until('the decision', () => Promise.resolve(microsoft.chat[2]), { timeout: 60_000 });
	expect([stage.sandbox.questions.length, microsoft.chat[2]]).toEqual([
		2,
		expect.stringContaining('this is not about its newest version'),
	]);
});

test('n8n is off for hours while a review is parked: the version is taken again, and the lawyer is asked once', async () => {
	stage.answer('completed', 'Sign.');
	await publish({ 'hours: 2': 'hours: 0' }, 'twice.pdf');
	await stage.sandbox.waitForQuestion(() => true);
	await stage.run(schedule);
	await stage.answered(2);
	await stage.decide(await stage.linkForLawyer(), 'Approve', '', lawyer);
	await stage.settled(4);
	expect(microsoft.chat).toEqual([
		expect.stringMatching(/^May twice/),
		expect.stringMatching(/^twice.* was approved/),
	]);
});

test('a review that stops on the way is taken again after two hours; after three times, it is a lawyer who gets it, once', async () => {
	stage.products.refuse(/contoso\.sharepoint\.com\/files/, 503);
	await publish({}, 'patient.pdf');
	await stage.settled(2);
	await stage.run(schedule);
	await stage.settled(3);
	expect((await stage.n8n.executions(stage.workflow.id)).length).toBe(3);
	await stage.n8n.deactivate(stage.workflow);
	microsoft.folder.length = 0;

	await publish({ 'hours: 2': 'hours: 0' }, 'stuck.pdf');
	for (const count of [2, 4, 6]) {
		await stage.settled(count);
		expect(stage.taskTitles()).toEqual([]);
		await stage.run(schedule);
	}
	await stage.settled(8);
	await stage.run(schedule);
	expect([stage.taskTitles(), (await stage.settled(9)).length]).toEqual([['Review stuck.pdf'], 9]);
	expect(stage.sandbox.tasks.ordered()[0]?.description).toContain('It was tried three times');
});

test.each([
	['the key has expired', (): void => void stage.expireKey(1)],
	[
		'the credential of SharePoint is revoked',
		(): void => {
			stage.products.refuse(/children/, 401, 1);
		},
	],
])('%s: the execution fails, and the next one finds what waits', async (_what, fail) => {
	stage.answer('filtered', 'Not for us.');
	await stage.publish('sharepoint-teams.json');
	save('waiting.pdf');
	fail();
	expect((await stage.sweep(schedule)).status).toBe('error');
	await stage.run(schedule);
	await stage.settled(3);
	expect(stage.taskTitles()).toEqual(['Review waiting.pdf']);
});
