import type { INodeExecutionData } from 'n8n-workflow';

import { SERVICE_LIMITS } from '../api';
import { emailMessages, emailTexts, fillText, invalidInput } from '../messages';
import { addressesInText, isEmail, type Email } from './email';
import { sortFiles, type FileStore } from './files';
import { kindOf, type EmailKind } from './kind';
import { DRIVES, LINK } from './links';
import { PREFIXES } from './mailPrograms';
import { splitThread } from './thread';

/** What the node is told about the mailbox, in any case. */
export interface EmailSettings {
	/** Addresses of the mailbox, and of the groups behind it. */
	ourAddresses: string[];
	/** Domains; those of `ourAddresses` if there are none. */
	colleagues: string[];
}

/** An email, ready for a question. */
export interface PreparedEmail {
	kind: EmailKind;
	/** The reason for the kind in a few words; '' for a question. */
	why: string;
	item: INodeExecutionData;
}

const MESSAGE = 'Message.txt';
/** Some characters are left for the words around the email. */
const MOST_CHARACTERS = SERVICE_LIMITS.questionCharacters - 1_000;

/**
 * Prepares an email as n8n's mail nodes give it. Never throws for what an email contains.
 *
 * @throws {InvalidInputError} if it is no email
 */
export async function prepareEmail(
	email: Email,
	{ ourAddresses, colleagues }: EmailSettings,
	store: FileStore,
): Promise<PreparedEmail> {
	if (!isEmail(email.json)) throw invalidInput(emailMessages.noEmail);
	const ours = addressesInText(ourAddresses.join());
	// A group of ours may send an email under its own name, and says whose it is. From anybody else, that is no proof.
	const [, original] =
		/^x-(?:original-sender|mailfrom): (?:.*<)?([^<>\s]+)/im.exec(email.headers) ?? [];
	if (original && ours.includes(email.sender)) email.sender = original.toLowerCase();
	const { sender } = email;
	const isColleague = (colleagues.length > 0 ? colleagues : ours).some((name) =>
		sender.endsWith(name.toLowerCase().replace(/^.*@|^/, '@')),
	);

	const { words, history, answered } = splitThread(email.subject, email.text);
	const files = await sortFiles(email, store);
	const { readable, unread } = files;
	for (const link of words.match(LINK) ?? [])
		if (DRIVES.test(link)) unread.set(link, 'a link to a drive');
	if (words.includes('-----BEGIN PGP MESSAGE-----'))
		unread.set('encrypted text', 'an encrypted text');
	const [kind, why] = kindOf(email, files, words, ours);

	const whose = fillText(emailTexts.notColleague, { sender: sender || 'an unknown sender' });
	const text = isColleague || words === '' ? words : `${whose}\n\n${words}`;
	const isLong = text.length > MOST_CHARACTERS;
	if (isLong) {
		const binary = await store.prepareBinaryData(Buffer.from(text), MESSAGE, 'text/plain');
		readable.unshift({ name: MESSAGE, binary, rank: 0 });
	}
	const others = readable.splice(SERVICE_LIMITS.attachments);
	return {
		kind,
		why,
		item: {
			json: {
				kind,
				subject: cut(email.subject.replace(PREFIXES, ''), 200),
				text: cut(text, MOST_CHARACTERS) + (isLong ? `\n\n(${emailTexts.continued})` : ''),
				history: cut(history, Math.max(0, MOST_CHARACTERS - text.length)),
				sender,
				is_colleague: isColleague,
				answers_us: ours.includes(answered ?? ''),
				attached: readable.map(({ name }) => name),
				unread: [...unread.keys(), ...others.map(({ name }) => name)],
				...email.ids,
			},
			binary: Object.fromEntries(
				readable.map(({ binary }, index) => [`attachment_${index}`, binary]),
			),
			pairedItem: email.parts.map(([item]) => ({ item })),
		},
	};
}

/** The beginning of a text, without half a character at its end. */
function cut(text: string, length: number): string {
	return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
