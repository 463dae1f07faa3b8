import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requireAsN8n } from '../../../harness/versions.mts';
import { prepareEmails } from '../../../nodes/LegalAi/email/prepareEmail.ts';
const { simpleParser } = requireAsN8n('mailparser') as any;
const folder = process.env.EMAILS ?? 'test/unit/examples/emails';
const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
const filesOf = ({ attachments }: any) => attachments.map(({ filename, contentType, size, content }: any, i: number) => ({ [`attachment_${i}`]: { fileName: filename, mimeType: contentType, bytes: size, data: content.toString('base64') } }));
const gmail = ({ headerLines, attachments, ...mail }: any) => [{ json: { id: 'id', ...mail, headers: Object.fromEntries(headerLines.map(({ key, line }: any) => [key, line])) }, binary: Object.assign({}, ...filesOf({ attachments })) }];
function outlook(mail: any) {
	const recipients = ({ value }: any = { value: [] }) => value.map(({ address }: any) => ({ emailAddress: { address } }));
	const isMeeting = mail.attachments.some(({ contentType }: any) => contentType === 'text/calendar');
	const json = { ...(isMeeting && { '@odata.type': '#microsoft.graph.eventMessageRequest' }), id: 'id', internetMessageId: mail.messageId, subject: mail.subject ?? '', body: mail.html ? { contentType: 'html', content: mail.html } : { contentType: 'text', content: mail.text ?? '' }, from: recipients(mail.from)[0], toRecipients: recipients(mail.to), internetMessageHeaders: mail.headerLines.map(({ key, line }: any) => ({ name: key, value: line.replace(/^[^:]*:\s*/, '') })) };
	const files = filesOf({ ...mail, attachments: mail.attachments.filter(({ contentType }: any) => contentType !== 'text/calendar') });
	return [{ json }, ...files.map((binary: any) => ({ json: { id: 'file' }, binary }))];
}
test.each([['gmail', gmail], ['outlook', outlook]] as const)('%s', async (_p, give) => {
	const made: any = {};
	for (const name of Object.keys(expected)) {
		const mail = await simpleParser(readFileSync(join(folder, `${name}.eml`), 'utf8'), { keepCidLinks: give === outlook });
		const items: any = give(mail);
		const [email]: any = await prepareEmails(items, { ourAddresses: ['legal@example.com'], colleagues: [] }, { read: async (i, f) => Buffer.from(items[i].binary[f].data, 'base64'), storeText: async (t, n) => ({ data: t, mimeType: 'text/plain', fileName: n }) as any });
		const { kind, subject, text, attached, unread, answers_us } = email.json;
		made[name] = { kind, subject, text: String(text).replaceAll(/\s+/g, ' ').slice(0, 300), attached, unread, ...(answers_us === true && { answersUs: true }) };
	}
	expect(made).toEqual(expected);
});
