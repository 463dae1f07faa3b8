import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isRecord, textOrNull } from '../api';
import { htmlToText, MOST_READ } from './htmlText';
import { withoutWrapping } from './links';
import { BANNER, TAGS } from './mailPrograms';

/** An item, and its place. */
type Part = [number, INodeExecutionData];

/** An email, whichever of n8n's mail nodes gives it. Addresses are in lower case. */
export interface Email {
	json: IDataObject;
	/** What later nodes find it by. */
	ids: IDataObject;
	/** A line each, unfolded: `Name: value`. None where the node gives none. */
	headers: string;
	subject: string;
	/** The text that its reader sees, in trimmed lines. */
	text: string;
	sender: string;
	to: string[];
	/** The items that it is made of: Outlook's files may be items behind it. */
	parts: [Part, ...Part[]];
}

/** Marks without a shape: of the reading direction, joints, soft hyphens. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** Where mailparser (groups, too) and Outlook have an address. */
const ADDRESS_FIELDS = ['value', 'group', 'emailAddress', 'address'];

/** The emails of some items, each with its files; what is no email is one without a word. */
export function readEmails(items: INodeExecutionData[]): Email[] {
	const emails: Email[] = [];
	for (const part of items.entries()) {
		const [, { json, binary }] = part;
		const isFile = binary !== undefined || /Attachment$/.test(String(json['@odata.type']));
		const whole = isFile && !isEmail(json) && emails.at(-1);
		if (whole) whole.parts.push(part);
		else emails.push({ ...readEmail(json), parts: [part] });
	}
	return emails;
}

/** Whether Gmail (not simplified), IMAP (resolved or simple) or Outlook (raw, or by fields with the body) gives such an item. */
export function isEmail({ html, metadata, body }: IDataObject): boolean {
	return html !== undefined || isRecord(metadata) || (isRecord(body) && 'contentType' in body);
}

function readEmail(json: IDataObject): Omit<Email, 'parts'> {
	const headers = headersOf(json);
	const wordOf = (name: string) =>
		new RegExp(`^${name}: ([^;\\s]*)`, 'im').exec(headers)?.[1] ?? '';
	const { contentType = wordOf('content-type'), content } = isRecord(json.body) ? json.body : {};
	const plain = /html/i.test(text(contentType)) ? '' : text(json.text ?? json.textPlain ?? content);
	const messageId = json.internetMessageId ?? wordOf('message-id');
	return {
		json,
		ids: {
			id: json.id ?? messageId,
			message_id: messageId,
			conversation_id: json.conversationId ?? json.threadId ?? (wordOf('references') || messageId),
			received_at: json.receivedDateTime ?? json.date ?? '',
		},
		headers,
		subject: text(json.subject).replace(TAGS, ''),
		text: seen(plain.trim() || htmlToText(text(json.html || json.textHtml || content))),
		sender: addressesIn(json.from)[0] ?? '',
		to: addressesIn(json.toRecipients ?? json.to),
	};
}

function seen(raw: string): string {
	return withoutWrapping(raw.slice(0, MOST_READ))
		.replace(INVISIBLE, '')
		.replace(/[\u00a0\u2007\u202f]/g, ' ')
		.split(/\r\n?|\n/)
		.map((line) => line.trim())
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim()
		.replace(BANNER, '');
}

/** Mailparser gives whole lines, IMAP (simple) an object, Outlook a list. */
function headersOf({ headers, metadata, internetMessageHeaders }: IDataObject): string {
	const parts = [
		...Object.values(headers ?? {}).map((line) => [line]),
		...Object.entries(metadata ?? {}),
		...Object.values(internetMessageHeaders ?? {}).map((header) => Object.values(header ?? {})),
	];
	return parts.map((part) => part.join(': ').replace(/\s+/g, ' ')).join('\n');
}

/** The addresses of a header, none of those that its names pretend: a text, or what mailparser or Outlook make of it. */
function addressesIn(value: unknown): string[] {
	const addresses = JSON.stringify(value ?? '', ADDRESS_FIELDS);
	return addressesInText(addresses.replace(/\\".*?\\"|[,;]/g, '\n').replace(/^.*</gm, ''));
}

/** The addresses in a text, in lower case, their parts as long as RFC 5321 (section 4.5.3.1) allows. */
export function addressesInText(value: string): string[] {
	return value.toLowerCase().match(/[^\s<>()[\]",;:@]{1,64}@[^\s<>()[\]",;:@]{1,255}/g) ?? [];
}

/** A value if it is a text. */
export function text(value: unknown): string {
	return textOrNull(value) ?? '';
}
