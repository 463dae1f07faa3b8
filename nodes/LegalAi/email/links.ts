import type { Unread } from './email';

/** The addresses of files on drives: what people send instead of a file. */
const DRIVES = new RegExp(
	[
		// Microsoft SharePoint and OneDrive: sharing links and documents, but no pages
		'[\\w.-]{1,200}\\.sharepoint\\.com/(:\\w:|.{0,1000}\\.(docx?|pdf|xlsx?|pptx?|zip)\\b)',
		'(1drv\\.ms|onedrive\\.live\\.com)/',
		// Google Drive and Docs
		'(docs|drive)\\.google\\.com/',
		'(www\\.)?dropbox\\.com/(scl?|s|l|t|sh)/',
		'([\\w-]{1,60}\\.){0,2}box\\.com/(s|v|file|folder|shared)/',
		'(we\\.tl|([\\w-]{1,60}\\.)?wetransfer\\.com/downloads)/',
		// Apple: iCloud Drive, and Mail Drop for large files
		'www\\.icloud\\.com/(iclouddrive|attachment|pages|numbers|keynote)\\b',
		'[\\w-]{1,60}\\.sharefile\\.(com|eu)/',
		'[\\w-]{1,60}\\.egnyte\\.com/(dl|fl|app)\\b',
		'(acrobat|documentcloud)\\.adobe\\.com/(id|link)\\b',
	]
		.map((address) => `^https://${address}`)
		.join('|'),
	'i',
);

/** How gateways wrap an address: Safe Links of Microsoft Defender, URL Defense of Proofpoint (version 3), Google. */
const WRAPPED =
	/https:\/\/[\w.-]{0,100}?(?:safelinks\.protection\.outlook|urldefense|google)\.com\/(?:v3\/__|url)?\??(?:url=|q=)?(https(?::|%3A)(?:(?!__;)[^&\s"<>)\]]){1,2000})(?:&|__;)?[^\s"<>)\]]{0,2000}/gi;
const LINK = /https:\/\/[^\s<>"\])]+(?<![.,;:!?'»’])/gi;
const LONGEST_LINK = 2000;

/** A text with its addresses as their senders wrote them. */
export function withoutWrapping(text: string): string {
	return text.replace(WRAPPED, (_, address: string) =>
		address.replace(/%[2-7][\da-f]/gi, (code) => String.fromCharCode(Number(`0x${code.slice(1)}`))),
	);
}

/** What words can't tell: the files on drives that they link to, each once, and what is encrypted in them. */
export function unreadIn(words: string): Unread[] {
	const links = new Set((words.match(LINK) ?? []).filter(isDriveLink));
	const isEncrypted = words.includes('-----BEGIN PGP MESSAGE-----');
	return [
		...[...links].map((link): Unread => [link, 'a link to a drive']),
		...(isEncrypted ? [['encrypted text', 'an encrypted text'] as Unread] : []),
	];
}

/** Whether an address is that of a file on a drive, wrapped or not. */
export function isDriveLink(address: string): boolean {
	return address.length <= LONGEST_LINK && DRIVES.test(withoutWrapping(address));
}
