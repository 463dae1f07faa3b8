import {
	contentTypeOf,
	describeFile,
	extensionFor,
	chooseName,
	SUPPORTED_KINDS,
} from '../../../nodes/LegalAi/files/names.ts';
import { isSupported } from '../../sandbox/mediaTypes.mts';

const PDF = 'application/pdf';

describe('the name a file is sent under', () => {
	test.each([
		['Vertrag über 50 % – "Entwurf" (final).pdf', PDF, 'Vertrag über 50 % – "Entwurf" (final).pdf'],
		['契約書 🖋️.pdf', PDF, '契約書 🖋️.pdf'],
		['../../etc/passwd', PDF, 'passwd.pdf'],
		['C:\\Users\\me\\NDA.pdf', PDF, 'NDA.pdf'],
		['a\u0000b\r\nc.pdf', PDF, 'abc.pdf'],
		['invoice\u202Efdp.exe.pdf', PDF, 'invoicefdp.exe.pdf'],
		['half \ud83d a character.pdf', PDF, 'half  a character.pdf'],
		['Contract v1.2', PDF, 'Contract v1.2.pdf'],
		['..', PDF, 'file.pdf'],
		['Google Doc.docx', PDF, 'Google Doc.pdf'],
		['Vertrag.pages', 'application/x-zip-compressed', 'Vertrag.pages.zip'],
		['Vertrag.pages.zip', 'text/x-unknown', 'Vertrag.pages.zip'],
		['clip.webm', 'audio/webm', 'clip.webm'],
		['Notes', 'text/csv ; charset=utf-8', 'Notes.csv'],
		['photo.jpeg', 'image/jpeg', 'photo.jpeg'],
		['/tmp/ NDA.pdf// ', PDF, 'NDA.pdf'],
		['.env', 'text/plain', '.env.txt'],
	])('of %j as %s is %j', (path, contentType, expected) => {
		expect(chooseName(path, contentType)).toBe(expected);
	});

	test('has at most 255 characters, the last ones, and never half a character', () => {
		expect(chooseName(`${'n'.repeat(300)}.pdf`, PDF)).toBe(`${'n'.repeat(251)}.pdf`);
		expect(chooseName(`${'🖋'.repeat(200)}.pdf`, PDF)).toBe(`${'🖋'.repeat(125)}.pdf`);
	});
});

test.each(
	'PDF, DOC, DOCX, TXT, MD, HTML, XLS, XLSX, CSV, TSV, PPT, PPTX, PNG, JPEG, WebP, TIFF, HEIC, HEIF, MP3, MP4, M4A, MPEG, WAV, WebM, ZIP'.split(
		', ',
	),
)(
	'%s, in the words of the specification, is known by its extension, and its type is one that the service accepts',
	(kind) => {
		const contentType = contentTypeOf(kind) ?? '';
		expect(isSupported(contentType)).toBe(true);
		expect(contentTypeOf(extensionFor(contentType) ?? '')).toBe(contentType);
		expect(SUPPORTED_KINDS.split(', ')).toContain(kind.toUpperCase());
	},
);

test.each(['gif', '', 'exe', 'constructor'])('no file has the extension %j', (extension) => {
	expect(contentTypeOf(extension)).toBeUndefined();
});

describe('a fetched file', () => {
	const headers = {
		'content-disposition': 'attachment; filename="from header.docx"',
		'content-type': 'text/html; a=b',
	};

	test.each<[string, object, Record<string, unknown>, string, string | undefined]>([
		[
			'the service before the headers',
			{ file_name: 'from service.pdf', content_type: PDF },
			headers,
			'from service.pdf',
			PDF,
		],
		[
			'the headers if the service gives none',
			{ file_name: null, content_type: null },
			headers,
			'from header.docx',
			'text/html',
		],
		[
			'a specific type before a generic one, and gets its extension',
			{ content_type: 'application/octet-stream' },
			{ 'content-type': 'image/png ; a=b' },
			'file.png',
			'image/png',
		],
		['nothing at all', {}, { 'content-type': 'binary/octet-stream' }, 'file', undefined],
		['a name that is a path', { file_name: '../../../etc/cron.d/job' }, {}, 'job', undefined],
	])('is described by %s', (_what, file, given, fileName, contentType) => {
		expect(describeFile(file, given)).toEqual({ fileName, contentType });
	});

	test.each([
		['attachment; filename=redline.docx', 'redline.docx'],
		['filename = "redline.docx"', 'redline.docx'],
		["filename* = UTF-8''redline.docx", 'redline.docx'],
		['attachment; filename="a \\"quoted\\" name.pdf"', 'a "quoted" name.pdf'],
		[
			'attachment; filename="plain.pdf"; filename*=UTF-8\'\'%C3%BCber%20alles.pdf',
			'über alles.pdf',
		],
		["attachment; filename*=UTF-8'en'%E5%A5%91%E7%B4%84.pdf; filename=x.pdf", '契約.pdf'],
		[Buffer.from('attachment; filename="Überprüfung.pdf"').toString('latin1'), 'Überprüfung.pdf'],
		['attachment; filename="Überprüfung.pdf"', 'Überprüfung.pdf'],
		['inline', 'file'],
		[undefined, 'file'],
		[['attachment; filename=redline.docx'], 'file'],
	])('whose Content-Disposition is %j is called %j', (header, expected) => {
		expect(describeFile({}, { 'content-disposition': header }).fileName).toBe(expected);
	});
});
