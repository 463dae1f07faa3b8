import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isRecord, textOrNull } from '../api/json';

/** A file of an email. */
export interface EmailFile {
	itemIndex: number;
	field: string;
	binary: IBinaryData;
	/** Whether Outlook says that it belongs into the text. */
	isInline: boolean;
}

/** What could not be read of an email: a name or an address, and what it is. */
export interface Unread {
	name: string;
	why: string;
}

/** An email, whichever of n8n's mail nodes gives it. */
export interface Email {
	itemIndexes: number[];
	ids: { id: string; message_id: string; conversation_id: string; received_at: string };
	/** Unfolded, by their names in lower case; of repeated ones the last. Empty where the node gives none. */
	headers: Record<string, string>;
	/** Addresses in lower case. */
	from: string[];
	replyTo: string[];
	/** Undefined if there is no such header. */
	to: string[] | undefined;
	cc: string[];
	subject: string;
	/** Plain text; what another program made of HTML does not count. */
	plain: string;
	html: string;
	/** Whether the mail program of our mailbox says that it was written there. */
	isOurs: boolean;
	/** Whether Outlook says that it is about a meeting. */
	isEventMessage: boolean;
	/** Whether it says that it has files, downloaded or not. */
	hasFiles: boolean;
	files: EmailFile[];
	notDownloaded: Unread[];
}

/** Why an item is no email, as `emailMessages` calls it. */
export type NoEmail = 'gmailSimplified' | 'outlookSimplified' | 'imapRaw' | 'noEmail';

/** The emails of a run in their order: Outlook's files may be items behind their email's. */
export function readEmails(
	items: INodeExecutionData[],
): Array<Email | { itemIndex: number; problem: NoEmail }> {
	const emails: Array<Email | { itemIndex: number; problem: NoEmail }> = [];
	for (const [itemIndex, { json, binary = {} }] of items.entries()) {
		const previous = emails.at(-1);
		const isFile =
			'binary' in (items[itemIndex] ?? {}) || /Attachment$/.test(String(json['@odata.type']));
		const email = readEmail(json);
		const target =
			email ?? (isFile && previous !== undefined && 'files' in previous ? previous : undefined);
		if (email !== undefined || target === undefined)
			emails.push(email ?? { itemIndex, problem: problemOf(json) });
		if (target === undefined) continue;
		target.itemIndexes.push(itemIndex);
		const files = Object.entries(binary).map(([field, file]) => ({
			itemIndex,
			field,
			binary: file,
			isInline: json.isInline === true,
		}));
		target.files.push(...files);
		if (email === undefined && files.length === 0) target.notDownloaded.push(notDownloaded(json));
	}
	return emails;
}

function readEmail(json: IDataObject): Email | undefined {
	const { body, metadata } = json;
	if (isRecord(json.headers) && 'html' in json) return fromParsedMail(json, json.headers);
	if (isRecord(metadata) && ('textPlain' in json || 'textHtml' in json))
		return fromImap(json, metadata);
	if (isRecord(body) && typeof body.contentType === 'string') return fromOutlook(json, body);
	return undefined;
}

function problemOf(json: IDataObject): NoEmail {
	if (isRecord(json.payload) || typeof json.snippet === 'string') return 'gmailSimplified';
	if (typeof json.bodyPreview === 'string' || typeof json.internetMessageId === 'string')
		return 'outlookSimplified';
	return typeof json.raw === 'string' || typeof json.textPlain === 'string' ? 'imapRaw' : 'noEmail';
}

/** What the library mailparser makes of an email: Gmail, not simplified, and IMAP, resolved. Each header is a whole line there. */
function fromParsedMail(json: IDataObject, lines: Record<string, unknown>): Email {
	const headers = headersOf(
		Object.entries(lines).map(([name, line]) => [name, String(line).replace(/^[^:]*:/, '')]),
	);
	// It makes text of HTML itself, in another way.
	const hasHtmlAlone = /^text\/html/i.test(headers['content-type'] ?? '');
	const labels = Array.isArray(json.labelIds) ? json.labelIds : [];
	return {
		...common(json, headers),
		plain: hasHtmlAlone ? '' : text(json.text),
		html: text(json.html),
		isOurs: labels.includes('SENT') || labels.includes('DRAFT'),
	};
}

/** IMAP, simple: some headers have fields of their own. */
function fromImap(json: IDataObject, metadata: Record<string, unknown>): Email {
	const headers = headersOf(Object.entries(metadata));
	const addresses = { replyTo: headers['reply-to'], messageId: headers['message-id'] };
	return {
		...common({ ...json, ...addresses }, headers),
		plain: text(json.textPlain),
		html: text(json.textHtml),
	};
}

/** Outlook, raw or by its fields, as the Graph API calls them. */
function fromOutlook(json: IDataObject, { contentType, content }: Record<string, unknown>): Email {
	const listed = Array.isArray(json.internetMessageHeaders) ? json.internetMessageHeaders : [];
	const headers = headersOf(
		listed.filter(isRecord).map(({ name, value }) => [String(name), value]),
	);
	const names = { to: json.toRecipients, cc: json.ccRecipients, messageId: json.internetMessageId };
	const isPlain = String(contentType).toLowerCase() === 'text';
	return {
		...common({ ...json, ...names, date: json.receivedDateTime ?? json.sentDateTime }, headers),
		plain: isPlain ? text(content) : '',
		html: isPlain ? '' : text(content),
		isOurs: json.isDraft === true,
		isEventMessage: /eventMessage/.test(text(json['@odata.type'])),
	};
}

function common(json: IDataObject, headers: Record<string, string>): Omit<Email, 'plain' | 'html'> {
	const [first] = /<[^<>\s]{1,500}>/.exec(headers.references ?? headers['in-reply-to'] ?? '') ?? [];
	const messageId = text(json.messageId) || (headers['message-id'] ?? '').trim();
	const { date } = json;
	return {
		itemIndexes: [],
		ids: {
			id: text(json.id) || messageId,
			message_id: messageId,
			conversation_id: text(json.conversationId) || text(json.threadId) || (first ?? messageId),
			received_at: date instanceof Date ? (date.toJSON() ?? '') : text(date),
		},
		headers,
		from: addressesIn(json.from),
		replyTo: addressesIn(json.replyTo),
		to: json.to === undefined ? undefined : addressesIn(json.to),
		cc: addressesIn(json.cc),
		subject: text(json.subject),
		isOurs: false,
		isEventMessage: false,
		hasFiles:
			typeof json.hasAttachments === 'boolean'
				? json.hasAttachments
				: /^multipart\/mixed/i.test(headers['content-type'] ?? ''),
		files: [],
		notDownloaded: [],
	};
}

function headersOf(entries: Array<[string, unknown]>): Record<string, string> {
	return Object.fromEntries(
		entries.map(([name, value]) => [name.toLowerCase(), String(value).replace(/\s+/g, ' ').trim()]),
	);
}

/** The addresses in what a mail node gives for a header: a text, objects of mailparser (groups too), or recipients of Outlook. */
function addressesIn(value: unknown): string[] {
	if (typeof value === 'string') return addressesInText(value);
	if (Array.isArray(value)) return value.flatMap((entry) => addressesIn(entry));
	if (!isRecord(value)) return [];
	return [value.address, value.emailAddress, value.value, value.group].flatMap((entry) =>
		addressesIn(entry),
	);
}

/** The addresses in a text, in lower case; their parts are as long as RFC 5321 (section 4.5.3.1) allows. */
export function addressesInText(value: string): string[] {
	return value.toLowerCase().match(/[^\s<>()[\]",;:@]{1,64}@[^\s<>()[\]",;:@]{1,255}/g) ?? [];
}

function notDownloaded(json: IDataObject): Unread {
	const isLink = /referenceAttachment$/.test(text(json['@odata.type']));
	return {
		name: text(json.name) || 'a shared file',
		why: isLink ? 'a link to a drive' : 'an attached email',
	};
}

function text(value: unknown): string {
	return textOrNull(value) ?? '';
}
