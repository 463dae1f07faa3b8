import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { readExample } from '../../../harness/examples.mts';
import { projectFolder } from '../../../harness/installedPackage.mts';
import { requireAsN8n } from '../../../harness/versions.mts';
import expected from './emails/expected.json' with { type: 'json' };

/** What the library that n8n's Gmail and IMAP nodes read emails with makes of one. */
interface ParsedMail {
	readonly subject?: string;
	readonly text?: string;
	readonly html: string | false;
	readonly messageId: string;
	readonly date: Date;
	readonly from?: Addresses;
	readonly to?: Addresses;
	readonly headerLines: readonly { readonly key: string; readonly line: string }[];
	readonly attachments: readonly {
		readonly filename?: string;
		readonly contentType: string;
		readonly size: number;
	}[];
}
interface Addresses {
	readonly value: readonly { readonly address: string }[];
}
interface Item {
	readonly json: Readonly<Record<string, unknown>>;
	readonly binary?: Readonly<Record<string, unknown>>;
}

const { simpleParser } = requireAsN8n('mailparser') as {
	simpleParser: (source: string, options?: object) => Promise<ParsedMail>;
};
const step = readFileSync(join(projectFolder, 'examples', 'prepare-email.cjs'), 'utf8');
const folder = join(projectFolder, 'test', 'unit', 'examples', 'emails');

/** What the step makes of items, in a mailbox of the legal team. */
function prepare(items: readonly Item[], mailbox = 'legal@example.com'): Item[] {
	const context = {
		$input: { all: () => items },
		$: () => ({ first: () => ({ json: { mailbox } }) }),
		Buffer,
	};
	return runInNewContext(`(() => {${step}\n})()`, context) as Item[];
}

/** The files of an email, as n8n's binary fields describe them. */
const filesOf = ({ attachments }: ParsedMail): Item['binary'][] =>
	attachments.map(({ filename, contentType, size }, index) => ({
		[`attachment_${index}`]: { fileName: filename, mimeType: contentType, bytes: size },
	}));

/** An email as n8n's Gmail node (not simplified) and IMAP trigger (format *Resolved*) give it. */
function asGmailGives({ headerLines, attachments, ...mail }: ParsedMail): Item[] {
	const headers = Object.fromEntries(headerLines.map(({ key, line }) => [key, line]));
	return [
		{
			json: { id: 'id', ...mail, headers },
			binary: Object.assign(
				{},
				...filesOf({ headerLines, attachments, ...mail }),
			) as Item['binary'],
		},
	];
}

/** The same email as Graph and n8n's Outlook nodes give it: with the body as HTML, if there is one, and each file as an item. */
function asOutlookGives(mail: ParsedMail): Item[] {
	const recipients = ({ value }: Addresses = { value: [] }): object[] =>
		value.map(({ address }) => ({ emailAddress: { address } }));
	const isMeeting = mail.attachments.some(({ contentType }) => contentType === 'text/calendar');
	const json = {
		...(isMeeting && { '@odata.type': '#microsoft.graph.eventMessageRequest' }),
		id: 'id',
		internetMessageId: mail.messageId,
		subject: mail.subject ?? '',
		body: mail.html
			? { contentType: 'html', content: mail.html }
			: { contentType: 'text', content: mail.text ?? '' },
		from: recipients(mail.from)[0],
		toRecipients: recipients(mail.to),
		internetMessageHeaders: mail.headerLines.map(({ key, line }) => ({
			name: key,
			value: line.replace(/^[^:]*:\s*/, ''),
		})),
	};
	const files = filesOf({
		...mail,
		attachments: mail.attachments.filter(({ contentType }) => contentType !== 'text/calendar'),
	});
	return [{ json }, ...files.map((binary) => ({ json: { id: 'file' }, binary }))];
}

test('the emails that are read here are those of which it is said what becomes of them', () => {
	expect(
		readdirSync(folder)
			.filter((file) => file.endsWith('.eml'))
			.map((file) => file.replace('.eml', ''))
			.sort(),
	).toEqual(Object.keys(expected).sort());
});

test.each([
	['Gmail', asGmailGives],
	['Outlook', asOutlookGives],
] as const)('%s: what an email asks, and what goes with it', async (_program, give) => {
	const made: Record<string, unknown> = {};
	for (const name of Object.keys(expected)) {
		const mail = await simpleParser(readFileSync(join(folder, `${name}.eml`), 'utf8'), {
			keepCidLinks: give === asOutlookGives,
		});
		const { kind, subject, text, attached, unread, answersUs } = prepare(give(mail))[0]?.json ?? {};
		made[name] = {
			kind,
			subject,
			text: String(text).replaceAll(/\s+/g, ' ').slice(0, 300),
			attached,
			unread,
			...(answersUs === true && { answersUs }),
		};
	}
	expect(made).toEqual(expected);
});

test.each(['gmail-drafts', 'outlook-mailbox', 'outlook-redline'])(
	'%s.json has the step that reads emails as it is, and no other code',
	async (name) => {
		const { nodes } = await readExample(`${name}.json`);
		const codes = nodes
			.filter(({ type }) => type.endsWith('.code'))
			.map((node) => [node.name, node.parameters.jsCode]);
		expect(codes).toEqual([['Prepare Email', step]]);
	},
);
