import type { IBinaryData, IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { emailTexts } from '../messages/emailMessages';
import { fillText } from '../messages/template';
import { readEmails, type Email, type Unread } from './email';
import { sortFiles, type ReadFile } from './files';
import { htmlToText } from './htmlText';
import { kindOf, type EmailKind } from './kind';
import { driveLinks, isDriveLink, withoutWrapping } from './links';
import { BANNER, FORWARD_SUBJECT, PREFIXES } from './mailPrograms';
import { splitThread } from './thread';

/** What the node is told about the mailbox, in any case. */
export interface EmailSettings {
	/** Addresses of the mailbox, and of the groups behind it. */
	ourAddresses: string[];
	/** Domains; those of `ourAddresses` if there are none. */
	colleagues: string[];
}

/** n8n's store of files. */
export interface EmailFiles {
	read: ReadFile;
	/** Makes a file of a text that is too long for a question. */
	storeText: (text: string, fileName: string) => Promise<IBinaryData>;
}

/** An email, ready for a question. */
export interface PreparedEmail {
	kind: EmailKind;
	/** The reason for the kind in a few words; '' for a question. */
	why: string;
	json: IDataObject;
	binary: IBinaryKeyData;
	/** The items that it was made of: the email, and its files if they are items of their own. */
	itemIndexes: number[];
}

/** A question can have 10,000 characters: some are left for the words around the email. */
const MOST_CHARACTERS = 9000;
const LONGEST_SUBJECT = 200;
const MOST_FILES = 10;
/** Of a longer text, what comes later is not looked through. */
const MOST_READ = 1_000_000;
const MESSAGE = 'Message.txt';
const PGP_MESSAGE = '-----BEGIN PGP MESSAGE-----';
/** Marks without a shape: of the reading direction, joints, soft hyphens. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Prepares emails as n8n's mail nodes give them. Never throws for what an email contains. */
export async function prepareEmails(
	items: INodeExecutionData[],
	settings: EmailSettings,
	files: EmailFiles,
): Promise<PreparedEmail[]> {
	const prepared: PreparedEmail[] = [];
	for (const email of readEmails(items)) {
		prepared.push(
			typeof email === 'number'
				? { kind: 'noEmail', why: '', json: {}, binary: {}, itemIndexes: [email] }
				: await prepare(email, settings, files),
		);
	}
	return prepared;
}

async function prepare(
	email: Email,
	{ ourAddresses, colleagues }: EmailSettings,
	{ read, storeText }: EmailFiles,
): Promise<PreparedEmail> {
	const { subject, ids, from, missing, itemIndexes } = email;
	const ours = ourAddresses.map((address) => address.toLowerCase());
	const whole = readText(email);
	const thread = splitThread(whole.slice(0, MOST_READ));
	const isForward = thread.isForwarded || FORWARD_SUBJECT.test(subject);
	// A forward asks about what it forwards; a reply with its own words, unless they stand between the quoted lines.
	const isWhole = isForward || thread.isAnsweredInline || thread.own === '';
	const own = isWhole ? whole : thread.own;

	const sorted = await sortFiles(email.files, read);
	const links = driveLinks(own).map((address): Unread => [address, 'a link to a drive']);
	const unread = [...sorted.unread, ...missing, ...links];
	if (own.includes(PGP_MESSAGE)) unread.push(['encrypted text', 'an encrypted text']);
	const [kind, why] = kindOf(email, { ...sorted, unread, text: own, ours });

	const [sender = ''] = from;
	const domains = (colleagues.length > 0 ? colleagues : ours).map((name) =>
		name.toLowerCase().replace(/^.*@/, '@'),
	);
	const isColleague = domains.some((domain) => sender.endsWith(`@${domain}`.replace('@@', '@')));
	const whose =
		isColleague || own === ''
			? ''
			: fillText(emailTexts.notColleague, { sender: sender || 'an unknown sender' });
	const text = whose + own;
	const isLong = text.length > MOST_CHARACTERS;
	const message = isLong ? [{ name: MESSAGE, binary: await storeText(text, MESSAGE) }] : [];
	const files = [...message, ...sorted.readable];
	const attached = files.slice(0, MOST_FILES);
	const names = [
		...unread.map(([name]) => name),
		...files.slice(MOST_FILES).map(({ name }) => name),
	];
	const json = {
		kind,
		subject: subject.replace(PREFIXES, '').trim().slice(0, LONGEST_SUBJECT),
		text: text.slice(0, MOST_CHARACTERS) + (isLong ? emailTexts.continued : ''),
		history: isWhole ? '' : thread.history.slice(0, Math.max(0, MOST_CHARACTERS - text.length)),
		sender,
		is_colleague: isColleague,
		answers_us: !isForward && ours.includes(thread.quoted ?? ''),
		attached: attached.map(({ name }) => name),
		unread: [...new Set(names)],
		...ids,
	};
	const binary = Object.fromEntries(
		attached.map((file, index) => [`attachment_${index}`, file.binary]),
	);
	return { kind, why, json, binary, itemIndexes };
}

/** The text that a reader of the email sees, without white space around its lines and without a banner above it. */
function readText({ plain, html }: Email): string {
	const text = /\S/.test(plain) ? plain : htmlToText(html, isDriveLink);
	const lines = withoutWrapping(text)
		.replace(INVISIBLE, '')
		.replace(/[\u00a0\u2007\u202f]/g, ' ')
		.split(/\r\n?|\n/);
	const trimmed = lines.map((line) => line.trim()).join('\n');
	return trimmed
		.replace(/\n{3,}/g, '\n\n')
		.trim()
		.replace(BANNER, '');
}
