import { describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { submitForm } from '../../../harness/form.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { linkIn } from '../smtpServer.mts';
import type { ReceivedMail } from './microsoft.mts';
import { reviewsToDraft, Stage } from './stage.mts';

const asker = 'sales@hawthorn.example';
/** Three days, as the examples say, and as long as a test waits. */
const soon = { '"resumeAmount":3,"resumeUnit":"days"': '"resumeAmount":0.02,"resumeUnit":"minutes"' };

const stage = await Stage.ofThisFile();
const { microsoft } = stage.products;

/** Emails that no person has written: an answer to one would only be answered by the next machine. */
const machines: readonly Omit<ReceivedMail, 'id'>[] = [
	{ from: 'MicrosoftExchange329e71ec88ae@example.com', subject: 'Undeliverable: Re: NDA' },
	{ from: 'postmaster@example.com', subject: 'Undeliverable: Our contract' },
	{ from: 'sales@example.com', subject: 'Automatic reply: NDA', headers: { 'X-Auto-Response-Suppress': 'All', 'Auto-Submitted': 'auto-generated' } },
	{ from: 'noreply@example.com', subject: 'Your invoice' },
	{ from: 'team@example.com', subject: 'News', headers: { 'List-ID': '<news.example.com>' } },
	{ from: 'Legal@example.com', subject: 'Re: NDA' },
];

/** Puts emails into the mailbox, each with an ID of its own. */
async function receive(...mails: readonly Partial<ReceivedMail>[]): Promise<void> {
	const contract = await bundledContract('services-agreement.docx');
	const received = mails.map((mail, index) => {
		const id = `${Date.now()}-${index}`;
		return { id, from: 'vendor@meridian.example', subject: `Paper ${index}`, attachments: [contract], ...mail };
	});
	microsoft.received.push(...received);
}

describe('outlook-redline.json', () => {
	const redline = 'agreement - Redline.docx';

	test.each(reviewsToDraft(redline))('of %s, only a redline becomes a draft, and a lawyer gets a task', async (_what, status, answer, files, isDrafted) => {
		const theirs = { ...(await bundledContract('services-agreement.docx')), fileName: 'their redline.docx' };
		await receive({ subject: 'Our paper', attachments: [theirs] });
		stage.answer(status, answer, ...files);
		const workflow = await stage.publish('outlook-redline.json');
		if (status !== 'filtered') await stage.answered(workflow);
		await stage.settled(workflow, 2);

		expect(stage.sandbox.questions).toMatchObject([
			{ attachments: [{ fileName: theirs.fileName }], visibility: 'organization' },
		]);
		expect(stage.sandbox.questions[0]?.text).toContain('SaaS Procurement');
		expect(microsoft.mails.map(({ to, isSent, attachments }) => [to, isSent, attachments.map(({ name }) => name)])).toEqual(
			isDrafted ? [['vendor@meridian.example', false, [redline]]] : [],
		);
		expect(microsoft.mails.map(({ html }) => html)).not.toContainEqual(expect.stringContaining(answer));
		expect(stage.sandbox.tasks.ordered()).toMatchObject([
			{
				title: `${isDrafted ? 'Check and send the draft' : 'Review by hand'}: Our paper`,
				description: expect.stringContaining(answer) as unknown,
			},
		]);
	});

	test('emails of machines with a file cost no question, and get no draft', async () => {
		await receive(...machines.slice(0, 4));
		const workflow = await stage.publish('outlook-redline.json');
		await stage.settled(workflow, 1);
		expect([stage.sandbox.questions, microsoft.mails, stage.taskTitles()]).toEqual([[], [], []]);
	});

	test('three come at once and one draft is refused: the others are drafted, and its retry drafts it once', async () => {
		await receive({}, {}, {});
		stage.answer('completed', 'Two changes.', redline);
		stage.products.refuse(/createReply/, 403, 1);
		const workflow = await stage.publish('outlook-redline.json');
		await stage.answered(workflow, 3);
		const executions = await stage.settled(workflow, 4);
		const [failed] = executions.filter(({ status }) => status === 'error');
		expect(microsoft.mails).toHaveLength(2);
		expect((await stage.retried(workflow, failed ?? { id: '' })).failure).toBeUndefined();
		expect(microsoft.mails.map(({ subject }) => subject).sort()).toEqual(['Re: Paper 0', 'Re: Paper 1', 'Re: Paper 2']);
		expect(stage.sandbox.questions).toHaveLength(3);
		expect(stage.taskTitles()).toHaveLength(3);
	});
});

describe('outlook-mailbox.json', () => {
	/** Publishes the workflow, which reads the mailbox at once, and waits until all is over that so many emails started. */
	async function read(emails: number, questions: number, texts: Readonly<Record<string, string>> = {}): Promise<StoredWorkflow> {
		const workflow = await stage.publish('outlook-mailbox.json', texts);
		if (questions > 0) await stage.answered(workflow, questions);
		await stage.settled(workflow, 1 + emails);
		return workflow;
	}

	test('a colleague gets the answer as a reply, to their own words alone, with what was skipped', async () => {
		const body = `<html><head><style>p {}</style></head><body><p>May we sign?&nbsp;R&amp;D asks.</p><div id="divRplyFwdMsg"><b>From:</b> Vendor</div><p>Please sign.</p></body></html>`;
		const gif = { fileName: 'logo.gif', contentType: 'image/gif', content: Buffer.from('R0lGODlhAQABAAAAACw=', 'base64') };
		const contract = await bundledContract('services-agreement.docx');
		await receive({ from: 'Sales@Example.com', subject: 'NDA', body, attachments: [gif, contract] });
		stage.answer('completed', '| Clause | Risk |\n|---|---|\n| 4 | high |');
		await read(1, 1);
		expect(stage.sandbox.questions).toMatchObject([{ attachments: [{ fileName: contract.fileName }], visibility: 'organization' }]);
		expect(stage.sandbox.questions[0]?.text).toBe('NDA\n\nMay we sign? R&D asks.');
		expect(microsoft.mails).toMatchObject([{ to: 'sales@example.com', isSent: true, headers: [{ name: 'X-Auto-Response-Suppress', value: 'All' }] }]);
		expect(microsoft.mails[0]?.html).toMatch(/<table border="1"[\s\S]*<td>high<\/td>[\s\S]*Not reviewed: logo\.gif/);
	});

	test('machines, lists and the mailbox itself get no answer, cost no question, and make no task', async () => {
		await receive(...machines);
		await read(machines.length, 0);
		expect([stage.sandbox.questions, microsoft.mails, stage.taskTitles()]).toEqual([[], [], []]);
	});

	test("a forged sender with a Reply-To of its own gets nothing: the answer goes to the colleague's address", async () => {
		await receive({ from: 'ceo@example.com', replyTo: 'them@meridian.example', attachments: [] });
		await read(1, 1);
		expect(microsoft.mails).toMatchObject([{ to: 'ceo@example.com' }]);
	});

	test('an email that arrives twice is answered once; one from outside becomes a task, and gets no reply', async () => {
		const twice = { from: 'twice@example.com', messageId: `<${Date.now()}@example.com>`, attachments: [] };
		await receive(twice, twice, { from: 'them@example.com.meridian.example', subject: 'NDA', attachments: [] });
		await read(3, 1);
		expect(microsoft.mails).toHaveLength(1);
		expect(stage.taskTitles()).toEqual(['Email from outside: NDA']);
	});

	test('of a sender with more emails than the limit, the first are answered and one task says so', async () => {
		await receive(...Array.from({ length: 5 }, () => ({ from: 'eager@example.com', attachments: [] })));
		await read(5, 2, { '"name":"emails_a_day","type":"number","value":20': '"name":"emails_a_day","type":"number","value":2' });
		expect([stage.sandbox.questions.length, microsoft.mails.length]).toEqual([2, 2]);
		expect(stage.taskTitles()).toEqual(['Many emails: read what eager@example.com sent today']);
	});

	test.each([
		['that was declined gets the reason', '[filtered]', 'It is out of scope.', []],
		['that failed becomes a task', '[error]', 'The legal team will look at it', ['Answer sales@example.com: [error]']],
	] as const)('an email %s', async (_what, subject, said, tasks) => {
		await receive({ from: 'sales@example.com', subject, attachments: [] });
		const workflow = await stage.publish('outlook-mailbox.json');
		if (subject === '[error]') await stage.answered(workflow);
		await stage.settled(workflow, 2);
		expect(microsoft.mails.map(({ html }) => html.replace(/\s+/g, ' '))).toEqual([expect.stringContaining(said)]);
		expect(stage.taskTitles()).toEqual(tasks);
	});

	test('a reply that Outlook refuses becomes a task with the answer', async () => {
		await receive({ from: 'sales@example.com', subject: 'NDA', attachments: [] });
		stage.answer('completed', 'Sign it.');
		stage.products.refuse(/createReply/, 403, 1);
		await read(1, 1);
		expect(stage.sandbox.tasks.ordered()).toMatchObject([
			{ title: 'Tell sales@example.com by hand: NDA', description: expect.stringContaining('Sign it.') as unknown },
		]);
	});
});

describe('draft-from-template.json', () => {
	async function request(workflow: StoredWorkflow): Promise<string> {
		return await stage.asked(workflow, async () => {
			const answers = { 'Your Email': asker, Counterparty: 'Meridian/Ltd', Purpose: 'A pilot' };
			expect(await submitForm(stage.n8n.baseUrl, workflow, answers)).toMatchObject({ status: 200 });
		});
	}

	/** The link in the email that the lawyer gets. */
	async function linkForLawyer(): Promise<string> {
		const mail = await until('an email to the lawyer', () => Promise.resolve(microsoft.mails.find(({ to }) => to === 'lawyer@example.com')));
		return linkIn(mail, 'Decide');
	}

	test('an approved draft is filed and sent once, although its first links have expired and OneDrive refuses the first try', async () => {
		const workflow = await stage.publish('draft-from-template.json');
		stage.answer('completed', 'A mutual NDA.', 'NDA.docx');
		const id = await request(workflow);
		const link = await linkForLawyer();
		stage.sandbox.advance(25 * 60 * 60 * 1000);
		stage.products.refuse(/\/drive\/items\/.*content/, 403, 1);
		await stage.decide(link, 'Approve', 'Fill in the date.');
		expect((await stage.n8n.waitForExecution(id)).status).toBe('error');
		expect((await stage.retried(workflow, { id })).failure).toBeUndefined();

		expect(stage.sandbox.questions[0]?.text).toContain('Non-Disclosure Agreement');
		const content = Buffer.from('NDA.docx');
		expect(microsoft.uploads).toEqual([
			{ path: expect.stringMatching(/^root:\/\d{4}-\d\d-\d\d NDA MeridianLtd\.docx$/) as unknown, content },
		]);
		const sent = microsoft.mails.filter(({ to }) => to === asker);
		expect(sent).toMatchObject([{ attachments: [{ name: 'NDA.docx', content }], html: expect.stringContaining('Fill in the date.') as unknown }]);
		expect(stage.taskTitles()).toEqual([]);
	});

	test.each([
		['is not approved', 'completed', ['NDA.docx'], 'Decline', {}],
		['is decided by nobody within 3 days', 'completed', ['NDA.docx'], undefined, soon],
		['has an unexpected file with it', 'completed', ['NDA.docx', 'positions.docx'], undefined, {}],
		['was declined by the assistant', 'filtered', [], undefined, {}],
		['failed', 'error', [], undefined, {}],
	] as const)('a draft that %s becomes a task, and is not sent', async (_what, status, files, decision, texts) => {
		const workflow = await stage.publish('draft-from-template.json', texts);
		stage.answer(status, 'A mutual NDA.', ...files);
		const id = await request(workflow);
		if (decision !== undefined) await stage.decide(await linkForLawyer(), decision, '');
		await stage.finished(id);

		expect(microsoft.mails.filter(({ to }) => to === asker)).toMatchObject([
			{ html: expect.stringContaining('The legal team will look at your request') as unknown, attachments: [] },
		]);
		expect(stage.taskTitles()).toEqual([`NDA with Meridian/Ltd: get back to ${asker}`]);
		expect(microsoft.uploads).toEqual([]);
	});
});

describe('sharepoint-teams.json', () => {
	async function fill(...fileNames: readonly string[]): Promise<void> {
		const { content, contentType } = await bundledContract('mutual-nda.pdf');
		microsoft.folder.push(...fileNames.map((fileName) => ({ id: `01${fileName}-${Date.now()}`, fileName, contentType, content })));
	}

	/** The link in the chat that asks about a file. */
	async function linkFor(name: string): Promise<string> {
		const html = await until('the question', () =>
			Promise.resolve(microsoft.chat.find((message) => message.includes(`May ${name} be signed?`))),
		);
		expect(html).toContain('Sign with changes.');
		return linkIn({ html, subject: name }, 'Decide');
	}

	test('each new file is reviewed and decided on by itself, and once; a scanner decides nothing', async () => {
		await fill('a.pdf', 'b.pdf', 'notes.txt');
		const workflow = await stage.publish('sharepoint-teams.json');
		stage.answer('completed', '**Sign** with changes.');
		await stage.run(workflow, 'Every 15 Minutes');
		const reviews = await stage.answered(workflow, 2);
		await stage.decide(await linkFor('a.pdf'), 'Approve', '');
		await stage.decide(await linkFor('b.pdf'), 'Decline', 'Too broad.');
		for (const id of reviews) await stage.finished(id);
		expect(microsoft.chat.slice(2)).toEqual(
			expect.arrayContaining([expect.stringContaining('a.pdf is approved.'), expect.stringContaining('b.pdf is not approved.')]),
		);
		expect(stage.sandbox.tasks.ordered()).toMatchObject([
			{ title: 'Review b.pdf', description: expect.stringContaining('Too broad.') as unknown },
		]);

		await stage.run(workflow, 'Every 15 Minutes');
		expect(stage.sandbox.questions).toHaveLength(2);
	});

	test('nobody decides: the file becomes a task, and the chat is told', async () => {
		await fill('slow.pdf');
		const workflow = await stage.publish('sharepoint-teams.json', soon);
		stage.answer('completed', 'Sign with changes.');
		await stage.run(workflow, 'Every 15 Minutes');
		for (const id of await stage.answered(workflow)) await stage.finished(id);
		expect(stage.taskTitles()).toEqual(['Review slow.pdf']);
		expect(microsoft.chat.at(-1)).toContain('slow.pdf is not approved.');
	});

	test('a download that fails is tried again, and the file is reviewed', async () => {
		await fill('flaky.pdf');
		stage.products.refuse(/contoso\.sharepoint\.com\/files/, 503, 1);
		const workflow = await stage.publish('sharepoint-teams.json');
		stage.answer('filtered', 'Not for us.');
		await stage.run(workflow, 'Every 15 Minutes');
		await stage.settled(workflow, 2);
		expect(stage.taskTitles()).toEqual(['Review flaky.pdf']);
	});
});

describe('teams-questions.json', () => {
	test('each post of a person is answered once, below it; apps and what is old are not read', async () => {
		const now = Date.now();
		microsoft.channel.push(
			{ id: `${now}1`, subject: 'NDA', html: '<div><p>May we sign&nbsp;R&amp;D’s NDA?</p></div>' },
			{ id: `${now}2`, html: '<p>[error]</p>' },
			{ id: `${now}3`, html: '<p>[filtered]</p>' },
			{ id: `${now}4`, html: '<p>Build 4 is done.</p>', from: 'app' },
			{ id: `${now}5`, html: '<p>Last week?</p>', minutesAgo: 7 * 24 * 60 },
		);
		const workflow = await stage.publish('teams-questions.json');
		await stage.run(workflow, 'Every 2 Minutes');
		await stage.answered(workflow, 2);
		await stage.settled(workflow, 4);
		expect(stage.sandbox.questions.map(({ text }) => text).sort()).toEqual(['NDA\n\nMay we sign R&D’s NDA?', '[error]', '[filtered]']);
		expect(microsoft.channelReplies.map(({ to }) => to).sort()).toEqual([`${now}1`, `${now}2`, `${now}3`]);
		const below = (id: string): string => microsoft.channelReplies.find(({ to }) => to === id)?.html ?? '';
		expect(below(`${now}1`)).toContain('Open the session</a>');
		expect(below(`${now}2`)).toContain('The legal team will look at your question');
		expect(below(`${now}3`)).toContain('It is out of scope.');
		expect(stage.taskTitles()).toEqual(['Answer Sam Sales in Teams']);

		await stage.run(workflow, 'Every 2 Minutes');
		expect(stage.sandbox.questions).toHaveLength(3);
	});
});
