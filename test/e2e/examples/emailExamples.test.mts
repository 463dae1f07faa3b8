import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { requireAsN8n } from '../../../harness/versions.mts';
import { mailServerOfThisFile } from '../../support/n8n/mailServer.mts';
import type { ReceivedMail } from '../../support/products/microsoft.mts';
import { Stage } from '../../support/products/stage.mts';

const mailbox = await mailServerOfThisFile();
const stage = await Stage.ofThisFile({ credentials: { imap: mailbox.credential } });
const { google, microsoft } = stage.products;

const nda = await bundledContract('mutual-nda.pdf');
const agreement = await bundledContract('services-agreement.docx');

type Mail = Partial<ReceivedMail>;

/** An email with an ID of its own, from a vendor unless told otherwise. */
function complete(mail: Mail): ReceivedMail {
	const id = randomUUID();
	return { id, from: 'vendor@meridian.example', subject: 'Our paper', body: 'May we sign?', attachments: [], headers: {}, ...mail };
}

// The library that n8n's own email nodes write messages with.
const { createTransport } = requireAsN8n('nodemailer') as {
	createTransport: (options: object) => { sendMail(mail: object): Promise<{ message: Buffer }> };
};
const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

/** An email as a mail program sends it. */
async function toMime(mail: Mail): Promise<string> {
	const { body, attachments, ...head } = complete(mail);
	const files = attachments.map(({ fileName, ...file }) => ({ ...file, filename: fileName }));
	const { message } = await writer.sendMail({ ...head, to: 'legal@example.com', text: body, textEncoding: 'base64', attachments: files });
	return message.toString();
}

/** Puts emails into Outlook, where an address has no name. */
function receiveInOutlook(...mails: readonly Mail[]): void {
	microsoft.received.push(...mails.map(complete).map((mail) => ({ ...mail, from: mail.from.replace(/.*<|>$/g, '') })));
}

/** Puts a labeled email into a conversation in Gmail; `ours` are what the owner of the mailbox has written. */
async function label(threadId: string, mail: Mail, { ours = false, minutesAgo = 0 } = {}): Promise<void> {
	const headers = { Date: new Date(Date.now() - minutesAgo * 60_000).toUTCString() };
	const labels = new Set(['LEGAL_REVIEW', ours ? 'SENT' : 'INBOX']);
	google.emails.push({ id: randomUUID(), threadId, source: await toMime({ ...mail, headers }), labels });
}

/** Emails that no person has written: an answer to one would only be answered by the next machine. */
const machines: readonly Mail[] = [
	{ from: 'MAILER-DAEMON@example.com', subject: 'Returned', headers: { 'Return-Path': '<>', 'Auto-Submitted': 'auto-replied' } },
	{ from: 'MicrosoftExchange329e71ec88ae@example.com', subject: 'Undeliverable: Re: NDA' },
	{ from: 'postmaster@example.com', subject: 'Undeliverable: Our contract' },
	{ from: 'sales@example.com', subject: 'Automatic reply: NDA', headers: { 'X-Auto-Response-Suppress': 'All' } },
	{ from: 'Billing <no-reply@example.com>', subject: 'Your invoice' },
];
/** Those that can be told only by their headers, and by where they come in. */
const inDisguise: readonly Mail[] = [
	{ from: 'sales@example.com', subject: 'Out of office', headers: { 'Auto-Submitted': 'auto-replied' } },
	{ from: 'team@example.com', subject: 'News', headers: { 'List-ID': '<news.example.com>', Precedence: 'list' } },
	{ from: 'Legal <Legal@Example.com>', subject: 'Re: NDA' },
];

describe.each([
	{
		example: 'gmail-drafts.json',
		/** Lets the workflow find emails, each in a conversation of its own. */
		find: async (...mails: readonly Mail[]): Promise<void> => {
			for (const [index, mail] of mails.entries()) await label(`thread-${index}`, mail);
			await stage.publish('gmail-drafts.json');
			await stage.run('Every 5 Minutes');
		},
		drafts: () => google.drafts.map(({ email: { to, subject, text = '', attachments } }) => ({
			to: to.text, subject, text, files: attachments.map(({ filename }) => filename), isSent: false,
		})),
	},
	{
		example: 'outlook-redline.json',
		find: async (...mails: readonly Mail[]): Promise<void> => {
			receiveInOutlook(...mails);
			await stage.publish('outlook-redline.json');
		},
		drafts: () => microsoft.mails.map(({ to, subject, html, attachments, isSent }) => ({
			to, subject, text: html, files: attachments.map(({ name }) => name), isSent,
		})),
	},
])('$example', ({ find, drafts }) => {
	const redline = 'agreement - Redline.docx';

	test.each([
		['a redline', 'completed', 'Two changes.', [redline, 'report.docx'], true],
		['another file', 'completed', 'Our positions.', ['positions.docx'], false],
		['two redlines', 'completed', 'Two of them.', [redline, 'annex - redline.docx'], false],
		['no file', 'completed', 'Nothing to change.', [], false],
		['the reason for a decline', 'filtered', 'Not for us.', [], false],
		['an error', 'error', 'The file is damaged.', [], false],
	] as const)('if the answer has %s, only a single redline becomes a draft; a lawyer gets a task', async (_what, status, answer, files, isDrafted) => {
		const theirs = { ...agreement, fileName: 'their redline.docx' };
		stage.answer(status, answer, ...files);
		await find({ attachments: [theirs] });
		if (status !== 'filtered') await stage.answered();
		await stage.settled(2);

		expect(stage.sandbox.questions).toMatchObject([{ attachments: [{ fileName: theirs.fileName }], visibility: 'organization' }]);
		expect(drafts()).toEqual(
			isDrafted
				? [{ to: 'vendor@meridian.example', subject: 'Re: Our paper', text: expect.not.stringContaining(answer) as unknown, files: [redline], isSent: false }]
				: [],
		);
		expect(stage.sandbox.tasks.ordered()).toMatchObject([
			{
				title: `${isDrafted ? 'Check and send the draft' : 'Review by hand'}: Our paper`,
				description: expect.stringContaining(answer) as unknown,
			},
		]);
	});

	test('three come at once and one draft is refused: the others are drafted, and its retry drafts it once', async () => {
		stage.answer('completed', 'Two changes.', redline);
		stage.products.refuse(/\/drafts|createReply/, 403, 1);
		const subjects = ['First', 'Second', 'Third'];
		await find(...subjects.map((subject) => ({ subject, attachments: [nda] })));
		await stage.answered(3);
		const failed = (await stage.settled(4)).filter(({ status }) => status === 'error');
		expect(drafts()).toHaveLength(2);
		for (const execution of failed) await stage.retried(execution);
		expect(drafts().map(({ subject }) => subject).sort()).toEqual(subjects.map((subject) => `Re: ${subject}`));
		expect([stage.sandbox.questions.length, stage.taskTitles().length]).toEqual([3, 3]);
	});
});

test('outlook-redline.json: automatic emails with a file are not asked about, and get no draft', async () => {
	receiveInOutlook(...machines.map((mail) => ({ ...mail, attachments: [nda] })));
	await stage.publish('outlook-redline.json');
	await stage.settled(1);
	expect([stage.sandbox.questions, microsoft.mails, stage.taskTitles()]).toEqual([[], [], []]);
});

test("gmail-drafts.json: in a conversation, the other side's newest NDA is redlined once, and so is its next version", async () => {
	const attach = (fileName: string): Mail => ({ subject: 'NDA', attachments: [{ ...nda, fileName }] });
	await label('long', attach('first.pdf'), { minutesAgo: 50 });
	await label('long', attach('ours.pdf'), { ours: true, minutesAgo: 40 });
	await label('long', attach('second.pdf'), { minutesAgo: 30 });
	await label('long', { attachments: [{ fileName: 'logo.png', contentType: 'image/png', content: Buffer.from('PNG') }] }, { minutesAgo: 20 });
	stage.answer('completed', 'Two changes.', 'redline.docx');
	await stage.publish('gmail-drafts.json');
	await stage.run('Every 5 Minutes');
	await stage.answered();
	await stage.settled(2);
	await stage.run('Every 5 Minutes');
	const asked = (): unknown[] => stage.sandbox.questions.flatMap(({ attachments }) => attachments);
	expect(asked()).toMatchObject([{ fileName: 'second.pdf' }]);
	expect(google.drafts).toMatchObject([{ threadId: 'long', email: { subject: 'Re: NDA' } }]);

	await label('long', attach('third.pdf'));
	for (const { labels } of google.emails) labels.add('LEGAL_REVIEW');
	await stage.run('Every 5 Minutes');
	await stage.answered();
	await stage.settled(5);
	expect(asked()).toMatchObject([{ fileName: 'second.pdf' }, { fileName: 'third.pdf' }]);
});

test('gmail-drafts.json: a labeled conversation without a contract from the other side becomes a task, and nothing is asked', async () => {
	await label('words', { subject: 'Can we talk?' });
	await label('ours', { subject: 'Our own NDA', attachments: [nda] }, { ours: true });
	google.emails.push({ id: 'other', threadId: 'other', source: await toMime({ subject: 'Lunch' }), labels: new Set(['INBOX']) });
	await stage.publish('gmail-drafts.json');
	await stage.run('Every 5 Minutes');
	await stage.settled(3);
	expect([stage.sandbox.questions, google.drafts]).toEqual([[], []]);
	expect(stage.taskTitles()).toEqual(['Review by hand: Can we talk?', 'Review by hand: Our own NDA']);
	expect(google.emails.map(({ labels }) => [...labels].join())).toEqual(['INBOX,LEGAL_REVIEWED', 'SENT,LEGAL_REVIEWED', 'INBOX']);
});

describe.each([
	{
		example: 'mailbox-intake.json',
		/** Lets the workflow read emails, which ask so many questions, and waits until it is through with them. */
		read: async (mails: readonly Mail[], questions: number, texts = {}): Promise<void> => {
			await stage.publish('mailbox-intake.json', texts);
			for (const mail of mails) await mailbox.deliver(await toMime(mail));
			await stage.answered(questions);
			await stage.settled(1);
		},
		quoting: (own: string) => `${own}\n\nOn Mon, Nov 2, 2026 at 9:00 AM Vendor <vendor@meridian.example>\nwrote:\n> Please sign.\n`,
		refuseReplyTo: (address: string): void => void stage.smtp.refused.add(address),
		replies: () => stage.smtp.emails.map(({ to, subject, html }) => ({ to: to.text, subject, text: String(html) })),
	},
	{
		example: 'outlook-mailbox.json',
		read: async (mails: readonly Mail[], questions: number, texts = {}): Promise<void> => {
			receiveInOutlook(...mails);
			await stage.publish('outlook-mailbox.json', texts);
			await stage.answered(questions);
			await stage.settled(1 + mails.length);
		},
		quoting: (own: string) =>
			`<html><head><style>p {}</style></head><body><p>${own.replace('&', '&amp;').replace(' ', '&nbsp;')}</p><div id="divRplyFwdMsg"><b>From:</b> Vendor</div><p>Please sign.</p></body></html>`,
		refuseReplyTo: (): void => { stage.products.refuse(/createReply/, 403, 1); },
		replies: () => microsoft.mails.filter(({ isSent }) => isSent).map(({ to, subject, html }) => ({ to, subject, text: html })),
	},
])('$example', ({ read, quoting, refuseReplyTo, replies }) => {
	test('colleagues get a reply, an email from outside becomes a task, and automatic emails, lists and the mailbox itself get nothing', async () => {
		const outside = { from: '"me@example.com" <sales@example.com.meridian.example>', subject: 'NDA' };
		const person = { from: 'sales@example.com', subject: 'A person', headers: { 'Auto-Submitted': 'no', 'Reply-To': 'them@meridian.example' } };
		const declined = { from: 'sales@example.com', subject: '[filtered]' };
		const failed = { from: 'sales@example.com', subject: '[error]' };
		await read([...machines, ...inDisguise, outside, declined, person, failed], 2);
		const said = replies().map(({ to, subject, text }) => [to, subject, text.replace(/\s+/g, ' ')]);
		expect(said.sort()).toEqual([
			['sales@example.com', 'Re: A person', expect.stringContaining('Open the session')],
			['sales@example.com', 'Re: [error]', expect.stringContaining('The legal team will look at it')],
			['sales@example.com', 'Re: [filtered]', expect.stringContaining('It is out of scope.')],
		]);
		expect(stage.sandbox.questions).toHaveLength(3);
		expect(stage.taskTitles()).toEqual(['Answer sales@example.com: [error]', 'Email from outside: NDA']);
	});

	test('an email that is delivered twice is answered once, and each sender gets no more answers than the limit', async () => {
		const limit = { '"name":"emails_a_day","type":"number","value":20': '"name":"emails_a_day","type":"number","value":2' };
		const twice = { from: 'twice@example.com', headers: { 'Message-ID': `<${randomUUID()}@example.com>` } };
		const eager = Array.from({ length: 5 }, () => ({ from: 'eager@example.com' }));
		await read([twice, twice, ...eager, { from: 'last@example.com' }], 4, limit);
		const answered = ['eager@example.com', 'eager@example.com', 'last@example.com', 'twice@example.com'];
		expect(replies().map(({ to }) => to).sort()).toEqual(answered);
		expect(stage.sandbox.questions).toHaveLength(answered.length);
		expect(stage.taskTitles()).toEqual(['Many emails: read what eager@example.com sent today']);
	});

	test('a reply that is refused becomes a task with the answer', async () => {
		stage.answer('completed', 'Sign it.');
		refuseReplyTo('gone@example.com');
		await read([{ from: 'gone@example.com', subject: 'NDA' }], 1);
		expect(stage.sandbox.tasks.ordered()).toMatchObject([
			{ title: 'Tell gone@example.com by hand: NDA', description: expect.stringContaining('Sign it.') as unknown },
		]);
	});

	test("the question has the colleague's own words, a long text and the readable files; the reply names the other files and shows tables", async () => {
		const own = `May R&D sign? ${'x'.repeat(10_000)}`;
		const gif = { fileName: 'logo.gif', contentType: 'image/gif', content: Buffer.from('R0lGODlhAQABAAAAACw=', 'base64') };
		stage.answer('completed', '| Clause | Risk |\n|---|---|\n| 4 | high |');
		await read([{ from: 'Sales <Sales@example.com>', subject: 'NDA', body: quoting(own), attachments: [gif, agreement] }], 1);
		expect(stage.sandbox.questions).toMatchObject([
			{
				text: expect.stringMatching(/^NDA\n\nMay R&D sign\? x{8986}\n\n\(The whole message is attached as Message\.txt\.\)$/) as unknown,
				attachments: [{ fileName: 'Message.txt' }, { fileName: agreement.fileName }],
				visibility: 'organization',
			},
		]);
		const text = /<table border="1"[\s\S]*<td>high<\/td>[\s\S]*Not reviewed: logo\.gif/;
		expect(replies()).toEqual([{ to: 'sales@example.com', subject: 'Re: NDA', text: expect.stringMatching(text) as unknown }]);
	});
});

test('outlook-mailbox.json: a reply asks machines not to answer it', async () => {
	receiveInOutlook({ from: 'sales@example.com', subject: '[filtered]' });
	await stage.publish('outlook-mailbox.json');
	await stage.settled(2);
	expect(microsoft.mails).toMatchObject([{ headers: [{ name: 'X-Auto-Response-Suppress', value: 'All' }] }]);
});
