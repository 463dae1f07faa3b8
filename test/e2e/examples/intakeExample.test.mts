import { createHash, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { bundledContract, credentialType, intakeAnswers, readExample, withEnabled, withTexts } from '../../support/n8n/examples.mts';
import { itemsOf } from '../../support/n8n/executions.mts';
import { submitForm } from '../../support/n8n/form.mts';
import { MailServer } from '../mailServer.mts';
import type { N8nClient, StoredCredential, StoredWorkflow, WorkflowDefinition } from '../../support/n8n/n8nClient.mts';
import { answerOnceParked } from '../parkedQuestions.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';
import { SmtpServer } from '../smtpServer.mts';

interface Part {
	readonly type: string;
	readonly fileName?: string;
	readonly content: Buffer | string;
}

let n8n: N8nClient;
let sandbox: Sandbox;
let mailbox: MailServer;
let smtp: SmtpServer;
let credentials: StoredCredential[];
beforeAll(async () => {
	n8n = connectToSharedN8n(inject('n8n'));
	sandbox = await startSandbox();
	[mailbox, smtp] = await Promise.all([MailServer.start(), SmtpServer.start()]);
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	credentials = [
		await n8n.createCredential(credentialType, 'Intake', { baseUrl, apiKey, webhookSecret }),
		await n8n.createCredential('imap', 'Intake', { ...mailbox.credentialOf('legal') }),
		await n8n.createCredential('smtp', 'Intake', smtp.credential),
	];
});
beforeEach(async () => {
	smtp.emails.length = 0;
	await sandbox.reset();
});
afterAll(async () => {
	await Promise.all([mailbox.close(), smtp.close(), sandbox.close()]);
});

async function whilePublished(definition: WorkflowDefinition, work: (workflow: StoredWorkflow) => Promise<void>): Promise<void> {
	const workflow = await n8n.publish(definition);
	try {
		await work(workflow);
	} finally {
		await n8n.deactivate(workflow);
	}
}

/** A message as a mail program sends it. */
function message(subject: string, parts: readonly Part[]): string {
	const boundary = randomUUID();
	const encoded = parts.map(({ type, fileName, content }) => {
		const disposition = fileName === undefined ? 'inline' : `attachment; filename="${fileName}"`;
		const base64 = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\n');
		return `--${boundary}\nContent-Type: ${type}\nContent-Transfer-Encoding: base64\nContent-Disposition: ${disposition}\n\n${base64}\n`;
	});
	return `From: Sales <sales@hawthorn.example>
To: Legal <legal@example.com>
Subject: ${subject}
Date: ${new Date().toUTCString()}
Message-ID: <${randomUUID()}@hawthorn.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="${boundary}"

${encoded.join('')}--${boundary}--
`;
}

test.each([
	['an answer', 'May we sign this?', 'Write Answer', 'Liability is capped'],
	['why the request was declined', 'Marry me? [filtered]', 'Write Reason for Declining', 'It is out of scope.'],
	['a note about the delay', 'Too hard. [error]', 'Write Note About Delay', 'The legal team will look at it'],
])('intake.json: a contract that comes in by form is replied to with %s', async (_what, subject, node, text) => {
	await whilePublished(await readExample('intake.json', ...credentials), async (workflow) => {
		const contract = await bundledContract('mutual-nda.pdf');
		const known = await n8n.executions(workflow.id);
		const answers = { ...intakeAnswers(contract), Subject: subject };
		expect(await submitForm(n8n.baseUrl, workflow, answers)).toMatchObject({ status: 200 });

		const execution = await n8n.waitForExecution(await answerOnceParked(n8n, sandbox, workflow, known));
		expect(execution.failure).toBeUndefined();
		const sha256 = createHash('sha256').update(contract.content).digest('hex');
		expect(sandbox.questions).toMatchObject([{ attachments: [{ fileName: 'mutual-nda.pdf', contentType: contract.contentType, sha256 }] }]);
		const [reply] = itemsOf(execution, node).map(({ json }) => json);
		expect(reply).toMatchObject({ to: 'sales@hawthorn.example', subject: `Re: ${subject}` });
		expect(reply?.text).toContain(text);
		expect(itemsOf(execution, 'Format as HTML')).toHaveLength(1);
	});
});

test('intake.json: a question that is not answered in time is replied to with a note about the delay', async () => {
	const example = withTexts(await readExample('intake.json', ...credentials), { '"unsupportedFiles":"skip"': '"maxWait":0' });
	await whilePublished(example, async (workflow) => {
		const answers = intakeAnswers(await bundledContract('mutual-nda.pdf'));
		expect(await submitForm(n8n.baseUrl, workflow, answers)).toMatchObject({ status: 200 });
		const execution = await n8n.waitForNextExecution(workflow.id, []);
		expect(itemsOf(execution, 'Review Contract')).toMatchObject([{ json: { status: 'in_progress', timed_out: true } }]);
		const notes = itemsOf(execution, 'Write Note About Delay').map(({ json }) => json);
		expect(notes).toMatchObject([{ cc: 'legal@example.com', text: expect.stringContaining('could not answer in time') as unknown }]);
	});
});

test("intake.json: an ordinary email gets its answer by email: what can't be sent is skipped, quotes cut, a long text attached", async () => {
	const example = withEnabled(await readExample('intake.json', ...credentials), 'Contract Comes In by Email', 'Send Reply');
	const contract = await bundledContract('services-agreement.docx');
	await whilePublished(example, async (workflow) => {
		const own = 'x'.repeat(10_001);
		const text = `${own}\n\nOn Mon, Nov 2, 2026 at 9:00 AM Vendor <vendor@meridian.example>\nwrote:\n> Please sign.\n`;
		const readable = Array.from({ length: 9 }, (_, index) => ({ type: 'text/plain', fileName: `annex-${index}.txt`, content: `Annex ${index}` }));
		await mailbox.deliver(
			'legal',
			message('Services agreement', [
				{ type: 'text/plain; charset=utf-8', content: text },
				{ type: 'image/gif', fileName: 'logo.gif', content: Buffer.from('R0lGODlhAQABAAAAACw=', 'base64') },
				{ type: 'text/calendar', fileName: 'kick-off.ics', content: 'BEGIN:VCALENDAR\nEND:VCALENDAR' },
				{ type: 'application/ms-tnef', fileName: 'winmail.dat', content: 'TNEF' },
				{ type: 'application/octet-stream', fileName: 'forwarded.eml', content: 'Subject: Before' },
				{ type: 'application/octet-stream', fileName: contract.fileName, content: contract.content },
				...readable,
			]),
		);
		await sandbox.waitForQuestion(({ attachments }) => attachments.length > 0, 60_000);
		const execution = await n8n.waitForExecution(await answerOnceParked(n8n, sandbox, workflow, []));
		expect(execution.failure).toBeUndefined();
		const reply = await smtp.waitForEmail(({ to }) => to.text.includes('sales@hawthorn.example'));

		expect(reply.subject).toBe('Re: Services agreement');
		expect(reply.text).toContain('Liability is capped');
		for (const skipped of ['logo.gif', 'kick-off.ics', 'winmail.dat', 'forwarded.eml', 'annex-8.txt']) expect(reply.text).toContain(skipped);
		const [question] = sandbox.questions;
		expect(question?.text).toMatch(/^Services agreement\n\nx{9000}\n\n\(The whole message is attached as Message\.txt\.\)/);
		expect(question?.attachments.map((attachment) => ('fileName' in attachment ? attachment.fileName : ''))).toEqual([
			'Message.txt',
			contract.fileName,
			...readable.slice(0, 8).map(({ fileName }) => fileName),
		]);
		expect(question?.attachments[0]).toMatchObject({ contentLength: 10_001 });
	});
});
