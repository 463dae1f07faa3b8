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
	/https:\/\/[\w.-]{0,100}?(?:safelinks\.protection\.outlook|urldefense|google)\.com\/(?:v3\/__|url)?\??(?:url=|q=)?(https(?::|%3A)[^&\s"<>)\]]{1,2000})(?:&[^\s"<>)\]]{0,2000})?/gi;
const ADDRESS = /https:\/\/[^\s<>"\])]+/gi;
const LONGEST_ADDRESS = 2000;

/** A text with its addresses as their senders wrote them. */
export function withoutWrapping(text: string): string {
	return text.replace(WRAPPED, (_, address: string) =>
		address
			.replace(/__;.*$/, '')
			.replace(/%[2-7][\da-f]/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16))),
	);
}

/** The files on drives that a text links to, each once. */
export function driveLinks(text: string): string[] {
	const found = (text.match(ADDRESS) ?? []).filter(isDriveLink);
	return [...new Set(found.map((address) => address.replace(/[.,;:!?'»’]+$/, '')))];
}

/** Whether an address is that of a file on a drive, wrapped or not. */
export function isDriveLink(address: string): boolean {
	return address.length <= LONGEST_ADDRESS && DRIVES.test(withoutWrapping(address));
}
