import { extensionOf } from '../files/fileName';
import { contentTypeOfFile } from '../files/mediaTypes';
import type { Email, Unread } from './email';

/** The files of an email, sorted. */
export interface SortedFiles {
	/** What can go with a question, in its order: the field in n8n's store, and the place in {@link ORDER}. */
	readable: Array<Email['files'][number] & { name: string; rank: number }>;
	unread: Unread[];
	/** Whether one makes the email a part of planning a meeting, and is no entry that somebody passes on (RFC 5546). */
	isMeeting: boolean;
}

/** What goes first: what contracts come as, then other documents, then images and media. */
const ORDER = [/\.document$/, /msword/, /pdf/, /zip/, /^(?!image|audio|video)/, /^/];
/** The place of what is no document. */
export const MEDIA_RANK = 5;
const MOST_BYTES = 50_000_000;
/** Small pictures with the names that Outlook and others give to those in signatures; a scan or a screenshot is larger. */
const [LOGO, LOGO_BYTES] = [/^(image\d{3}\b.*|outlook-.*|logo.*|signature.*|)$/i, 50_000];
/**
 * What has no words of its own, by type or name: signatures and keys (RFC 8551, 3156), visiting cards and calendar entries (6350,
 * 5545), reports of servers (3464, 8098), icons, what Office adds to HTML.
 */
const DECORATION =
	/^message\/(delivery-status|disposition-notification)|^application\/(pgp-(encrypted|keys|signature)|(x-)?pkcs7-signature|ics)|^text\/(x-)?v?(calendar|card)|^image\/(gif|svg)|\.(vcf|ics|p7s|sig|gif|svg|emz|wmz|mso)$|signature\.asc$/im;
/** Containers: TNEF (MS-OXTNEF); S/MIME (RFC 8551), PGP (RFC 3156), Microsoft Purview */
const [TNEF, ENCRYPTED] = [/ms-tnef|winmail\.dat$/i, /pkcs7-mime|\.(p7m|asc|pgp|gpg|rpmsg)$/i];
/** How an attached email begins that has neither a type nor an ending (RFC 5322). */
const EMAIL =
	/^(received|return-path|from|to|subject|date|message-id|mime-version|content-type|dkim-signature|x-[\w-]+): /i;

/**
 * Sorts the files of an email. One at a time is in memory.
 *
 * @param read reads a file out of n8n's store
 */
export async function sortFiles(
	{ json, headers, files, unread }: Email,
	read: (itemIndex: number, field: string) => Promise<Buffer>,
): Promise<SortedFiles> {
	const sorted: SortedFiles = { readable: [], unread: [...unread], isMeeting: false };
	const saysFiles =
		json.hasAttachments === true || /^content-type: multipart\/(mixed|encrypted)/im.test(headers);
	if (saysFiles && files.length + unread.length === 0)
		sorted.unread.push(['attachments (not downloaded)', 'files that were not downloaded']);
	for (const file of files) {
		const { mimeType, fileName = '', fileExtension = 'bin' } = file.binary;
		const bytes = (await read(file.itemIndex, file.field)).toString('latin1');
		const described = `${mimeType}\n${fileName}`;
		const type = contentTypeOfFile(mimeType, extensionOf(fileName)) ?? '';
		sorted.isMeeting ||=
			/calendar|\.ics$/m.test(described) && /^METHOD:(REQUEST|REPLY|CANCEL|COUNTER)/im.test(bytes);
		const isLogo = /^image/.test(type) && LOGO.test(fileName) && bytes.length < LOGO_BYTES;
		if (isLogo || DECORATION.test(described)) continue;
		const isEmail =
			/^message|\.(eml|msg)$/m.test(described) || (!extensionOf(fileName) && EMAIL.test(bytes));
		const [, subject = `unnamed.${fileExtension}`] =
			(isEmail && /^subject: *(.+)/im.exec(bytes)) || [];
		const name = fileName || subject;
		const reasons: Array<[boolean, string]> = [
			[isEmail, 'an attached email'],
			[bytes === '', 'an empty file'],
			[TNEF.test(described), 'a container of Outlook'],
			[ENCRYPTED.test(described) || isEncrypted(bytes), 'an encrypted file'],
			[type === '', 'a file of an unknown type'],
			[bytes.length > MOST_BYTES, 'a file that is too large'],
		];
		const [, why] = reasons.find(([is]) => is) ?? [];
		if (why) sorted.unread.push([name, why]);
		else sorted.readable.push({ ...file, name, rank: ORDER.findIndex((what) => what.test(type)) });
	}
	sorted.readable.sort((one, other) => one.rank - other.rank);
	return sorted;
}

/** Whether a password protects a PDF (ISO 32000-1, 7.6.1), an Office file (MS-OFFCRYPTO, 2.3) or a ZIP archive (APPNOTE, 4.4.4). */
function isEncrypted(bytes: string): boolean {
	if (bytes.startsWith('%PDF')) return /\/Encrypt\s*(\d|<<)/.test(bytes);
	const zipped = bytes.startsWith('PK') ? bytes.split('PK\x01\x02').slice(1) : [];
	if (zipped.some((entry) => entry.charCodeAt(4) % 2 === 1)) return true;
	return (
		bytes.startsWith('\xd0\xcf') && bytes.includes('E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e')
	);
}
