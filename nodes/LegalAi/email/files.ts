import { extensionOf } from '../files/fileName';
import { contentTypeOfFile, extensionOfContentType } from '../files/mediaTypes';
import type { EmailFile, Unread } from './email';

/** Reads a file out of n8n's store. */
export type ReadFile = (itemIndex: number, field: string) => Promise<Buffer>;

/** A file that can go with a question. */
export interface ReadableFile {
	file: EmailFile;
	name: string;
	/** Whether it is text in some form: no image, audio or video. */
	isDocument: boolean;
}

/** The files of an email: those that can go with a question, in the order in which they go, and those that can't be read. */
export interface SortedFiles {
	readable: ReadableFile[];
	unread: Unread[];
}

/** What contracts come as, in the order in which they go; then other documents, then images and media. */
const CONTRACTS = ['docx', 'doc', 'pdf', 'zip'];
const MOST_BYTES = 50_000_000;
/** Logos and pictures in signatures are smaller; a scan or a screenshot is not. */
const SMALL_IMAGE_BYTES = 50_000;
/** How Outlook and others call pictures in signatures. */
const LOGO = /^(image\d{3}|outlook-|logo|signature)/i;

/** What carries no words: signatures, keys, visiting cards, calendar entries, pictures and data of Office in HTML (RFC 8551, 3156, 6350, 5545). */
const DECORATION =
	/^(message\/(delivery-status|disposition-notification|feedback-report)|application\/(pgp-encrypted|pgp-keys|(x-)?pkcs7-signature|pgp-signature|ics)|text\/(x-)?(calendar|vcard)|image\/(gif|svg\+xml))$|\.(vcf|ics|p7s|sig|gif|svg|emz|wmz|mso)$|^signature\.asc$/i;

/** What holds more than a reader gets to see, by its type or its name. */
const CONTAINERS: Array<[RegExp, string]> = [
	// RFC 5322 in MIME, and Outlook's own form of it
	[/^message\/(rfc822|global)$|\.(eml|msg)$/i, 'an attached email'],
	// TNEF (MS-OXTNEF)
	[/^application\/(vnd\.)?ms-tnef$|^winmail\.dat$/i, 'an Outlook container'],
	// S/MIME (RFC 8551), PGP (RFC 3156), Microsoft Purview
	[/^application\/(x-)?pkcs7-mime$|\.(p7m|asc|pgp|gpg|rpmsg)$/i, 'an encrypted file'],
];

/** Files whose bytes say whether a password protects them. */
const MAY_BE_ENCRYPTED = ['pdf', 'zip', 'docx', 'xlsx', 'pptx'];
/** The stream of an Office file with a password (MS-OFFCRYPTO 2.3). */
const ENCRYPTED_OFFICE = Buffer.from('EncryptedPackage', 'utf16le');
const ZIP_ENTRY = Buffer.from('PK\x01\x02', 'latin1');

/** Sorts the files of an email. One file at a time is in memory. */
export async function sortFiles(files: EmailFile[], read: ReadFile): Promise<SortedFiles> {
	const ranked: Array<ReadableFile & { rank: number }> = [];
	const unread: Unread[] = [];
	for (const file of files.filter((each) => !isDecoration(each))) {
		const name = nameOf(file);
		const contentType = contentTypeOfFile(file.binary.mimeType ?? '', extensionOf(name));
		const why = await whyUnread(file, contentType, read);
		if (why !== undefined) unread.push({ name, why });
		else {
			const isDocument = !/^(image|audio|video)\//.test(contentType ?? '');
			const contract = CONTRACTS.indexOf(extensionOfContentType(contentType ?? '') ?? '');
			const rank = contract === -1 ? CONTRACTS.length + (isDocument ? 0 : 1) : contract;
			ranked.push({ file, name, isDocument, rank });
		}
	}
	return { readable: ranked.sort((one, other) => one.rank - other.rank), unread };
}

/** Whether one of the files makes the email a part of planning a meeting, and not an entry that somebody passes on (RFC 5546). */
export async function hasMeeting(files: EmailFile[], read: ReadFile): Promise<boolean> {
	for (const file of files.filter(({ binary }) =>
		/calendar|ics$/i.test(`${binary.mimeType} ${binary.fileName ?? ''}`),
	)) {
		const entry = await read(file.itemIndex, file.field);
		if (
			/^METHOD:(REQUEST|REPLY|CANCEL|COUNTER|DECLINECOUNTER)/im.test(
				entry.toString('latin1', 0, 4096),
			)
		)
			return true;
	}
	return false;
}

function nameOf({ binary: { fileName, fileExtension, mimeType } }: EmailFile): string {
	if (fileName) return fileName;
	return /^message\//.test(mimeType) ? 'attached email' : `unnamed.${fileExtension ?? 'bin'}`;
}

function isDecoration({ binary, isInline }: EmailFile): boolean {
	const { fileName = '', mimeType = '', bytes = 0 } = binary;
	if (DECORATION.test(mimeType) || DECORATION.test(fileName)) return true;
	const isImage =
		mimeType.startsWith('image/') ||
		/^image\//.test(contentTypeOfFile('', extensionOf(fileName)) ?? '');
	return (
		isImage && bytes < SMALL_IMAGE_BYTES && (isInline || fileName === '' || LOGO.test(fileName))
	);
}

async function whyUnread(
	{ binary, itemIndex, field }: EmailFile,
	contentType: string | undefined,
	read: ReadFile,
): Promise<string | undefined> {
	const container = CONTAINERS.find(
		([what]) => what.test(binary.mimeType) || what.test(binary.fileName ?? ''),
	);
	if (container !== undefined) return container[1];
	if (binary.bytes === 0) return 'an empty file';
	if (contentType === undefined) return 'a file of an unknown type';
	if ((binary.bytes ?? 0) > MOST_BYTES) return 'a file that is too large';
	const mayBeEncrypted = MAY_BE_ENCRYPTED.includes(extensionOfContentType(contentType) ?? '');
	if (!mayBeEncrypted && binary.bytes !== undefined) return undefined;
	const bytes = await read(itemIndex, field);
	if (bytes.length === 0) return 'an empty file';
	return mayBeEncrypted && isEncrypted(bytes) ? 'an encrypted file' : undefined;
}

/** Whether a password protects a PDF (ISO 32000-1, 7.6.1), a ZIP archive (APPNOTE 4.4.4) or an Office file. */
function isEncrypted(bytes: Buffer): boolean {
	if (bytes.toString('latin1', 0, 1024).includes('%PDF-'))
		return /\/Encrypt\s*(\d|<<)/.test(bytes.toString('latin1'));
	if (bytes.includes(ENCRYPTED_OFFICE)) return true;
	for (
		let at = bytes.indexOf(ZIP_ENTRY);
		at !== -1;
		at = bytes.indexOf(ZIP_ENTRY, at + ZIP_ENTRY.length)
	) {
		if ((bytes[at + 8] ?? 0) % 2 === 1) return true;
	}
	return false;
}
