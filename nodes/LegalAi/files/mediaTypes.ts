/** A kind of file that the service reads. */
interface Kind {
	name: string;
	/** The registered types it goes by; files found by their extension are declared as the first. */
	contentTypes: [string, ...string[]];
	/** Other names in use for the same; sent as the first of the registered ones. */
	aliases?: string[];
	extensions: [string, ...string[]];
}

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
	{
		name: 'WAV',
		contentTypes: ['audio/wav'],
		aliases: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
		extensions: ['wav'],
	},
	{ name: 'WebM', contentTypes: ['video/webm', 'audio/webm'], extensions: ['webm'] },
	{
		name: 'ZIP',
		contentTypes: ['application/zip'],
		aliases: ['application/x-zip-compressed', 'application/x-zip'],
		extensions: ['zip'],
	},
];

const BY_CONTENT_TYPE = new Map(
	KINDS.flatMap(({ contentTypes, aliases = [] }) => [
		...contentTypes.map((contentType): [string, string] => [contentType, contentType]),
		...aliases.map((alias): [string, string] => [alias, contentTypes[0]]),
	]),
);

const BY_EXTENSION = new Map(
	KINDS.flatMap(({ contentTypes, extensions }) =>
		extensions.map((extension): [string, string] => [extension, contentTypes[0]]),
	),
);

/** What senders often declare in place of the real type: Windows calls a CSV Excel, and a DOCX is a ZIP inside. */
const MISLABELED: Record<string, string[]> = {
	'application/vnd.ms-excel': ['csv', 'tsv'],
	'application/zip': ['docx', 'pptx', 'xlsx'],
};

export const ZIP_CONTENT_TYPE = 'application/zip';

/** The kinds of file that the service reads, as a person calls them. */
export const SUPPORTED_KINDS = KINDS.map(({ name }) => name).join(', ');

/** A content type without parameters such as `; charset=utf-8`, in lower case. */
export function withoutParameters(contentType: string): string {
	return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** The content type to declare for a declared one; undefined where the service does not read that. */
export function supportedContentType(declared: string): string | undefined {
	return BY_CONTENT_TYPE.get(withoutParameters(declared));
}

/** The content type that goes with a file extension (any case, no dot); undefined where the service has none for it. */
export function contentTypeOfExtension(extension: string): string | undefined {
	return BY_EXTENSION.get(extension.toLowerCase());
}

/** The usual extension of a content type, without a dot; undefined where the service does not read that. */
export function extensionOfContentType(declared: string): string | undefined {
	const contentType = supportedContentType(declared) ?? '';
	return KINDS.find(({ contentTypes }) => contentTypes.includes(contentType))?.extensions[0];
}

/**
 * The content type to declare for a file: its own where the service reads that, else the one of its
 * extension, since mail servers say `application/octet-stream` of everything.
 */
export function contentTypeOfFile(declared: string, extension: string): string | undefined {
	const own = supportedContentType(declared);
	const isMislabeled = own !== undefined && MISLABELED[own]?.includes(extension.toLowerCase());
	return own === undefined || isMislabeled ? contentTypeOfExtension(extension) : own;
}
