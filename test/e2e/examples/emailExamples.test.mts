import { randomUUID } from 'node:crypto';

import { afterAll, describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { MailServer } from '../mailServer.mts';
import { mimeMessage, type MimePart } from '../mimeMessage.mts';
import { reviewsToDraft, Stage } from './stage.mts';

const mailbox = await MailServer.start();
const stage = await Stage.ofThisFile({ imap: { ...mailbox.credentialOf('legal') } });
afterAll(async () => {
	await mailbox.close();
});
const { google } = stage.products;

const contract = await bundledContract('mutual-nda.pdf');
const nda: MimePart = { type: contract.contentType, fileName: contract.fileName, content: contract.content };
const words: MimePart = { type: 'text/plain', content: 'May we sign?' };

describe('gmail-drafts.json', () => {
	const redline = 'agreement - Redline.docx';

	/** Puts an email into a conversation; `ours` are what the owner of the mailbox has written. */
	function label(thread: string, subject: string, parts: readonly MimePart[], { ours = false, minutesAgo = 0 } = {}): void {
		const date = new Date(Date.now() - minutesAgo * 60_000).toUTCString();
		const source = mimeMessage(subject, parts, ours ? 'Us <us@example.com>' : undefined, { Date: date });
		google.emails.push({ id: randomUUID(), thread, source, labels: new Set(['LEGAL_REVIEW', ours ? 'SENT' : 'INBOX']) });
	}

	function drafted(): unknown[] {
		return google.drafts.map(({ threadId, email: { to, subject } }) => [threadId, to.text, subject]);
	}

	test.each(reviewsToDraft(redline))('of %s, only a redline becomes a draft, and a lawyer gets a task', async (_what, status, answer, files, isDrafted) => {
		label('one', 'Our NDA', [nda]);
		google.emails.push({ id: 'other', source: mimeMessage('Lunch', [words]), labels: new Set(['INBOX']) });
		stage.answer(status, answer, ...files);
		const workflow = await stage.publish('gmail-drafts.json');
		await stage.run(workflow, 'Every 5 Minutes');
		if (status !== 'filtered') await stage.answered(workflow);
		await stage.settled(workflow, 2);

		expect(stage.sandbox.questions).toMatchObject([{ attachments: [{ fileName: 'mutual-nda.pdf' }], visibility: 'organization' }]);
		expect(drafted()).toEqual(isDrafted ? [['one', 'sales@meridian.example', 'Re: Our NDA']] : []);
		expect(google.drafts.flatMap(({ email }) => email.attachments.map(({ filename }) => filename))).toEqual(isDrafted ? [redline] : []);
		expect(google.drafts.map(({ email: { text } }) => text)).not.toContainEqual(expect.stringContaining(answer));
		expect(stage.sandbox.tasks.ordered()).toMatchObject([
			{
				title: `${isDrafted ? 'Check and send the draft' : 'Review by hand'}: Our NDA`,
				description: expect.stringContaining(answer) as unknown,
			},
		]);
		expect(google.emails.map(({ labels }) => [...labels].join())).toEqual(['INBOX,LEGAL_REVIEWED', 'INBOX']);
	});

	test('of a conversation with our own emails, the newest NDA of the other side is redlined, once, and its new version tomorrow', async () => {
		label('long', 'NDA', [words, { ...nda, fileName: 'first.pdf' }], { minutesAgo: 50 });
		label('long', 'Re: NDA', [words, { ...nda, fileName: 'ours.pdf' }], { ours: true, minutesAgo: 40 });
		label('long', 'Re: NDA', [words, { ...nda, fileName: 'second.pdf' }], { minutesAgo: 30 });
		label('long', 'Re: NDA', [words, { type: 'image/png', fileName: 'logo.png', content: 'PNG' }], { minutesAgo: 20 });
		stage.answer('completed', 'Two changes.', redline);
		const workflow = await stage.publish('gmail-drafts.json');
		await stage.run(workflow, 'Every 5 Minutes');
		await stage.answered(workflow);
		await stage.settled(workflow, 2);
		await stage.run(workflow, 'Every 5 Minutes');
		const file = (name: string): unknown => ({ attachments: [{ fileName: name }] });
		expect(stage.sandbox.questions).toMatchObject([file('second.pdf')]);
		expect(drafted()).toEqual([['long', 'sales@meridian.example', 'Re: Re: NDA']]);

		label('long', 'Re: NDA', [words, { ...nda, fileName: 'third.pdf' }]);
		for (const { labels } of google.emails) labels.add('LEGAL_REVIEW');
		await stage.run(workflow, 'Every 5 Minutes');
		await stage.answered(workflow);
		await stage.settled(workflow, 5);
		expect(stage.sandbox.questions).toMatchObject([file('second.pdf'), file('third.pdf')]);
	});

	test('conversations without a contract of the other side become a task, without a question', async () => {
		label('words', 'Can we talk?', [words]);
		label('ours', 'Our own NDA', [nda], { ours: true });
		const workflow = await stage.publish('gmail-drafts.json');
		await stage.run(workflow, 'Every 5 Minutes');
		await stage.settled(workflow, 3);
		expect(stage.sandbox.questions).toEqual([]);
		expect(drafted()).toEqual([]);
		expect(stage.taskTitles().sort()).toEqual(['Review by hand: Can we talk?', 'Review by hand: Our own NDA']);
		expect(google.emails.map(({ labels }) => labels.has('LEGAL_REVIEW'))).toEqual([false, false]);
	});

	test('one of two drafts is refused: the other is drafted, and its retry drafts it once', async () => {
		label('one', 'First', [nda]);
		label('two', 'Second', [nda]);
		stage.answer('completed', 'Two changes.', redline);
		stage.products.refuse(/\/drafts/, 403, 1);
		const workflow = await stage.publish('gmail-drafts.json');
		await stage.run(workflow, 'Every 5 Minutes');
		await stage.answered(workflow, 2);
		const [failed] = (await stage.settled(workflow, 3)).filter(({ status }) => status === 'error');
		expect(drafted()).toHaveLength(1);
		expect((await stage.retried(workflow, failed ?? { id: '' })).failure).toBeUndefined();
		expect(google.drafts.map(({ threadId }) => threadId).sort()).toEqual(['one', 'two']);
		expect([stage.sandbox.questions.length, stage.taskTitles().length]).toEqual([2, 2]);
	});
});

describe('mailbox-intake.json', () => {
	async function deliver(subject: string, from: string, headers: Readonly<Record<string, string>> = {}, parts = [words]): Promise<void> {
		await mailbox.deliver('legal', mimeMessage(subject, parts, from, headers));
	}

	test("a colleague gets the answer: what can't be sent is skipped, quotes are cut, a long text is attached, tables have lines", async () => {
		const agreement = await bundledContract('services-agreement.docx');
		const workflow = await stage.publish('mailbox-intake.json');
		stage.answer('completed', '| Clause | Risk |\n|---|---|\n| 4 | high |');
		const own = 'x'.repeat(10_001);
		const text = `${own}\n\nOn Mon, Nov 2, 2026 at 9:00 AM Vendor <vendor@meridian.example>\nwrote:\n> Please sign.\n`;
		const readable = Array.from({ length: 9 }, (_, index) => ({
			type: 'text/plain',
			fileName: `annex-${index}.txt`,
			content: `Annex ${index}`,
		}));
		const parts = [
			{ type: 'text/plain; charset=utf-8', content: text },
			{ type: 'image/gif', fileName: 'logo.gif', content: Buffer.from('R0lGODlhAQABAAAAACw=', 'base64') },
			{ type: 'text/calendar', fileName: 'kick-off.ics', content: 'BEGIN:VCALENDAR\nEND:VCALENDAR' },
			{ type: 'application/ms-tnef', fileName: 'winmail.dat', content: 'TNEF' },
			{ type: 'application/octet-stream', fileName: 'forwarded.eml', content: 'Subject: Before' },
			{ type: 'application/octet-stream', fileName: agreement.fileName, content: agreement.content },
			...readable,
		];
		await deliver('Services agreement', 'Sales <Sales@example.com>', {}, parts);
		await stage.answered(workflow);
		await stage.settled(workflow, 1);

		const [reply] = stage.smtp.emails;
		expect(reply).toMatchObject({ to: { text: 'sales@example.com' }, subject: 'Re: Services agreement' });
		for (const said of ['logo.gif', 'kick-off.ics', 'winmail.dat', 'forwarded.eml', 'annex-8.txt']) expect(reply?.text).toContain(said);
		expect(reply?.html).toMatch(/<table border="1"[\s\S]*<td>high<\/td>/);
		const [question] = stage.sandbox.questions;
		expect(question?.text).toMatch(/^Services agreement\n\nx{9000}\n\n\(The whole message is attached as Message\.txt\.\)/);
		expect(question?.attachments.map((attachment) => ('fileName' in attachment ? attachment.fileName : ''))).toEqual([
			'Message.txt',
			agreement.fileName,
			...readable.slice(0, 8).map(({ fileName }) => fileName),
		]);
	});

	const machines: Readonly<Record<string, readonly [from: string, headers?: Readonly<Record<string, string>>]>> = {
		'a bounce': ['MAILER-DAEMON@example.com', { 'Return-Path': '<>', 'Auto-Submitted': 'auto-replied' }],
		'an out-of-office reply': ['sales@example.com', { 'Auto-Submitted': 'auto-replied' }],
		"Exchange's out-of-office reply": ['sales@example.com', { 'X-Auto-Response-Suppress': 'All' }],
		noreply: ['Billing <no-reply@example.com>'],
		'a mailing list': ['sales@example.com', { 'List-Id': 'News <news.example.com>', Precedence: 'list' }],
		'the mailbox itself': ['Legal <Legal@Example.com>'],
	};

	test(`colleagues get the answer, the reason for a decline, or a note; outside gets a task; ${Object.keys(machines).join(', ')} get nothing`, async () => {
		const workflow = await stage.publish('mailbox-intake.json');
		for (const [subject, [from, headers]] of Object.entries(machines)) await deliver(subject, from, headers);
		await deliver('A person', 'sales@example.com', { 'Auto-Submitted': 'no' });
		await deliver('[filtered]', 'sales@example.com');
		await deliver('[error]', 'sales@example.com');
		await deliver('NDA', '"me@example.com" <sales@example.com.meridian.example>');
		await stage.sandbox.waitForQuestion(({ text }) => text.startsWith('[error]'), 60_000);
		await stage.answered(workflow, 2);
		await stage.smtp.waitForEmail(({ subject }) => subject === 'Re: [error]', { timeout: 60_000 });
		await stage.settled(workflow, 1);
		const said = stage.smtp.emails.map(({ to, subject, text }) => [to.text, subject, text?.replace(/\s+/g, ' ')]);
		expect(said.sort()).toEqual([
			['sales@example.com', 'Re: A person', expect.stringContaining('Open the session')],
			['sales@example.com', 'Re: [error]', expect.stringContaining('The legal team will look at it')],
			['sales@example.com', 'Re: [filtered]', expect.stringContaining('It is out of scope.')],
		]);
		expect(stage.sandbox.questions).toHaveLength(3);
		expect(stage.taskTitles().sort()).toEqual(['Answer sales@example.com: [error]', 'Email from outside: NDA']);
	});

	test('an email that is delivered twice is answered once, a sender at most as often as the limit says, and a reply that is refused becomes a task', async () => {
		const limit = { '"name":"emails_a_day","type":"number","value":20': '"name":"emails_a_day","type":"number","value":2' };
		const workflow = await stage.publish('mailbox-intake.json', limit);
		stage.answer('filtered', 'Not for us.');
		stage.smtp.refused.add('gone@example.com');
		const headers = { 'Message-ID': `<${randomUUID()}@example.com>` };
		await deliver('Twice', 'twice@example.com', headers);
		await deliver('Twice', 'twice@example.com', headers);
		for (let sent = 0; sent < 5; sent++) await deliver(`Number ${sent}`, 'eager@example.com');
		await deliver('Hello', 'gone@example.com');
		await deliver('Last', 'last@example.com');
		await stage.smtp.waitForEmail(({ subject }) => subject === 'Re: Last', { timeout: 60_000 });
		await stage.settled(workflow, 1);
		const answers = stage.smtp.emails.map(({ to }) => to.text).sort();
		expect(answers).toEqual(['eager@example.com', 'eager@example.com', 'last@example.com', 'twice@example.com']);
		expect(stage.sandbox.questions).toHaveLength(5);
		expect(stage.taskTitles().sort()).toEqual([
			'Many emails: read what eager@example.com sent today',
			'Tell gone@example.com by hand: Hello',
		]);
	});
});
