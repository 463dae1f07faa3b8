/** A kind of file that the service reads. */
interface Kind {
	name: string;
	extensions: string[];
	/** What its first bytes look like, each a character. */
	bytes: RegExp;
	/** Its registered types; files that are known by their extension alone are declared as the first. */
	contentTypes: string[];
	/** Other names in use; sent as the first of the registered ones. */
	aliases: string[];
}

/** A row of the table below. Of several extensions, types or aliases, white space stands between them. */
function kind(
	name: string,
	extensions: string,
	bytes: RegExp,
	contentTypes: string,
	aliases = contentTypes,
): Kind {
	return {
		name,
		extensions: extensions.split(' '),
		bytes,
		contentTypes: contentTypes.split(' '),
		aliases: aliases.split(' '),
	};
}

export const ZIP_CONTENT_TYPE = 'application/zip';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

const [OLE, ZIP] = [/^\xd0\xcf\p{Cc}\xe0/u, /^PK\p{Cc}{2}/u];
const TEXT = /^(?![^]{0,1019}%PDF-)(\xff\xfe|\xfe\xff|[\s\x20-\x7e\x80-\xff]+$)/;
const [HEIF, MP4] = [/^[^]{4}ftyp(he|mif|msf)/, /^[^]{4}ftyp(?!he|mif|msf)/];
/** An archive, unless it has the parts of another Office file. */
const zipWithout = (parts: string): RegExp =>
	new RegExp(`^PK\\p{Cc}{2}(?![^]*PK\\p{Cc}{2}[^]{26}(${parts})/)(?![^]{26}(${parts})/)`, 'u');

const KINDS = [
	kind('PDF', 'pdf', /^[^]{0,1019}%PDF-/, 'application/pdf', 'application/x-pdf'),
	kind('DOC', 'doc', OLE, 'application/msword'),
	kind('DOCX', 'docx', zipWithout('xl|ppt'), `${OFFICE}.wordprocessingml.document`),
	kind('TXT', 'txt', TEXT, 'text/plain'),
	kind('MD', 'md markdown', TEXT, 'text/markdown', 'text/x-markdown'),
	kind('HTML', 'html htm', TEXT, 'text/html'),
	kind('XLS', 'xls', OLE, 'application/vnd.ms-excel'),
	kind('XLSX', 'xlsx', zipWithout('word|ppt'), `${OFFICE}.spreadsheetml.sheet`),
	kind('CSV', 'csv', TEXT, 'text/csv', 'application/csv text/x-csv'),
	kind('TSV', 'tsv', TEXT, 'text/tab-separated-values'),
	kind('PPT', 'ppt', OLE, 'application/vnd.ms-powerpoint'),
	kind('PPTX', 'pptx', zipWithout('word|xl'), `${OFFICE}.presentationml.presentation`),
	kind('PNG', 'png', /^\x89PNG/, 'image/png'),
	kind('JPEG', 'jpg jpeg', /^\xff\xd8\xff/, 'image/jpeg', 'image/jpg image/pjpeg'),
	kind('WebP', 'webp', /^RIFF[^]{4}WEBP/, 'image/webp'),
	kind('TIFF', 'tiff tif', /^(II\*\0|MM\0\*)/, 'image/tiff'),
	kind('HEIC', 'heic', HEIF, 'image/heic'),
	kind('HEIF', 'heif', HEIF, 'image/heif'),
	kind('MP3', 'mp3', /^(ID3|\xff[\xf2\xf3\xfa\xfb])/, 'audio/mpeg', 'audio/mp3'),
	kind('MP4', 'mp4', MP4, 'video/mp4'),
	kind('M4A', 'm4a', MP4, 'audio/mp4', 'audio/x-m4a audio/m4a'),
	kind('MPEG', 'mpeg mpg', /^\0\0\p{Cc}[\xb3\xba]/u, 'video/mpeg'),
	kind('WAV', 'wav', /^RIFF[^]{4}WAVE/, 'audio/wav', 'audio/x-wav audio/wave audio/vnd.wave'),
	kind('WebM', 'webm', /^\p{Cc}E\xdf\xa3/u, 'video/webm audio/webm'),
	kind('ZIP', 'zip', ZIP, ZIP_CONTENT_TYPE, 'application/x-zip-compressed application/x-zip'),
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
	return KINDS.find(({ contentTypes, aliases }) =>
		[...contentTypes, ...aliases].includes(contentType),
	);
}

/** Whether only the bytes of a file can tell its kind: its type and its extension contradict each other, or it has neither. */
export function isContradictory(declared: string, extension: string): boolean {
	const [own, other] = [withoutParameters(declared), contentTypeOfExtension(extension) ?? ''].map(
		kindOf,
	);
	return own && other ? own !== other : declared === '' && extension === '';
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
	const fitting = KINDS.filter((each) => each.bytes.test(bytes));
	const special = fitting.filter(({ name }) => !GENERAL.includes(name));
	const likely = [...(special.length === 1 ? special : []), other, own].find(
		(each) => each !== undefined && special.includes(each),
	);
	const chosen =
		likely ?? fitting.find(({ name }) => GENERAL.includes(name)) ?? fitting[0] ?? own ?? other;
	return chosen?.contentTypes.includes(contentType) ? contentType : chosen?.contentTypes[0];
}
