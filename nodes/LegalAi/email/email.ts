import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isRecord, textOrNull } from '../api/json';
import { htmlToText } from './htmlText';
import { isDriveLink, withoutWrapping } from './links';
import { BANNER } from './mailPrograms';

/** What can't be read of an email: its name or its address, and what it is. */
export type Unread = [name: string, why: string];

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
	from: string[];
	to: string[];
	cc: string[];
	/** The items that it is made of: Outlook's files may be items behind it. */
	itemIndexes: number[];
	/** Where its files are in n8n's store. */
	files: Array<{ itemIndex: number; field: string; binary: IBinaryData }>;
	unread: Unread[];
}

const LONGEST_SUBJECT = 2000;
/** Marks without a shape: of the reading direction, joints, soft hyphens. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** The emails of some items, each with its files; what is no email is one without a word. */
export function readEmails(items: INodeExecutionData[]): Email[] {
	const emails: Email[] = [];
	for (const [itemIndex, { json, binary = {} }] of items.entries()) {
		const previous = emails.at(-1);
		const files = Object.entries(binary).map(([field, file]) => ({
			itemIndex,
			field,
			binary: file,
		}));
		const isFile = files.length > 0 || /Attachment$/.test(String(json['@odata.type']));
		if (isEmail(json) || !isFile || !previous) {
			emails.push({ ...readEmail(json), itemIndexes: [itemIndex], files, unread: [] });
			continue;
		}
		previous.itemIndexes.push(itemIndex);
		previous.files.push(...files);
		if (files.length === 0)
			previous.unread.push([text(json.name), 'a shared file or an attached email']);
	}
	return emails;
}

/** Whether Gmail (not simplified), IMAP (resolved or simple) or Outlook (raw, or by fields with the body) gives such an item. */
export function isEmail({ html, metadata, body }: IDataObject): boolean {
	return (
		html !== undefined || isRecord(metadata) || (isRecord(body) && body.contentType !== undefined)
	);
}

function readEmail(json: IDataObject): Omit<Email, 'itemIndexes' | 'files' | 'unread'> {
	const headers = headersOf(json);
	const headerOf = (name: string) => new RegExp(`^${name}: ([^;]*)`, 'im').exec(headers)?.[1];
	const { contentType = headerOf('content-type'), content } = isRecord(json.body) ? json.body : {};
	const plain = /html/i.test(text(contentType)) ? '' : text(json.text ?? json.textPlain ?? content);
	const messageId = json.internetMessageId ?? headerOf('message-id') ?? '';
	const [thread] = text(headerOf('references')).split(' ');
	return {
		json,
		ids: {
			id: json.id ?? messageId,
			message_id: messageId,
			conversation_id: json.conversationId ?? json.threadId ?? (thread || messageId),
			received_at: json.receivedDateTime ?? json.date ?? '',
		},
		headers,
		subject: text(json.subject).slice(0, LONGEST_SUBJECT),
		text: seen(
			plain.trim() || htmlToText(text(json.html || json.textHtml || content), isDriveLink),
		),
		from: addressesIn(json.from),
		to: addressesIn(json.toRecipients ?? json.to),
		cc: addressesIn(json.ccRecipients ?? json.cc),
	};
}

function seen(raw: string): string {
	const shown = withoutWrapping(raw)
		.replace(INVISIBLE, '')
		.replace(/[\u00a0\u2007\u202f]/g, ' ');
	const lines = shown.split(/\r\n?|\n/).map((line) => line.trim());
	return lines
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim()
		.replace(BANNER, '');
}

/** Mailparser gives whole lines, IMAP (simple) an object, Outlook a list. */
function headersOf({ headers, metadata, internetMessageHeaders: listed }: IDataObject): string {
	const lines = [
		...Object.values(headers ?? {}),
		...Object.entries(metadata ?? {}).map((entry) => entry.join(': ')),
		...(Array.isArray(listed) ? listed.filter(isRecord) : []).map(
			({ name, value }) => `${name}: ${value}`,
		),
	];
	return lines.map((line) => String(line).replace(/\s+/g, ' ')).join('\n');
}

/** The addresses in a header: a text, objects of mailparser (groups, too), or recipients of Outlook. */
function addressesIn(value: unknown): string[] {
	if (typeof value === 'string') return addressesInText(value);
	const parts = isRecord(value)
		? [value.address, value.emailAddress, value.value, value.group]
		: value;
	return Array.isArray(parts) ? parts.flatMap(addressesIn) : [];
}

/** The addresses in a text, in lower case, their parts as long as RFC 5321 (section 4.5.3.1) allows. */
export function addressesInText(value: string): string[] {
	return value.toLowerCase().match(/[^\s<>()[\]",;:@]{1,64}@[^\s<>()[\]",;:@]{1,255}/g) ?? [];
}

function text(value: unknown): string {
	return textOrNull(value) ?? '';
}
