/** A kind of file that the service reads. */
interface Kind {
	name: string;
	/** Its registered types; files that are known by their extension alone are declared as the first. */
	contentTypes: [string, ...string[]];
	/** Other names in use; sent as the first of the registered ones. */
	aliases?: string[];
	extensions: [string, ...string[]];
}

export const ZIP_CONTENT_TYPE = 'application/zip';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

const KINDS: Kind[] = [
	{ name: 'PDF', contentTypes: ['application/pdf'], aliases: ['application/x-pdf'], extensions: ['pdf'] },
	{ name: 'DOC', contentTypes: ['application/msword'], extensions: ['doc'] },
	{ name: 'DOCX', contentTypes: [`${OFFICE}.wordprocessingml.document`], extensions: ['docx'] },
	{ name: 'TXT', contentTypes: ['text/plain'], extensions: ['txt'] },
	{ name: 'MD', contentTypes: ['text/markdown'], aliases: ['text/x-markdown'], extensions: ['md', 'markdown'] },
	{ name: 'HTML', contentTypes: ['text/html'], extensions: ['html', 'htm'] },
	{ name: 'XLS', contentTypes: ['application/vnd.ms-excel'], extensions: ['xls'] },
	{ name: 'XLSX', contentTypes: [`${OFFICE}.spreadsheetml.sheet`], extensions: ['xlsx'] },
	{ name: 'CSV', contentTypes: ['text/csv'], aliases: ['application/csv', 'text/x-csv'], extensions: ['csv'] },
	{ name: 'TSV', contentTypes: ['text/tab-separated-values'], extensions: ['tsv'] },
	{ name: 'PPT', contentTypes: ['application/vnd.ms-powerpoint'], extensions: ['ppt'] },
	{ name: 'PPTX', contentTypes: [`${OFFICE}.presentationml.presentation`], extensions: ['pptx'] },
	{ name: 'PNG', contentTypes: ['image/png'], extensions: ['png'] },
	{ name: 'JPEG', contentTypes: ['image/jpeg'], aliases: ['image/jpg', 'image/pjpeg'], extensions: ['jpg', 'jpeg'] },
	{ name: 'WebP', contentTypes: ['image/webp'], extensions: ['webp'] },
	{ name: 'TIFF', contentTypes: ['image/tiff'], extensions: ['tiff', 'tif'] },
	{ name: 'HEIC', contentTypes: ['image/heic'], extensions: ['heic'] },
	{ name: 'HEIF', contentTypes: ['image/heif'], extensions: ['heif'] },
	{ name: 'MP3', contentTypes: ['audio/mpeg'], aliases: ['audio/mp3'], extensions: ['mp3'] },
	{ name: 'MP4', contentTypes: ['video/mp4'], extensions: ['mp4'] },
	{ name: 'M4A', contentTypes: ['audio/mp4'], aliases: ['audio/x-m4a', 'audio/m4a'], extensions: ['m4a'] },
	{ name: 'MPEG', contentTypes: ['video/mpeg'], extensions: ['mpeg', 'mpg'] },
	{ name: 'WAV', contentTypes: ['audio/wav'], aliases: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'], extensions: ['wav'] },
	{ name: 'WebM', contentTypes: ['video/webm', 'audio/webm'], extensions: ['webm'] },
	{
		name: 'ZIP',
		contentTypes: [ZIP_CONTENT_TYPE],
		aliases: ['application/x-zip-compressed', 'application/x-zip'],
		extensions: ['zip'],
	},
];

/** What the first bytes of a file, each a character, say of its kind: the likeliest kind first, then those that begin alike. */
const KINDS_BY_BYTES: Array<[begin: RegExp, kinds: string[]]> = [
	[/^[^]{0,1019}%PDF-/, ['PDF']],
	[/^PK\x03\x04(?:[^]*PK\x03\x04)?[^]{26}word\//, ['DOCX']],
	[/^PK\x03\x04(?:[^]*PK\x03\x04)?[^]{26}xl\//, ['XLSX']],
	[/^PK\x03\x04(?:[^]*PK\x03\x04)?[^]{26}ppt\//, ['PPTX']],
	[/^PK(\x03\x04|\x05\x06|\x07\x08)/, ['ZIP', 'DOCX', 'XLSX', 'PPTX']],
	[/^\xd0\xcf\x11\xe0/, ['DOC', 'XLS', 'PPT']],
	[/^\x89PNG/, ['PNG']],
	[/^\xff\xd8\xff/, ['JPEG']],
	[/^RIFF[^]{4}WEBP/, ['WebP']],
	[/^(II\*\0|MM\0\*)/, ['TIFF']],
	[/^[^]{4}ftyphe/, ['HEIC', 'HEIF']],
	[/^[^]{4}ftypm[is]f/, ['HEIF', 'HEIC']],
	[/^[^]{4}ftypM4A/, ['M4A', 'MP4']],
	[/^[^]{4}ftyp/, ['MP4', 'M4A']],
	[/^(ID3|\xff[\xf2\xf3\xfa\xfb])/, ['MP3']],
	[/^RIFF[^]{4}WAVE/, ['WAV']],
	[/^\x1aE\xdf\xa3/, ['WebM']],
	[/^\0\0\x01[\xb3\xba]/, ['MPEG']],
	[/^(\xef\xbb\xbf)?\s*<(!doctype )?html/i, ['HTML', 'TXT', 'MD', 'CSV', 'TSV']],
	[/^(\xff\xfe|\xfe\xff|[^\0-\x08\x0e-\x1a\x1c-\x1f]+$)/, ['TXT', 'MD', 'HTML', 'CSV', 'TSV']],
];
/** Others begin alike and say more. */
const GENERAL = ['ZIP', 'TXT'];

/** The kinds of file that the service reads, as a person calls them. */
export const SUPPORTED_KINDS = KINDS.map(({ name }) => name).join(', ');

/** A content type without parameters such as `; charset=utf-8`, in lower case. */
export function withoutParameters(contentType: string): string {
	return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** The content type that goes with a file extension (any case, no dot); undefined if the service does not read such files. */
export function contentTypeOfExtension(extension: string): string | undefined {
	return kindOfExtension(extension)?.contentTypes[0];
}

/** The usual extension of a content type, without a dot; undefined if the service does not read it. */
export function extensionOfContentType(declared: string): string | undefined {
	return kindOf(withoutParameters(declared))?.extensions[0];
}

/** Whether an extension is one of a content type. */
export function isExtensionOf(extension: string, contentType: string): boolean {
	const kind = kindOfExtension(extension);
	return kind !== undefined && kind === kindOf(withoutParameters(contentType));
}

function kindOf(contentType: string): Kind | undefined {
	return KINDS.find(({ contentTypes, aliases = [] }) => [...contentTypes, ...aliases].includes(contentType));
}

function kindOfExtension(extension: string): Kind | undefined {
	return KINDS.find(({ extensions }) => extensions.includes(extension.toLowerCase()));
}

/** Whether only the bytes of a file can tell its kind: its type and its extension contradict each other, or it has neither. */
export function isContradictory(declared: string, extension: string): boolean {
	const [own, other] = [kindOf(withoutParameters(declared)), kindOfExtension(extension)];
	return own === undefined || other === undefined ? declared === '' && extension === '' : own !== other;
}

/**
 * The content type to declare for a file: its own if the service reads it, else the one of its extension, since mail servers
 * say `application/octet-stream` of everything.
 *
 * @param bytes its first bytes, each a character, if they are to decide
 */
export function contentTypeOfFile(declared: string, extension: string, bytes = ''): string | undefined {
	const contentType = withoutParameters(declared);
	const [own, other] = [kindOf(contentType), kindOfExtension(extension)];
	const names = KINDS_BY_BYTES.find(([begin]) => begin.test(bytes))?.[1] ?? [];
	const fitting = [other, own].flatMap((each) => (each !== undefined && names.includes(each.name) ? [each] : []));
	const likeliest = KINDS.find(({ name }) => name === names[0]);
	const ofBytes = fitting.find(({ name }) => !GENERAL.includes(name)) ?? fitting[0] ?? likeliest;
	const kind = ofBytes ?? own ?? other;
	return kind?.contentTypes.includes(contentType) ? contentType : kind?.contentTypes[0];
}
