/** Addresses of files on drives, by what comes after `https://`: what people send instead of a file. */
const DRIVES = [
	// Microsoft SharePoint and OneDrive: sharing links, and documents, but no pages
	/^[\w.-]{1,200}\.sharepoint\.com\/(:\w:|.{0,1000}\.(docx?|pdf|xlsx?|pptx?|zip)\b)/i,
	/^(1drv\.ms|onedrive\.live\.com)\//i,
	// Google Drive and Docs
	/^(docs|drive)\.google\.com\//i,
	/^(www\.)?dropbox\.com\/(scl?|s|l|t|sh)\//i,
	/^([\w-]{1,60}\.){0,2}box\.com\/(s|v|file|folder|shared)\//i,
	/^(we\.tl|([\w-]{1,60}\.)?wetransfer\.com\/downloads)\//i,
	// Apple iCloud Drive, and Mail Drop for large files
	/^www\.icloud\.com\/(iclouddrive|attachment|pages|numbers|keynote)\b/i,
	/^[\w-]{1,60}\.sharefile\.(com|eu)\//i,
	/^[\w-]{1,60}\.egnyte\.com\/(dl|fl|app)\b/i,
	/^(acrobat|documentcloud)\.adobe\.com\/(id|link)\b/i,
];

/** How gateways wrap an address: Microsoft Defender's Safe Links, Google's redirects, Proofpoint's URL Defense (versions 3 and 2). */
const WRAPPED = [
	/^https:\/\/[\w.-]{1,100}\.safelinks\.protection\.outlook\.com\/[^?]{0,20}\?(?:[^#]{0,200}&)?url=([^&\s]+)/i,
	/^https:\/\/www\.google\.com\/url\?(?:[^#]{0,200}&)?q=([^&\s]+)/i,
	/^https:\/\/urldefense\.com\/v3\/__(.+?)__;/i,
];

const ADDRESS = /https?:\/\/[^\s<>"\])]+/gi;
const LONGEST_ADDRESS = 4000;

/** The same text with addresses as their senders wrote them. */
export function withoutWrapping(text: string): string {
	return text.replace(ADDRESS, unwrapped);
}

/** The files on drives that a text links to, each once. */
export function driveLinks(text: string): string[] {
	const addresses = (text.match(ADDRESS) ?? [])
		.filter(({ length }) => length <= LONGEST_ADDRESS)
		.map((address) => unwrapped(address).replace(/[.,;:!?'»’]+$/, ''));
	return [...new Set(addresses.filter(isDriveLink))];
}

/** Whether an address is that of a file on a drive. */
export function isDriveLink(address: string): boolean {
	const [, rest = ''] = /^https:\/\/(.*)$/is.exec(unwrapped(address)) ?? [];
	return rest.length <= LONGEST_ADDRESS && DRIVES.some((drive) => drive.test(rest));
}

function unwrapped(address: string): string {
	if (address.length > LONGEST_ADDRESS) return address;
	const found = WRAPPED.map((wrapped) => wrapped.exec(address)?.[1]).find(
		(inner) => inner !== undefined,
	);
	try {
		return found === undefined ? address : decodeURIComponent(found);
	} catch {
		return address;
	}
}
