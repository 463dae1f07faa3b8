import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isRecord, textOrNull } from '../api/json';

/** What can't be read of an email: its name or its address, and what it is. */
export type Unread = [name: string, why: string];

const NOT_DOWNLOADED: Unread = ['attachments (not downloaded)', 'files that were not downloaded'];
/** Of a subject, what comes later is not read. */
const LONGEST_SUBJECT = 2000;

/** An email, whichever of n8n's mail nodes gives it. Addresses are in lower case. */
export interface Email {
	json: IDataObject;
	/** The items that it is made of: Outlook's files may be items behind it. */
	itemIndexes: number[];
	/** Where its files are in n8n's store. */
	files: Array<{ itemIndex: number; field: string; binary: IBinaryData }>;
	/** Files that are not there. */
	missing: Unread[];
	/** A line each, `Name: value`. None where the node gives none. */
	headers: string;
	headerOf: (name: string) => string;
	subject: string;
	/** What later nodes find it by. */
	ids: IDataObject;
	/** The sender; an empty list if there is none. */
	from: string[];
	/** Undefined if there is no such header. */
	to: string[] | undefined;
	cc: string[];
	/** Plain text, unless a program has made it of the HTML. */
	plain: string;
	html: string;
}

/**
 * The emails that Gmail (not simplified), IMAP (resolved or simple) and Outlook (raw, or by fields with the body) give.
 * For an item that is none: its index.
 */
export function readEmails(items: INodeExecutionData[]): Array<Email | number> {
	const emails: Array<Email | number> = [];
	for (const [itemIndex, { json, binary }] of items.entries()) {
		const email = readEmail(json);
		const previous = emails.at(-1);
		const target =
			email ?? (typeof previous === 'object' && isFile(json, binary) ? previous : undefined);
		if (target === undefined || email) emails.push(email ?? itemIndex);
		target?.itemIndexes.push(itemIndex);
		for (const [field, file] of Object.entries(binary ?? {}))
			target?.files.push({ itemIndex, field, binary: file });
		if (!email && !binary)
			target?.missing.push([text(json.name), 'a link to a drive, or an attached email']);
	}
	for (const { json, headerOf, files, missing } of emails.filter(
		(email) => typeof email !== 'number',
	)) {
		const saysFiles =
			json.hasAttachments === true || headerOf('content-type').startsWith('multipart/mixed');
		if (saysFiles && files.length + missing.length === 0) missing.push(NOT_DOWNLOADED);
	}
	return emails;
}

const isFile = (json: IDataObject, binary?: object): boolean =>
	binary !== undefined || /Attachment$/.test(text(json['@odata.type']));

function readEmail(json: IDataObject): Email | undefined {
	const { contentType, content } = isRecord(json.body) ? json.body : {};
	const isParsed = isRecord(json.headers) && 'html' in json;
	if (!isParsed && !(isRecord(json.metadata) && json.attributes) && !contentType) return undefined;
	const headers = headersOf(json);
	const headerOf = (name: string): string =>
		new RegExp(`^${name}: ?(.*)`, 'im').exec(headers)?.[1] ?? '';
	const isHtml = /^(text\/)?html/i.test(text(contentType) || headerOf('content-type'));
	const to = json.toRecipients ?? json.to;
	const messageId = text(json.internetMessageId ?? json.messageId) || headerOf('message-id');
	const references = headerOf('references') || headerOf('in-reply-to');
	const date = json.receivedDateTime ?? json.date;
	return {
		json,
		itemIndexes: [],
		files: [],
		missing: [],
		headers,
		headerOf,
		subject: text(json.subject).slice(0, LONGEST_SUBJECT),
		ids: {
			id: text(json.id) || messageId,
			message_id: messageId,
			conversation_id:
				text(json.conversationId ?? json.threadId) ||
				(/<[^<>]+>/.exec(references) ?? [messageId])[0],
			received_at: date instanceof Date ? date.toJSON() : text(date),
		},
		// Google Groups may send an email under the group's name.
		from: addressesIn(headerOf('x-original-sender') || json.from),
		to: to === undefined ? undefined : addressesIn(to),
		cc: addressesIn(json.ccRecipients ?? json.cc),
		plain: isHtml ? '' : text(json.text ?? json.textPlain ?? content),
		html: text(json.html || json.textHtml || content),
	};
}

/** Outlook lists headers; others have an object, mailparser with the whole line of each. */
function headersOf({ internetMessageHeaders: list, headers, metadata }: IDataObject): string {
	const listed = Array.isArray(list)
		? list.filter(isRecord).map(({ name, value }) => [name, value])
		: [];
	return [...listed, ...Object.entries(headers ?? metadata ?? {})]
		.map(([name, value]) =>
			`${name}: ${value}`.replace(/\s+/g, ' ').replace(/^([^:]+): \1: ?/i, '$1: '),
		)
		.join('\n');
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

/** A text; '' for anything else. */
export function text(value: unknown): string {
	return textOrNull(value) ?? '';
}
