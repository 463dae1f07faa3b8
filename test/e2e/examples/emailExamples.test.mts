import { randomUUID } from 'node:crypto';

import { afterAll, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { MailServer } from '../mailServer.mts';
import { mimeMessage } from '../mimeMessage.mts';
import { Stage } from './stage.mts';

const mailbox = await MailServer.start();
const stage = await Stage.ofThisFile({ imap: { ...mailbox.credentialOf('legal') } });
afterAll(async () => {
	await mailbox.close();
});

const redline = 'agreement - Redline.docx';

/** What an answer holds, and whether a reply is drafted with it. */
const outcomes = [
	['a redline', 'completed', 'Two changes.', [redline, 'report.docx'], true],
	['another file', 'completed', 'Our positions.', ['positions.docx'], false],
	['two redlines', 'completed', 'Two of them.', [redline, 'annex - redline.docx'], false],
	['no file', 'completed', 'Nothing to change.', [], false],
	['a decline', 'filtered', 'Not for us.', [], false],
	['an error', 'error', 'The file is damaged.', [], false],
] as const;

test.each(outcomes)(
	'gmail-drafts.json: of %s, only a redline becomes a draft, and a lawyer gets a task',
	async (_what, status, answer, files, isDrafted) => {
		const { google } = stage.products;
		const contract = await bundledContract('mutual-nda.pdf');
		const id = randomUUID();
		const source = mimeMessage('Our NDA', [
			{ type: contract.contentType, fileName: contract.fileName, content: contract.content },
		]);
		google.emails.splice(
			0,
			Infinity,
			{ id, source, labels: new Set(['LEGAL_REVIEW']) },
			{ id: 'other', source, labels: new Set(['INBOX']) },
		);
		google.drafts.length = 0;
		stage.answer(status, answer, ...files);
		const workflow = await stage.publish('gmail-drafts.json');
		await stage.finished(await stage.asked(workflow, async () => await stage.n8n.run(workflow, { trigger: 'Every 5 Minutes' })));

		expect(stage.sandbox.questions).toMatchObject([
			{ attachments: [{ fileName: 'mutual-nda.pdf' }], visibility: 'organization' },
		]);
		const drafts = google.drafts.map(({ threadId, email: { to, subject, attachments } }) => [
			threadId,
			to.text,
			subject,
			attachments.map(({ filename }) => filename),
		]);
		expect(drafts).toEqual(isDrafted ? [[`thread-${id}`, 'sales@meridian.example', 'Re: Our NDA', [redline]]] : []);
		expect(google.drafts.map(({ email: { text } }) => text)).not.toContainEqual(expect.stringContaining(answer));
		expect(stage.sandbox.tasks.ordered()).toMatchObject([
			{
				title: `${isDrafted ? 'Check and send the draft' : 'Review by hand'}: Our NDA`,
				description: expect.stringContaining(answer) as unknown,
			},
		]);
		expect([...(google.emails[0]?.labels ?? [])]).toEqual(['LEGAL_REVIEWED']);
	},
);

test.each(outcomes)(
	'outlook-redline.json: of %s, only a redline becomes a draft, and a lawyer gets a task',
	async (_what, status, answer, files, isDrafted) => {
		const { microsoft } = stage.products;
		const id = randomUUID();
		microsoft.received.splice(0, Infinity, {
			id,
			from: 'vendor@meridian.example',
			subject: 'Our paper',
			attachments: [await bundledContract('services-agreement.docx')],
		});
		microsoft.replies.length = 0;
		stage.answer(status, answer, ...files);
		await stage.finished(await stage.asked(await stage.publish('outlook-redline.json')));

		expect(stage.sandbox.questions).toMatchObject([
			{ attachments: [{ fileName: 'services-agreement.docx' }], visibility: 'organization' },
		]);
		expect(stage.sandbox.questions[0]?.text).toContain('SaaS Procurement');
		expect(microsoft.replies.map(({ to, isSent, attachments }) => [to, isSent, attachments.map(({ name }) => name)])).toEqual(
			isDrafted ? [[id, false, [redline]]] : [],
		);
		expect(microsoft.replies.map(({ text }) => text)).not.toContainEqual(expect.stringContaining(answer));
		expect(stage.sandbox.tasks.ordered()).toMatchObject([
			{
				title: `${isDrafted ? 'Check and send the draft' : 'Review by hand'}: Our paper`,
				description: expect.stringContaining(answer) as unknown,
			},
		]);
	},
);

test("mailbox-intake.json: a colleague gets the answer: what can't be sent is skipped, quotes are cut, a long text is attached", async () => {
	const contract = await bundledContract('services-agreement.docx');
	const workflow = await stage.publish('mailbox-intake.json');
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
		{ type: 'application/octet-stream', fileName: contract.fileName, content: contract.content },
		...readable,
	];
	await mailbox.deliver('legal', mimeMessage('Services agreement', parts, 'Sales <Sales@example.com>'));
	await stage.sandbox.waitForQuestion(({ attachments }) => attachments.length > 0, 60_000);
	await stage.finished(await stage.asked(workflow));

	const [reply] = stage.smtp.emails;
	expect(reply).toMatchObject({ to: { text: 'sales@example.com' }, subject: 'Re: Services agreement' });
	for (const said of ['Liability is capped', 'logo.gif', 'kick-off.ics', 'winmail.dat', 'forwarded.eml', 'annex-8.txt'])
		expect(reply?.text).toContain(said);
	const [question] = stage.sandbox.questions;
	expect(question?.text).toMatch(/^Services agreement\n\nx{9000}\n\n\(The whole message is attached as Message\.txt\.\)/);
	expect(question?.attachments.map((attachment) => ('fileName' in attachment ? attachment.fileName : ''))).toEqual([
		'Message.txt',
		contract.fileName,
		...readable.slice(0, 8).map(({ fileName }) => fileName),
	]);
});

test.each([
	['that was declined gets the reason', '[filtered]', 'sales@example.com', 'It is out of scope.', undefined],
	[
		'that failed becomes a task',
		'[error]',
		'sales@example.com',
		'The legal team will look at it',
		'Answer sales@example.com: [error]',
	],
	[
		'from outside becomes a task, and gets no reply',
		'NDA',
		'sales@example.com.meridian.example',
		undefined,
		'Email from outside: NDA',
	],
] as const)('mailbox-intake.json: an email %s', async (_what, subject, from, text, task) => {
	const workflow = await stage.publish('mailbox-intake.json');
	await mailbox.deliver(
		'legal',
		mimeMessage(subject, [{ type: 'text/plain', content: 'May we sign?' }], `"me@example.com" <${from}>`),
	);
	await stage.n8n.waitForNextExecution(workflow.id, [], ['waiting', 'success'], { timeout: 60_000 });
	await stage.finished(await stage.asked(workflow));
	expect(stage.smtp.emails.map((email) => email.text?.replace(/\s+/g, ' '))).toEqual(
		text === undefined ? [] : [expect.stringContaining(text)],
	);
	expect(stage.taskTitles()).toEqual(task === undefined ? [] : [task]);
});
