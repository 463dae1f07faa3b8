/** A kind of file that the service reads. */
interface Kind {
	name: string;
	/** Its registered types; files that are known by their extension alone are declared as the first. */
	contentTypes: [string, ...string[]];
	/** Other names in use; sent as the first of the registered ones. */
	aliases?: string[];
	extensions: [string, ...string[]];
	/** What its first bytes look like, each a character. */
	bytes: RegExp;
}

export const ZIP_CONTENT_TYPE = 'application/zip';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

const [OLE, ZIP] = [/^\xd0\xcf\p{Cc}\xe0/u, /^PK\p{Cc}{2}/u];
const TEXT = /^(?![^]{0,1019}%PDF-)(\xff\xfe|\xfe\xff|[\s\x20-\x7e\x80-\xff]+$)/;
const [HEIF, MP4] = [/^[^]{4}ftyp(he|mif|msf)/, /^[^]{4}ftyp(?!he|mif|msf)/];
/** An archive, unless it has the parts of another Office file. */
const zipWithout = (parts: string): RegExp =>
	new RegExp(`^PK\\p{Cc}{2}(?![^]*PK\\p{Cc}{2}[^]{26}(${parts})/)(?![^]{26}(${parts})/)`, 'u');

const KINDS: Kind[] = [
	{
		name: 'PDF',
		contentTypes: ['application/pdf'],
		aliases: ['application/x-pdf'],
		extensions: ['pdf'],
		bytes: /^[^]{0,1019}%PDF-/,
	},
	{ name: 'DOC', contentTypes: ['application/msword'], extensions: ['doc'], bytes: OLE },
	{
		name: 'DOCX',
		contentTypes: [`${OFFICE}.wordprocessingml.document`],
		extensions: ['docx'],
		bytes: zipWithout('xl|ppt'),
	},
	{ name: 'TXT', contentTypes: ['text/plain'], extensions: ['txt'], bytes: TEXT },
	{
		name: 'MD',
		contentTypes: ['text/markdown'],
		aliases: ['text/x-markdown'],
		extensions: ['md', 'markdown'],
		bytes: TEXT,
	},
	{ name: 'HTML', contentTypes: ['text/html'], extensions: ['html', 'htm'], bytes: TEXT },
	{ name: 'XLS', contentTypes: ['application/vnd.ms-excel'], extensions: ['xls'], bytes: OLE },
	{
		name: 'XLSX',
		contentTypes: [`${OFFICE}.spreadsheetml.sheet`],
		extensions: ['xlsx'],
		bytes: zipWithout('word|ppt'),
	},
	{
		name: 'CSV',
		contentTypes: ['text/csv'],
		aliases: ['application/csv', 'text/x-csv'],
		extensions: ['csv'],
		bytes: TEXT,
	},
	{ name: 'TSV', contentTypes: ['text/tab-separated-values'], extensions: ['tsv'], bytes: TEXT },
	{ name: 'PPT', contentTypes: ['application/vnd.ms-powerpoint'], extensions: ['ppt'], bytes: OLE },
	{
		name: 'PPTX',
		contentTypes: [`${OFFICE}.presentationml.presentation`],
		extensions: ['pptx'],
		bytes: zipWithout('word|xl'),
	},
	{ name: 'PNG', contentTypes: ['image/png'], extensions: ['png'], bytes: /^\x89PNG/ },
	{
		name: 'JPEG',
		contentTypes: ['image/jpeg'],
		aliases: ['image/jpg', 'image/pjpeg'],
		extensions: ['jpg', 'jpeg'],
		bytes: /^\xff\xd8\xff/,
	},
	{ name: 'WebP', contentTypes: ['image/webp'], extensions: ['webp'], bytes: /^RIFF[^]{4}WEBP/ },
	{
		name: 'TIFF',
		contentTypes: ['image/tiff'],
		extensions: ['tiff', 'tif'],
		bytes: /^(II\*\0|MM\0\*)/,
	},
	{ name: 'HEIC', contentTypes: ['image/heic'], extensions: ['heic'], bytes: HEIF },
	{ name: 'HEIF', contentTypes: ['image/heif'], extensions: ['heif'], bytes: HEIF },
	{
		name: 'MP3',
		contentTypes: ['audio/mpeg'],
		aliases: ['audio/mp3'],
		extensions: ['mp3'],
		bytes: /^(ID3|\xff[\xf2\xf3\xfa\xfb])/,
	},
	{ name: 'MP4', contentTypes: ['video/mp4'], extensions: ['mp4'], bytes: MP4 },
	{
		name: 'M4A',
		contentTypes: ['audio/mp4'],
		aliases: ['audio/x-m4a', 'audio/m4a'],
		extensions: ['m4a'],
		bytes: MP4,
	},
	{
		name: 'MPEG',
		contentTypes: ['video/mpeg'],
		extensions: ['mpeg', 'mpg'],
		bytes: /^\0\0\p{Cc}[\xb3\xba]/u,
	},
	{
		name: 'WAV',
		contentTypes: ['audio/wav'],
		aliases: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
		extensions: ['wav'],
		bytes: /^RIFF[^]{4}WAVE/,
	},
	{
		name: 'WebM',
		contentTypes: ['video/webm', 'audio/webm'],
		extensions: ['webm'],
		bytes: /^\p{Cc}E\xdf\xa3/u,
	},
	{
		name: 'ZIP',
		contentTypes: [ZIP_CONTENT_TYPE],
		aliases: ['application/x-zip-compressed', 'application/x-zip'],
		extensions: ['zip'],
		bytes: ZIP,
	},
];

/** Kinds that others are, too, and say more. */
const GENERAL = ['TXT', 'ZIP'];

/** The kinds of file that the service reads, as a person calls them. */
export const SUPPORTED_KINDS = KINDS.map(({ name }) => name).join(', ');

/** A content type without parameters such as `; charset=utf-8`, in lower case. */
export function withoutParameters(contentType: string): string {
	return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** The content type that goes with a file extension (any case, no dot); undefined if the service does not read such files. */
export function contentTypeOfExtension(extension: string): string | undefined {
	return KINDS.find(({ extensions }) => extensions.includes(extension.toLowerCase()))
		?.contentTypes[0];
}

/** The usual extension of a content type, without a dot; undefined if the service does not read it. */
export function extensionOfContentType(declared: string): string | undefined {
	return kindOf(withoutParameters(declared))?.extensions[0];
}

function kindOf(contentType: string): Kind | undefined {
	return KINDS.find(({ contentTypes, aliases = [] }) =>
		[...contentTypes, ...aliases].includes(contentType),
	);
}

/** Whether only the bytes of a file can tell its kind: its type and its extension contradict each other, or it has neither. */
export function isContradictory(declared: string, extension: string): boolean {
	const [own, other] = [withoutParameters(declared), contentTypeOfExtension(extension) ?? ''].map(
		kindOf,
	);
	return own === undefined || other === undefined
		? declared === '' && extension === ''
		: own !== other;
}

/**
 * The content type to declare for a file: by its first bytes, each a character, if they are given; else its own if the service reads
 * it; else the one of its extension, since mail servers say `application/octet-stream` of everything.
 */
export function contentTypeOfFile(
	declared: string,
	extension: string,
	bytes = '',
): string | undefined {
	const contentType = withoutParameters(declared);
	const [own, other] = [contentType, contentTypeOfExtension(extension) ?? ''].map(kindOf);
	const fitting = KINDS.filter((kind) => kind.bytes.test(bytes));
	const special = fitting.filter(({ name }) => !GENERAL.includes(name));
	const likely = [...(special.length === 1 ? special : []), other, own].find(
		(each) => each !== undefined && special.includes(each),
	);
	const kind =
		likely ?? fitting.find(({ name }) => GENERAL.includes(name)) ?? fitting[0] ?? own ?? other;
	return kind?.contentTypes.includes(contentType) ? contentType : kind?.contentTypes[0];
}
