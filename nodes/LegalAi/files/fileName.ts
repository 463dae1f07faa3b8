import type { GeneratedFile } from '../api';
import { contentTypeOfExtension, extensionOfContentType, withoutParameters } from './mediaTypes';

const LONGEST_NAME = 255;
/** Controls, halves of characters, line separators, and the marks that change the reading direction. */
const NOT_IN_NAMES = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The last part of a path as a file name: without characters that it can't have, of at most 255. Empty if nothing remains. */
export function cleanFileName(path: string): string {
	const name = (
		path
			.split(/[/\\]/)
			.filter((part) => part.trim() !== '')
			.pop() ?? ''
	)
		.replace(NOT_IN_NAMES, '')
		.trim();
	return /^\.*$/.test(name) ? '' : shortened(name);
}

/** A file name's extension in lower case, without the dot; '' if it has none. */
export function extensionOf(fileName: string): string {
	return /\.([^.\s]{1,20})$/.exec(fileName.trim())?.[1]?.toLowerCase() ?? '';
}

/** The name that a file is sent under: cleaned, and with an extension of its content type if the service knows that. */
export function fileNameToSend(path: string, contentType: string): string {
	const name = cleanFileName(path);
	const whole = name === '' || /^\.[^.]*$/.test(name) ? `file${name}` : name;
	const [current, extension] = [extensionOf(whole), extensionOfContentType(contentType)];
	const typeOfCurrent = contentTypeOfExtension(current);
	if (extension === undefined || extensionOfContentType(typeOfCurrent ?? '') === extension)
		return shortened(whole);
	// An extension of another kind is wrong; any other may be a part of the name: "Contract v1.2".
	const stem = typeOfCurrent === undefined ? whole : whole.slice(0, -current.length - 1);
	return shortened(`${stem}.${extension}`);
}

/** A long name without its middle: its end has the extension. */
function shortened(name: string): string {
	return name.length > LONGEST_NAME ? name.replace(/^(.{90}).*(.{30})$/u, '$1…$2') : name;
}

const SAYS_NOTHING = [
	'',
	'application/octet-stream',
	'binary/octet-stream',
	'application/force-download',
];

/** A file to fetch, with what is known of it beforehand. */
export type RemoteFile = Pick<GeneratedFile, 'url'> & Partial<GeneratedFile>;

/** The name (never a path) and type of a fetched file, by the service, else the headers of the response, else the address. */
export function describeFile(
	{ url, file_name, content_type }: RemoteFile,
	headers: Record<string, unknown>,
): { fileName: string; contentType: string | undefined } {
	const candidates = [
		file_name ?? '',
		nameInDisposition(headers['content-disposition']),
		nameInAddress(url),
	];
	const name = candidates.map(cleanFileName).find((candidate) => candidate !== '') ?? 'file';

	const types = [content_type, headers['content-type']].map((type) =>
		typeof type === 'string' ? withoutParameters(type) : '',
	);
	const contentType =
		types.find((type) => !SAYS_NOTHING.includes(type)) ?? contentTypeOfExtension(extensionOf(name));
	const extension = contentType === undefined ? undefined : extensionOfContentType(contentType);
	const fileName =
		extensionOf(name) === '' && extension !== undefined
			? cleanFileName(`${name}.${extension}`)
			: name;
	return { fileName, contentType };
}

/** The file name in a Content-Disposition header, `filename*` (RFC 8187) before `filename`; '' if there is none. */
export function nameInDisposition(header: unknown): string {
	if (typeof header !== 'string') return '';
	const extended = percentDecoded(
		/(?:^|;)\s*filename\*\s*=\s*"?utf-8'[^']*'([^;"]*)/i.exec(header)?.[1] ?? '',
	);
	if (extended !== '') return extended;
	const [, quoted, token = ''] =
		/(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/i.exec(header) ?? [];
	return utf8(quoted?.replace(/\\(["\\])/g, '$1') ?? token.trim());
}

function nameInAddress(url: string): string {
	const path = URL.canParse(url) ? new URL(url).pathname : '';
	return percentDecoded(path.split('/').pop() ?? '');
}

function percentDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return '';
	}
}

/** Node reads headers byte by byte: characters that were sent as UTF-8 are put together again. */
export function utf8(text: string): string {
	const bytes = Buffer.from(text, 'latin1');
	const decoded = bytes.toString('utf8');
	return decoded.includes('\ufffd') || /[\u0100-\uffff]/.test(text) ? text : decoded;
}
