import {
	findContentType,
	describeFile,
	findExtension,
	fitExtension,
	SUPPORTED_KINDS,
} from '../../../nodes/LegalAi/files/names.ts';
import { isSupported } from '../../sandbox/mediaTypes.mts';

const PDF = 'application/pdf';
const TEXT = { 'content-type': 'text/plain' };
const UNKNOWN = 'application/octet-stream';

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
		[`NDA.pdf${' '.repeat(300)}`, PDF, 'NDA.pdf'],
		['NDA...', 'text/x-unknown', 'NDA...'],
	])('of %j as %s is %j', (path, contentType, expected) => {
		expect(fitExtension(path, contentType)).toBe(expected);
	});

	test('has at most 255 characters, the last ones, and never half a character', () => {
		expect(fitExtension(`${'n'.repeat(300)}.pdf`, PDF)).toBe(`${'n'.repeat(251)}.pdf`);
		expect(fitExtension(`${'🖋'.repeat(200)}.pdf`, PDF)).toBe(`${'🖋'.repeat(125)}.pdf`);
	});
});

test.each(
	'PDF, DOC, DOCX, TXT, MD, HTML, XLS, XLSX, CSV, TSV, PPT, PPTX, PNG, JPEG, WebP, TIFF, HEIC, HEIF, MP3, MP4, M4A, MPEG, WAV, WebM, ZIP'.split(
		', ',
	),
)(
	'%s, in the words of the specification, is known by its extension, and its type is one that the service accepts',
	(kind) => {
		const contentType = findContentType(kind) ?? '';
		expect(isSupported(contentType)).toBe(true);
		expect(findContentType(findExtension(contentType) ?? '')).toBe(contentType);
		expect(SUPPORTED_KINDS.split(', ')).toContain(kind.toUpperCase());
	},
);

test.each([
	['htm', 'text/html'],
	['jpg', 'image/jpeg'],
	['tif', 'image/tiff'],
	['mpg', 'video/mpeg'],
])('the shorter extension %s is known, too, as %s', (extension, contentType) => {
	expect(findContentType(extension)).toBe(contentType);
});

test.each(['gif', '', 'exe', 'constructor'])('no file has the extension %j', (extension) => {
	expect(findContentType(extension)).toBeUndefined();
});

describe('a fetched file', () => {
	const headers = {
		'content-disposition': 'attachment; filename="from header.docx"',
		'content-type': 'text/html; a=b',
	};

	test.each<[string, object, Record<string, unknown>, string, string]>([
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
		['nothing at all', {}, { 'content-type': 'binary/octet-stream' }, 'file', UNKNOWN],
		['a name that is a path', { file_name: '../../../etc/cron.d/job' }, {}, 'job', UNKNOWN],
	])('is described by %s', (_what, file, given, fileName, contentType) => {
		expect(describeFile(file, given, [])).toMatchObject({ fileName, contentType });
	});

	const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
	const ADDRESS = 'https://files.example/files/Contract%20A.docx?signature=x.pdf';

	test.each<[string, object, Record<string, unknown>, string[], string, string]>([
		['the end of its address', {}, {}, [ADDRESS], 'Contract A.docx', DOCX],
		[
			'its address, where the response only says that it is bytes',
			{ file_name: null, content_type: null },
			{ 'content-type': 'application/octet-stream; charset=UTF-8' },
			[ADDRESS],
			'Contract A.docx',
			DOCX,
		],
		['its name, where the response calls it text', {}, TEXT, [ADDRESS], 'Contract A.docx', DOCX],
		[
			'its name, where the response calls it an archive, in capitals',
			{ file_name: 'NDA.docx' },
			{ 'content-type': 'Application/ZIP' },
			[],
			'NDA.docx',
			DOCX,
		],
		[
			'its address, where the response only says that it is bytes, in capitals',
			{},
			{ 'content-type': 'Application/Octet-Stream' },
			[ADDRESS],
			'Contract A.docx',
			DOCX,
		],
		[
			'its name, where the response calls it an archive',
			{ file_name: 'NDA.docx' },
			{ 'content-type': 'application/zip' },
			[],
			'NDA.docx',
			DOCX,
		],
		[
			'its name, where the response calls it an older file of Office',
			{},
			{ 'content-type': 'application/msword' },
			[ADDRESS],
			'Contract A.docx',
			'application/msword',
		],
		[
			'the response, where it is text',
			{},
			TEXT,
			['https://files.example/1'],
			'file.txt',
			'text/plain',
		],
		[
			'the type of the response before the end of its address, e.g. of a login page',
			{},
			{ 'content-type': 'text/html' },
			[ADDRESS],
			'Contract A.html',
			'text/html',
		],
		[
			'the last address of a redirect before the first',
			{},
			{},
			['https://cdn.example/NDA.pdf', 'https://files.example/old.docx'],
			'NDA.pdf',
			PDF,
		],
		[
			'the first address of a redirect, where the last one says nothing',
			{},
			{},
			['https://cdn.example/blob/9f8a', ADDRESS],
			'Contract A.docx',
			DOCX,
		],
		[
			'the query of its address alone',
			{},
			{},
			['https://files.example/download.aspx?id=7&path=%2Fsites%2FLegal%2FNDA.docx'],
			'NDA.docx',
			DOCX,
		],
		[
			'a program in its address, not',
			{},
			{ 'content-type': PDF },
			['https://files.example/render.php?id=7'],
			'file.pdf',
			PDF,
		],
		[
			'an address that is not UTF-8, as it is written',
			{},
			{},
			['https://files.example/Vertr%E4ge.pdf'],
			'Vertr%E4ge.pdf',
			PDF,
		],
		[
			'a type that only begins like one that says nothing',
			{},
			{ 'content-type': 'application/binary-legal' },
			['https://a.example/contract.bin'],
			'contract.bin',
			'application/binary-legal',
		],
		[
			'a name with a part like a program in it',
			{},
			{},
			['https://a.example/notes.do.odt'],
			'notes.do.odt',
			UNKNOWN,
		],
		[
			'a type that the service does not read',
			{},
			{ 'content-type': 'image/gif' },
			['https://a.example/logo.gif'],
			'logo.gif',
			'image/gif',
		],
		[
			'a name that the service does not read',
			{},
			{},
			['https://a.example/logo.gif'],
			'logo.gif',
			UNKNOWN,
		],
		[
			'a name, and gets the extension of the type',
			{ file_name: 'Contract v1.2', content_type: PDF },
			{},
			[],
			'Contract v1.2.pdf',
			PDF,
		],
	])('is described by %s', (_what, file, given, addresses, fileName, contentType) => {
		expect(describeFile(file, given, addresses)).toEqual({
			fileName,
			contentType,
			isUnknown: false,
		});
	});

	test.each([
		['https://files.example/sobjects/ContentVersion/068/VersionData', {}],
		['https://files.example/download.ashx?id=7', {}],
		['https://files.example/download.asp?id=7', {}],
		['https://files.example/download.jsp?id=7', {}],
		['https://files.example/2026.final-report', {}],
		[
			'https://files.example/v1.2',
			{ 'content-disposition': 'attachment; filename="Contract v1.2"' },
		],
		['https://files.example/?format=pdf', { 'content-type': 'application/x-download' }],
	])('from %s with %j is of an unknown kind', (address, given) => {
		expect(describeFile({}, given, [address])).toMatchObject({
			contentType: UNKNOWN,
			isUnknown: true,
		});
	});

	test.each([
		['attachment; filename=redline.docx', 'redline.docx'],
		['attachment; filename="Contract%20A.docx"', 'Contract A.docx'],
		['attachment; filename="..%2F..%2Fjob.docx"', 'job.docx'],
		['attachment; filename="100 %.docx"', '100 %.docx'],
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
		expect(describeFile({}, { 'content-disposition': header }, []).fileName).toBe(expected);
	});
});
