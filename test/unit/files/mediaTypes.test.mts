import {
	contentTypeOfExtension,
	contentTypeOfFile,
	extensionOfContentType,
	SUPPORTED_KINDS,
} from '../../../nodes/LegalAi/files/mediaTypes.ts';
import { isSupported } from '../../sandbox/mediaTypes.mts';

/** The kinds in the words of the specification. */
const KINDS =
	'PDF, DOC, DOCX, TXT, MD, HTML, XLS, XLSX, CSV, TSV, PPT, PPTX, PNG, JPEG, WebP, TIFF, HEIC, HEIF, MP3, MP4, M4A, MPEG, WAV, WebM, ZIP';

describe('the kinds of file', () => {
	test('are those of the specification', () => {
		expect(SUPPORTED_KINDS).toBe(KINDS);
	});

	test.each(KINDS.split(', '))(
		'include %s, which is known by its extension and has a type that the service accepts',
		(kind) => {
			const contentType = contentTypeOfFile('application/octet-stream', kind);
			expect(contentType).toBeDefined();
			expect(isSupported(contentType ?? '')).toBe(true);
			expect(contentTypeOfExtension(extensionOfContentType(contentType ?? '') ?? '')).toBe(
				contentType,
			);
		},
	);

	test.each([
		['application/octet-stream', 'gif'],
		['application/octet-stream', ''],
		['', 'exe'],
		['image/gif', 'gif'],
		['application/octet-stream', 'constructor'],
	])('do not include %j with the extension %j', (declared, extension) => {
		expect(contentTypeOfFile(declared, extension)).toBeUndefined();
	});
});

describe("a file's content type", () => {
	test.each([
		['application/pdf', 'txt', 'application/pdf'],
		['text/plain; charset=utf-8', '', 'text/plain'],
		['Text/HTML;charset="utf-8"', 'html', 'text/html'],
		['application/x-zip-compressed', 'zip', 'application/zip'],
		['image/jpg', 'jpg', 'image/jpeg'],
		['image/pjpeg', '', 'image/jpeg'],
		['audio/vnd.wave', '', 'audio/wav'],
		[' text/csv ; header=present', '', 'text/csv'],
		['audio/webm', 'webm', 'audio/webm'],
		['application/vnd.ms-excel', 'xls', 'application/vnd.ms-excel'],
		['application/zip', 'zip', 'application/zip'],
		['application/octet-stream', 'HTM', 'text/html'],
	])('of %j with the extension %j is %j', (declared, extension, expected) => {
		expect(contentTypeOfFile(declared, extension)).toBe(expected);
	});
});
