/** Supported file types (specification, "POST /files/upload-url") and their MIME types. */
export const MEDIA_TYPES = {
	PDF: ['application/pdf'],
	DOC: ['application/msword'],
	DOCX: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
	TXT: ['text/plain'],
	MD: ['text/markdown', 'text/x-markdown'],
	HTML: ['text/html'],
	XLS: ['application/vnd.ms-excel'],
	XLSX: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
	CSV: ['text/csv'],
	TSV: ['text/tab-separated-values'],
	PPT: ['application/vnd.ms-powerpoint'],
	PPTX: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
	PNG: ['image/png'],
	JPEG: ['image/jpeg'],
	WebP: ['image/webp'],
	TIFF: ['image/tiff'],
	HEIC: ['image/heic'],
	HEIF: ['image/heif'],
	MP3: ['audio/mpeg', 'audio/mp3'],
	MP4: ['video/mp4', 'audio/mp4'],
	M4A: ['audio/x-m4a', 'audio/m4a', 'audio/mp4'],
	MPEG: ['video/mpeg'],
	WAV: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
	WebM: ['video/webm', 'audio/webm'],
	ZIP: ['application/zip', 'application/x-zip-compressed'],
};

const supported: ReadonlySet<string> = new Set(Object.values(MEDIA_TYPES).flat());

/** Whether files of this MIME type can be uploaded; its parameters don't matter. */
export function isSupported(contentType: string) {
	const [essence = ''] = contentType.split(';');
	return supported.has(essence.trim().toLowerCase());
}
