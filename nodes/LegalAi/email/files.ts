import { extensionOf } from '../files/fileName';
import { contentTypeOfFile } from '../files/mediaTypes';
import type { IBinaryData } from 'n8n-workflow';
import type { EmailFile, Unread } from './email';

/** Reads a file out of n8n's store. */
export type ReadFile = (itemIndex: number, field: string) => Promise<Buffer>;

/** A file that can go with a question. */
export interface ReadableFile {
	name: string;
	binary: IBinaryData;
	/** Its place in {@link ORDER}, by what it is. */
	rank: number;
}

/** The files of an email, sorted. */
export interface SortedFiles {
	/** In the order in which they go. */
	readable: ReadableFile[];
	unread: Unread[];
	/** Whether one of them makes the email a part of planning a meeting, and is no entry that somebody passes on (RFC 5546). */
	isMeeting: boolean;
}

/** What goes first: contracts, as what they come, then other documents, then images and media. */
const ORDER = [/\.document$/, /msword/, /pdf/, /zip/, /^(?!image|audio|video)/, /^/];
/** The rank of those that are no documents. */
export const MEDIA_RANK = 5;
const MOST_BYTES = 50_000_000;
/** Logos and pictures in signatures are smaller; a scan or a screenshot is not. */
const SMALL_IMAGE_BYTES = 50_000;
/** How Outlook and others call pictures in signatures; some have no name. */
const LOGO = /^(image\d{3}\b.*|outlook-.*|logo.*|signature.*|)$/i;
/** What has no words of its own, by type or name: signatures and keys, visiting cards, calendar entries, reports of servers, what Office adds to HTML (RFC 8551, 3156, 6350, 5545, 3464, 8098). */
const DECORATION =
	/^message\/(delivery-status|disposition-notification)|^application\/(pgp-(encrypted|keys|signature)|(x-)?pkcs7-signature|ics)|^text\/(x-)?v?(calendar|card)|^image\/(gif|svg)|\.(vcf|ics|p7s|sig|gif|svg|emz|wmz|mso)$|signature\.asc$/im;
/** TNEF (MS-OXTNEF) */
const OUTLOOK_CONTAINER = /ms-tnef|winmail\.dat$/i;
/** S/MIME (RFC 8551), PGP (RFC 3156), Microsoft Purview */
const ENCRYPTED = /pkcs7-mime|\.(p7m|asc|pgp|gpg|rpmsg)$/i;
const MEETING = /^METHOD:(REQUEST|REPLY|CANCEL|COUNTER)/im;
/** How an attached email begins that has neither a type nor an ending (RFC 5322). */
const EMAIL_HEADERS =
	/^(received|return-path|from|to|subject|date|message-id|mime-version|content-type|dkim-signature|x-[\w-]+): /i;
const BEGINNING = 65_536;

/** Sorts the files of an email. One at a time is in memory. */
export async function sortFiles(files: EmailFile[], readFile: ReadFile): Promise<SortedFiles> {
	const sorted: SortedFiles = { readable: [], unread: [], isMeeting: false };
	for (const { binary, itemIndex, field } of files) {
		const { mimeType, fileName = '', fileExtension = 'bin' } = binary;
		const content = await readFile(itemIndex, field);
		const beginning = content.toString('latin1', 0, BEGINNING);
		const typeAndName = `${mimeType}\n${fileName}`;
		const contentType = contentTypeOfFile(mimeType, extensionOf(fileName)) ?? '';
		sorted.isMeeting ||= /calendar|\.ics$/im.test(typeAndName) && MEETING.test(beginning);
		const isSmallImage = contentType.startsWith('image/') && content.length < SMALL_IMAGE_BYTES;
		if (DECORATION.test(typeAndName) || (isSmallImage && LOGO.test(fileName))) continue;

		const isEmail =
			/^message\/|\.(eml|msg)$/im.test(typeAndName) ||
			(extensionOf(fileName) === '' && EMAIL_HEADERS.test(beginning));
		const subject = isEmail ? /^subject: *(.+)/im.exec(beginning)?.[1] : undefined;
		const name = fileName || subject || `unnamed.${fileExtension}`;
		const reasons: Array<[boolean, string]> = [
			[isEmail, 'an attached email'],
			[content.length === 0, 'an empty file'],
			[OUTLOOK_CONTAINER.test(typeAndName), 'a container of Outlook'],
			[ENCRYPTED.test(typeAndName) || isEncrypted(beginning, content), 'an encrypted file'],
			[contentType === '', 'a file of an unknown type'],
			[content.length > MOST_BYTES, 'a file that is too large'],
		];
		const [, why] = reasons.find(([is]) => is) ?? [];
		const rank = ORDER.findIndex((what) => what.test(contentType));
		if (why === undefined) sorted.readable.push({ name, binary, rank });
		else sorted.unread.push([name, why]);
	}
	sorted.readable.sort((one, other) => one.rank - other.rank);
	return sorted;
}

/** Whether a password protects a PDF (ISO 32000-1, 7.6.1), an Office file (MS-OFFCRYPTO, 2.3), or a ZIP archive (APPNOTE, 4.4.4). */
function isEncrypted(beginning: string, content: Buffer): boolean {
	if (beginning.includes('%PDF-')) return /\/Encrypt\s*(\d|<<)/.test(content.toString('latin1'));
	if (beginning.startsWith('\xd0\xcf')) return content.includes('EncryptedPackage', 0, 'utf16le');
	const isZip = beginning.startsWith('PK');
	return (
		isZip && /PK\x01\x02.{4}[\x01\x03\x05\x07\x09\x0b\x0d\x0f]/s.test(content.toString('latin1'))
	);
}
