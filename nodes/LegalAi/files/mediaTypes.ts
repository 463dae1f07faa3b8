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

/** Extensions that count more than a declared type: Windows calls CSV files Excel files, and a DOCX is a ZIP archive. */
const MISLABELED: Record<string, string[]> = {
	'application/vnd.ms-excel': ['csv', 'tsv'],
	[ZIP_CONTENT_TYPE]: ['docx', 'pptx', 'xlsx'],
};

/** The kinds of file that the service reads, as a person calls them. */
export const SUPPORTED_KINDS = KINDS.map(({ name }) => name).join(', ');

/** A content type without parameters such as `; charset=utf-8`, in lower case. */
export function withoutParameters(contentType: string): string {
	return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** The content type that goes with a file extension (any case, no dot); undefined if the service does not read such files. */
export function contentTypeOfExtension(extension: string): string | undefined {
	return KINDS.find(({ extensions }) => extensions.includes(extension.toLowerCase()))?.contentTypes[0];
}

/** The usual extension of a content type, without a dot; undefined if the service does not read it. */
export function extensionOfContentType(declared: string): string | undefined {
	return kindOf(withoutParameters(declared))?.extensions[0];
}

function kindOf(contentType: string): Kind | undefined {
	return KINDS.find(({ contentTypes, aliases = [] }) => [...contentTypes, ...aliases].includes(contentType));
}

/**
 * The content type to declare for a file: its own if the service reads it, else the one of its extension, since mail servers
 * say `application/octet-stream` of everything.
 */
export function contentTypeOfFile(declared: string, extension: string): string | undefined {
	const contentType = withoutParameters(declared);
	const kind = kindOf(contentType);
	const own = kind?.aliases?.includes(contentType) ? kind.contentTypes[0] : kind && contentType;
	const isMislabeled = own !== undefined && MISLABELED[own]?.includes(extension.toLowerCase());
	return own === undefined || isMislabeled ? contentTypeOfExtension(extension) : own;
}
