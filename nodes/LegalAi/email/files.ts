import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { extensionOf } from '../files/fileName';
import { contentTypeOfFile } from '../files/mediaTypes';
import { text, type Email } from './email';

/** n8n's store of files. */
export type FileStore = Pick<
	IExecuteFunctions['helpers'],
	'getBinaryDataBuffer' | 'prepareBinaryData'
>;

/** The files of an email, sorted. */
export interface SortedFiles {
	/** What can go with a question, in its order, and its place in {@link ORDER}. */
	readable: Array<{ name: string; binary: IBinaryData; rank: number }>;
	/** What can't: its name or address, and what it is. */
	unread: Map<string, string>;
	/** Whether one makes the email a part of planning a meeting, and is no entry that somebody passes on (RFC 5546). */
	isMeeting: boolean;
}

/** What goes first: what contracts come as, then other documents, then images and media. */
const ORDER = [/\.document$/, /msword/, /pdf/, /zip/, /^(?!image|audio|video)/, /^/];
/** The place of what is no document. */
export const MEDIA_RANK = 5;
const MOST_BYTES = 50_000_000;

/*
 * What files are is told by three lines: the type that the service reads it as, if it does, the type that is declared, and the name.
 */

/** Pictures with the names that Outlook and others give to those in signatures; a scan or a screenshot is larger. */
const [LOGO, LOGO_BYTES] = [
	/^image.*\n.*\n(image\d{3}\b.*|outlook-.*|(logo|signature)\d*\.\w+|)$/i,
	20_000,
];
/**
 * What has no words of its own: signatures and keys (RFC 8551, 3156), visiting cards and calendar entries (6350, 5545), reports of
 * servers (3464, 8098), icons, what Office adds to HTML.
 */
const DECORATION =
	/^message\/(delivery-status|disposition-notification)|^application\/(pgp-(encrypted|keys|signature)|(x-)?pkcs7-signature|ics)|^text\/(x-)?v?(calendar|card)|^image\/(gif|svg)|\.(vcf|ics|p7s|sig|gif|svg|emz|wmz|mso)$|signature\.asc$/im;
const ANYTHING = /^/;
/** What can't be read, by those lines and by its bytes. */
const UNREADABLE = [
	[/^message\/|\.(eml|msg)$/im, ANYTHING, 'an attached email'],
	// Outlook gives it neither a type nor an ending; how it begins: RFC 5322
	[
		/\n(?!.*\.\S{1,20}$).*$/,
		/^(received|return-path|from|to|subject|date|message-id|mime-version|content-type|dkim-signature|x-[\w-]+): /i,
		'an attached email',
	],
	[ANYTHING, /^$/, 'an empty file'],
	// TNEF (MS-OXTNEF)
	[/ms-tnef|winmail\.dat$/i, ANYTHING, 'a container of Outlook'],
	// S/MIME (RFC 8551), PGP (RFC 3156), Microsoft Purview
	[/pkcs7-mime|\.(p7m|asc|pgp|gpg|rpmsg)$/i, ANYTHING, 'an encrypted file'],
	// What a password protects: PDF (ISO 32000-1, 7.6.1), ZIP (APPNOTE, 4.4.4: its lowest bit is set), Office (MS-OFFCRYPTO, 2.3)
	[
		ANYTHING,
		/^%PDF[^]*?\/Encrypt\s*(\d|<<)|^PK[^]*?PK\cA\cB[^]{4}[\cA\cC\cE\cG\cI\cK\cM\cOACEGIKMO]|^\xd0\xcf[^]*?E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e/,
		'an encrypted file',
	],
	[/^\n/, ANYTHING, 'a file of an unknown type'],
] as const;

/** Sorts the files of an email. One at a time is in memory. */
export async function sortFiles(
	{ json: whole, headers, parts }: Email,
	store: FileStore,
): Promise<SortedFiles> {
	const sorted: SortedFiles = { readable: [], unread: new Map(), isMeeting: false };
	const { readable, unread } = sorted;
	if (
		(whole.hasAttachments ?? /^content-type: multipart\/(mixed|encrypted)/im.test(headers)) &&
		parts.every(([, { binary }]) => !binary)
	)
		unread.set('attachments (not downloaded)', 'files that were not downloaded');
	for (const [itemIndex, { json, binary }] of parts) {
		if (json !== whole && !binary)
			unread.set(text(json.name), 'a shared file or an attached email');
		for (const [field, file] of Object.entries(binary ?? {})) {
			const { mimeType, fileName = '', fileExtension = 'bin' } = file;
			const bytes = (await store.getBinaryDataBuffer(itemIndex, field)).toString('latin1');
			const type = contentTypeOfFile(mimeType, extensionOf(fileName)) ?? '';
			const lines = [type, mimeType, fileName].join('\n');
			sorted.isMeeting ||=
				/text\/calendar\n$/.test(lines) && /^METHOD:(REQUEST|REPLY|CANCEL|COUNTER)/im.test(bytes);
			if (DECORATION.test(lines) || (LOGO.test(lines) && bytes.length < LOGO_BYTES)) continue;
			const [, subject = `unnamed.${fileExtension}`] = /^subject: *(.+)/im.exec(bytes) ?? [];
			const name = fileName || subject;
			const [, , why] = UNREADABLE.find(
				([told, content]) => told.test(lines) && content.test(bytes),
			) ?? ['', '', bytes.length > MOST_BYTES && 'a file that is too large'];
			if (why) unread.set(name, why);
			else readable.push({ name, binary: file, rank: ORDER.findIndex((what) => what.test(type)) });
		}
	}
	readable.sort((one, other) => one.rank - other.rank);
	return sorted;
}
