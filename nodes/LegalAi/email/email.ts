import type { IBinaryData, IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isRecord, textOrNull } from '../api/json';

/** A file of an email, in n8n's store. */
export interface EmailFile {
	itemIndex: number;
	field: string;
	binary: IBinaryData;
}

/** What can't be read of an email: its name or its address, and what it is. */
export type Unread = [name: string, why: string];

/** An email, whichever of n8n's mail nodes gives it. Addresses are in lower case. */
export interface Email {
	json: IDataObject;
	/** What later nodes find it by. */
	ids: IDataObject;
	/** A line each: `Name: value`. None where the node gives none. */
	headers: string;
	from: string[];
	replyTo: string[];
	/** Undefined if there is no such header. */
	to: string[] | undefined;
	cc: string[];
	/** Plain text, as far as it is not made of the HTML by another program. */
	plain: string;
	html: string;
	files: EmailFile[];
	notDownloaded: Unread[];
}

/** Groups the indexes of items by email: Outlook's files may be items behind it. What is no email stands alone. */
export function groupItems(items: INodeExecutionData[]): number[][] {
	const groups: number[][] = [];
	for (const [index, { json, binary }] of items.entries()) {
		const isFile = !isEmail(json) && (binary ?? /Attachment$/.test(text(json['@odata.type'])));
		if (isFile && groups.length > 0) groups.at(-1)?.push(index);
		else groups.push([index]);
	}
	return groups;
}

/** Whether Gmail (not simplified), IMAP (resolved or simple) or Outlook (raw, or by fields with the body) have given an item. */
function isEmail({ headers, html, metadata, textPlain, textHtml, body }: IDataObject): boolean {
	return (
		(isRecord(headers) && html !== undefined) ||
		(isRecord(metadata) && (textPlain ?? textHtml) !== undefined) ||
		(isRecord(body) && body.contentType !== undefined)
	);
}

/** Reads the email that the first of some items is; the others are its files. Undefined if it is none. */
export function readEmail(
	items: Array<{ itemIndex: number; json?: IDataObject; binary?: IBinaryKeyData }>,
): Email | undefined {
	const [{ json = {} } = {}, ...behind] = items;
	if (!isEmail(json)) return undefined;
	const headers = headersOf(json);
	const headerOf = (name: string): string =>
		new RegExp(`^${name}: ?(.*)`, 'im').exec(headers)?.[1] ?? '';
	const { contentType = headerOf('content-type'), content } = isRecord(json.body) ? json.body : {};
	const to = json.toRecipients ?? json.to;
	const files = items.flatMap(({ itemIndex, binary = {} }) =>
		Object.entries(binary).map(([field, file]) => ({ itemIndex, field, binary: file })),
	);
	const missing: Unread[] = behind
		.filter(({ binary }) => !binary)
		.map((item) => [text(item.json?.name), 'a link to a drive, or an attached email']);
	const saysFiles =
		json.hasAttachments === true || headerOf('content-type').startsWith('multipart/mixed');
	const messageId = text(json.internetMessageId ?? json.messageId) || headerOf('message-id');
	const [, thread] =
		/(<[^<>]{1,500}>)/.exec(headerOf('references') || headerOf('in-reply-to')) ?? [];
	const date = json.receivedDateTime ?? json.date;
	return {
		json,
		headers,
		ids: {
			id: text(json.id) || messageId,
			message_id: messageId,
			conversation_id: text(json.conversationId ?? json.threadId) || (thread ?? messageId),
			received_at: date instanceof Date ? date.toJSON() : text(date),
		},
		from: addressesIn(json.from),
		replyTo: addressesIn(json.replyTo),
		to: to === undefined ? undefined : addressesIn(to),
		cc: addressesIn(json.ccRecipients ?? json.cc),
		plain: /html$/i.test(text(contentType).split(';', 1).join())
			? ''
			: text(json.text ?? json.textPlain ?? content),
		html: text(json.html) || text(json.textHtml ?? content),
		files,
		notDownloaded:
			saysFiles && files.length + missing.length === 0
				? [['attachments (not downloaded)', 'files that were not downloaded']]
				: missing,
	};
}

function headersOf({ headers, internetMessageHeaders, metadata }: IDataObject): string {
	const ofOutlook = Array.isArray(internetMessageHeaders)
		? internetMessageHeaders.filter(isRecord)
		: [];
	const lines = [
		...Object.values(headers ?? {}),
		...Object.entries(metadata ?? {}).map(([name, value]) => `${name}: ${value}`),
		...ofOutlook.map(({ name, value }) => `${name}: ${value}`),
	];
	return lines.map((line) => String(line).replace(/\s+/g, ' ')).join('\n');
}

/** The addresses in a header: a text, objects of the library mailparser (groups, too), or recipients of Outlook. */
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
