import type { IBinaryData, IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { emailTexts } from '../messages/emailMessages';
import { fillText } from '../messages/template';
import { addressesInText, isEmail, readEmails, type Email } from './email';
import { sortFiles } from './files';
import { kindOf, type EmailKind } from './kind';
import { unreadIn } from './links';
import { PREFIXES } from './mailPrograms';
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
	read: (itemIndex: number, field: string) => Promise<Buffer>;
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

const MESSAGE = 'Message.txt';
/** A question can have 10,000 characters and 10 files: some characters are left for the words around the email. */
const [MOST_CHARACTERS, MOST_FILES] = [9000, 10];
const LONGEST_SUBJECT = 200;

/** Prepares emails as n8n's mail nodes give them. Never throws for what an email contains. */
export async function prepareEmails(
	items: INodeExecutionData[],
	settings: EmailSettings,
	files: EmailFiles,
): Promise<PreparedEmail[]> {
	const prepared: PreparedEmail[] = [];
	for (const email of readEmails(items)) prepared.push(await prepare(email, settings, files));
	return prepared;
}

async function prepare(
	email: Email,
	{ ourAddresses, colleagues }: EmailSettings,
	{ read, storeText }: EmailFiles,
): Promise<PreparedEmail> {
	const { ids, subject, headers } = email;
	const itemIndexes = email.parts.map(({ itemIndex }) => itemIndex);
	if (!isEmail(email.json)) return { kind: 'noEmail', why: '', json: {}, binary: {}, itemIndexes };
	const ours = addressesInText(ourAddresses.join());
	// A group of ours may send an email under its own name, and says whose it is. From anybody else, that is no proof.
	const [, original] = /^x-original-sender: (?:.*<)?([^<>\s]+)/im.exec(headers) ?? [];
	if (original && email.from.some((address) => ours.includes(address)))
		email.from = [original.toLowerCase()];
	const [sender = ''] = email.from;
	const domains = colleagues.length > 0 ? colleagues : ours;
	const isColleague = domains.some((name) =>
		sender.endsWith(name.toLowerCase().replace(/^.*@|^/, '@')),
	);

	const { words, history, answered } = splitThread(subject, email.text);
	const sorted = await sortFiles(email, read);
	sorted.unread.push(...unreadIn(words));
	const [kind, why] = kindOf(email, sorted, words, ours);

	const whose = fillText(emailTexts.notColleague, { sender: sender || 'an unknown sender' });
	const text = isColleague || words === '' ? words : `${whose}\n\n${words}`;
	const isLong = text.length > MOST_CHARACTERS;
	const message = isLong ? [{ name: MESSAGE, binary: await storeText(text, MESSAGE) }] : [];
	const sent = [...message, ...sorted.readable];
	const others = sent.splice(MOST_FILES);
	const json = {
		kind,
		subject: cut(subject.replace(PREFIXES, '').trim(), LONGEST_SUBJECT),
		text: cut(text, MOST_CHARACTERS) + (isLong ? `\n\n(${emailTexts.continued})` : ''),
		history: cut(history, Math.max(0, MOST_CHARACTERS - text.length)),
		sender,
		is_colleague: isColleague,
		answers_us: ours.includes(answered ?? ''),
		attached: sent.map(({ name }) => name),
		unread: [...sorted.unread.map(([name]) => name), ...others.map(({ name }) => name)],
		...ids,
	};
	const binary = Object.fromEntries(
		sent.map((file, index) => [`attachment_${index}`, file.binary]),
	);
	return { kind, why, json, binary, itemIndexes };
}

/** The beginning of a text, without half a character at its end. */
function cut(text: string, length: number): string {
	return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
