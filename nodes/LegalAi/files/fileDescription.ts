import { cleanFileName, extensionOf } from './fileName';
import { contentTypeOfExtension, extensionOfContentType, withoutParameters } from './mediaTypes';

/** What a fetched file is called, and its content type where anybody told. */
export interface FileDescription {
	fileName: string;
	contentType: string | undefined;
}

const SAYS_NOTHING = ['', 'application/octet-stream', 'binary/octet-stream', 'application/force-download'];

/**
 * Settles the name and type of a fetched file: what the service says of it, else what the answer's headers
 * say, else what its address looks like. The name is never a path.
 */
export function describeFile(
	{ url, file_name, content_type }: { url: string; file_name?: string | null; content_type?: string | null },
	headers: Record<string, unknown>,
): FileDescription {
	const candidates = [file_name ?? '', nameInDisposition(headers['content-disposition']), nameInAddress(url)];
	const name = candidates.map(cleanFileName).find((candidate) => candidate !== '') ?? 'file';

	const types = [content_type, headers['content-type']].map((type) => (typeof type === 'string' ? withoutParameters(type) : ''));
	const contentType = types.find((type) => !SAYS_NOTHING.includes(type)) ?? contentTypeOfExtension(extensionOf(name));
	const extension = contentType === undefined ? undefined : extensionOfContentType(contentType);
	const fileName = extensionOf(name) === '' && extension !== undefined ? cleanFileName(`${name}.${extension}`) : name;
	return { fileName, contentType };
}

/** The file name in a Content-Disposition header, `filename*` (RFC 5987) before `filename`; '' without one. */
export function nameInDisposition(header: unknown): string {
	if (typeof header !== 'string') return '';
	const extended = /(?:^|;)\s*filename\*\s*=\s*"?(?:utf-8|iso-8859-1)'[^']*'([^;"]*)/i.exec(header)?.[1];
	if (extended !== undefined) {
		const name = percentDecoded(extended, /\*\s*=\s*"?iso-8859-1'/i.test(header));
		if (name !== '') return name;
	}
	const quoted = /(?:^|;)\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1];
	if (quoted !== undefined) return utf8(quoted.replace(/\\(["\\])/g, '$1'));
	return utf8((/(?:^|;)\s*filename\s*=\s*([^;"]*)/i.exec(header)?.[1] ?? '').trim());
}

function nameInAddress(url: string): string {
	const path = URL.canParse(url) ? new URL(url).pathname : '';
	return percentDecoded(path.split('/').pop() ?? '', false);
}

function percentDecoded(text: string, isLatin1: boolean): string {
	try {
		return isLatin1
			? text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
			: decodeURIComponent(text);
	} catch {
		return '';
	}
}

/** Node reads headers byte by byte; what was sent as UTF-8 is put together again. */
function utf8(text: string): string {
	const bytes = Buffer.from(text, 'latin1');
	const decoded = bytes.toString('utf8');
	return decoded.includes('\ufffd') || /[\u0100-\uffff]/.test(text) ? text : decoded;
}
