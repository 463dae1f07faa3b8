import type { IBinaryData, IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { emailTexts } from '../messages/emailMessages';
import { fillText } from '../messages/template';
import { addressesInText, readEmails, type Email, type NoEmail, type Unread } from './email';
import { hasMeeting, sortFiles, type ReadableFile, type ReadFile, type SortedFiles } from './files';
import { htmlToText } from './htmlText';
import { isAboutMeeting, isListOf, whyAutomatic } from './kind';
import { driveLinks, isDriveLink, withoutWrapping } from './links';
import { FORWARD_PREFIX, OTHER_PREFIX } from './mailPrograms';
import { splitThread, withoutBanner, type Thread } from './thread';

/** What becomes of an email. */
export type EmailKind = 'question' | 'unreadable' | 'automatic' | 'meeting' | 'own' | 'copy';

export interface EmailSettings {
	/** Addresses of the mailbox, and of the groups behind it, in any case. */
	ourAddresses: string[];
	/** Domains, in any case; those of `ourAddresses` if there are none. */
	colleagues: string[];
}

/** n8n's store of files. */
export interface EmailFiles {
	read: ReadFile;
	/** Makes a file of a text that is too long for a question. */
	storeText: (text: string, fileName: string) => Promise<IBinaryData>;
}

/** An email, ready for a question; or an item that is no email, with its name among `emailMessages`. */
export type PreparedEmail =
	| {
			kind: EmailKind;
			/** The reason for the kind in a few words; '' for a question. */
			why: string;
			json: IDataObject;
			binary: IBinaryKeyData;
			/** The items that it was made of: the email, and its files if they are items of their own. */
			itemIndexes: number[];
	  }
	| {
			kind: 'noEmail';
			why: NoEmail;
			json: IDataObject;
			binary: IBinaryKeyData;
			itemIndexes: number[];
	  };

/** A question can have 10,000 characters: some are left for the words around the email. */
const MOST_CHARACTERS = 9000;
const LONGEST_SUBJECT = 200;
const MOST_FILES = 10;
/** Of a longer text, the rest is history: it goes along as a file, and is not looked through. */
const MOST_READ = 1_000_000;
const MESSAGE = { field: 'message', file: 'Message.txt' };

const PGP_MESSAGE = /-----BEGIN PGP MESSAGE-----/;
const ENCRYPTED_TEXT: Unread = { name: 'encrypted text', why: 'an encrypted text' };
const NOT_DOWNLOADED: Unread = {
	name: 'attachments (not downloaded)',
	why: 'files that were not downloaded',
};

/** Marks without a shape: those of the reading direction, joints of lines, and soft hyphens. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const OTHER_SPACES = /[\u00a0\u2007\u202f\u3000]/g;

/** Prepares emails as n8n's mail nodes give them. Never throws for what an email contains. */
export async function prepareEmails(
	items: INodeExecutionData[],
	{ ourAddresses, colleagues }: EmailSettings,
	files: EmailFiles,
): Promise<PreparedEmail[]> {
	const ours = ourAddresses.map((address) => address.trim().toLowerCase());
	const domains = (colleagues.length > 0 ? colleagues : ours).map((name) =>
		name.trim().toLowerCase().replace(/^.*@/, ''),
	);
	const prepared: PreparedEmail[] = [];
	for (const email of readEmails(items)) {
		if ('problem' in email)
			prepared.push({
				kind: 'noEmail',
				why: email.problem,
				json: {},
				binary: {},
				itemIndexes: [email.itemIndex],
			});
		else prepared.push(await prepareEmail(addressedDirectly(email, ours), ours, domains, files));
	}
	return prepared;
}

async function prepareEmail(
	email: Email,
	ours: string[],
	domains: string[],
	{ read, storeText }: EmailFiles,
): Promise<PreparedEmail> {
	const { subject, isForward } = readSubject(email.subject);
	const whole = withoutBanner(readText(email));
	const thread = splitThread(whole.slice(0, MOST_READ));
	// A forward asks about what it forwards; a reply with its own words, unless they stand between the quoted lines.
	const isWhole = thread.isForwarded || isForward || thread.isAnsweredInline || thread.own === '';
	const own = isWhole ? whole : thread.own;

	const sorted = await sortFiles(email.files, read);
	const unread = [
		...sorted.unread,
		...email.notDownloaded,
		...(email.hasFiles && email.files.length + email.notDownloaded.length === 0
			? [NOT_DOWNLOADED]
			: []),
		...driveLinks(own).map((name) => ({ name, why: 'a link to a drive' })),
		...(PGP_MESSAGE.test(own) ? [ENCRYPTED_TEXT] : []),
	];
	const { kind, why } = await kindOf(email, thread, ours, { ...sorted, unread }, read);
	const [sender = ''] = email.from;
	const isColleague = domains.some(
		(domain) => sender.endsWith(`@${domain}`) || sender.endsWith(`.${domain}`),
	);
	const text = isColleague || own === '' ? own : `${whoseWords(sender)}\n\n${own}`;
	const isLong = text.length > MOST_CHARACTERS;
	const sent = sorted.readable.slice(0, MOST_FILES - (isLong ? 1 : 0));
	const names = [...unread, ...sorted.readable.slice(sent.length)].map(({ name }) => name);
	const json = {
		kind,
		subject: subject.slice(0, LONGEST_SUBJECT),
		text: isLong
			? `${text.slice(0, MOST_CHARACTERS)}\n\n${fillText(emailTexts.continued, MESSAGE)}`
			: text,
		history: isWhole ? '' : thread.history.slice(0, Math.max(0, MOST_CHARACTERS - text.length)),
		sender,
		is_colleague: isColleague,
		answers_us:
			!thread.isForwarded && !isForward && thread.quoted.some((address) => ours.includes(address)),
		attached: [...(isLong ? [MESSAGE.file] : []), ...sent.map(({ name }) => name)],
		unread: [...new Set(names)],
		...email.ids,
	};
	const message = isLong ? { [MESSAGE.field]: await storeText(text, MESSAGE.file) } : {};
	return { kind, why, json, binary: withFiles(message, sent), itemIndexes: email.itemIndexes };
}

async function kindOf(
	email: Email,
	thread: Thread,
	ours: string[],
	{ readable, unread }: SortedFiles,
	read: ReadFile,
): Promise<{ kind: EmailKind; why: string }> {
	const hasDocument = readable.some(({ isDocument }) => isDocument);
	const isOurs = (address: string): boolean => ours.includes(address);
	if (email.isOurs || email.from.some(isOurs)) return { kind: 'own', why: 'an email of our own' };
	const automatic = whyAutomatic(email, thread, ours);
	if (automatic !== undefined) return { kind: 'automatic', why: automatic };
	if (!hasDocument && (isAboutMeeting(email) || (await hasMeeting(email.files, read))))
		return { kind: 'meeting', why: 'a meeting' };
	if (email.to?.some(isOurs) === false) return { kind: 'copy', why: 'a copy' };
	const [first] = hasDocument ? [] : unread;
	return first === undefined
		? { kind: 'question', why: '' }
		: { kind: 'unreadable', why: first.why };
}

/** The same email without what groups and tags do to addresses: a group of ours may send it under its own name (Google Groups). */
function addressedDirectly(email: Email, ours: string[]): Email {
	const withoutTags = (addresses: string[]): string[] =>
		addresses.map((address) => address.replace(/\+[^@]*@/, '@'));
	const { headers, from, replyTo, to, cc } = email;
	const originals = [...addressesInText(headers['x-original-sender'] ?? ''), ...replyTo];
	const [original] = originals.filter((address) => !ours.includes(address));
	const isRewritten =
		original !== undefined &&
		from.some((address) => ours.includes(address)) &&
		isListOf(ours, headers);
	return {
		...email,
		from: isRewritten ? [original] : from,
		to: to && withoutTags(to),
		cc: withoutTags(cc),
	};
}

/** The text that a reader of the email sees, in lines without white space around them. */
function readText({ plain, html }: Email): string {
	const text = plain.trim() === '' ? htmlToText(html, isDriveLink) : plain;
	const lines = withoutWrapping(text)
		.replace(INVISIBLE, '')
		.replace(OTHER_SPACES, ' ')
		.split(/\r\n?|\n/);
	return lines
		.map((line) => line.trim())
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}

/** A subject without prefixes, and whether the first of them is that of a forward. */
function readSubject(raw: string): { subject: string; isForward: boolean } {
	let subject = raw.slice(0, 10 * LONGEST_SUBJECT).trim();
	let first = '';
	for (;;) {
		const [prefix] = FORWARD_PREFIX.exec(subject) ?? OTHER_PREFIX.exec(subject) ?? [];
		if (prefix === undefined) return { subject, isForward: FORWARD_PREFIX.test(first) };
		if (first === '' && !prefix.startsWith('[')) first = prefix;
		subject = subject.slice(prefix.length);
	}
}

/** Adds files under the names of their fields; those of Outlook's items may be the same. */
function withFiles(binary: IBinaryKeyData, sent: ReadableFile[]): IBinaryKeyData {
	for (const { file } of sent) {
		let name = file.field;
		for (let number = 1; name in binary; number++) name = `${file.field}_${number}`;
		binary[name] = file.binary;
	}
	return binary;
}

function whoseWords(sender: string): string {
	return sender === ''
		? emailTexts.notColleagueUnknown
		: fillText(emailTexts.notColleague, { sender });
}
