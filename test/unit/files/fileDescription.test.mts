import { describeFile, nameInDisposition } from '../../../nodes/LegalAi/files/fileName.ts';

const URL_OF_PDF =
	'https://files.example/generated/Redline%20%C3%BC.pdf?expires=1&signature=secret';

describe('the name in a Content-Disposition header', () => {
	test.each([
		['attachment; filename=redline.docx', 'redline.docx'],
		['attachment; filename="red; line.docx"', 'red; line.docx'],
		['attachment; filename="a \\"quoted\\" name.pdf"', 'a "quoted" name.pdf'],
		[
			'attachment; filename="plain.pdf"; filename*=UTF-8\'\'%C3%BCber%20alles.pdf',
			'über alles.pdf',
		],
		["attachment; filename*=UTF-8'en'%E5%A5%91%E7%B4%84.pdf; filename=x.pdf", '契約.pdf'],
		["attachment; filename*=UTF-8''%ZZ; filename=fallback.pdf", 'fallback.pdf'],
		['filename=redline.docx', 'redline.docx'],
		['attachment;filename=redline.docx ; size=5', 'redline.docx'],
		['filename="red; line.docx"', 'red; line.docx'],
		['attachment;filename = "red; line.docx"', 'red; line.docx'],
		["filename*=UTF-8''%C3%BCber.pdf", 'über.pdf'],
		["attachment;filename* = UTF-8''%C3%BCber.pdf", 'über.pdf'],
		['attachment; filename="Überprüfung.pdf"', 'Überprüfung.pdf'],
		['attachment; filename="契約.pdf"', '契約.pdf'],
		['inline', ''],
		['', ''],
		[undefined, ''],
		[['attachment; filename=redline.docx'], ''],
	])('%j is %j', (header, expected) => {
		expect(nameInDisposition(header)).toBe(expected);
	});

	test('is read correctly if a server sends bare UTF-8, which Node.js reads byte by byte', () => {
		const received = Buffer.from('attachment; filename="Überprüfung.pdf"', 'utf8').toString(
			'latin1',
		);
		expect(nameInDisposition(received)).toBe('Überprüfung.pdf');
	});
});

describe('a fetched file', () => {
	const headers = {
		'content-disposition': 'attachment; filename="from header.docx"',
		'content-type': 'text/html; a=b',
	};

	test('gets the name and the type that the service gives', () => {
		const file = {
			url: URL_OF_PDF,
			file_name: 'from service.pdf',
			content_type: 'application/pdf',
		};
		expect(describeFile(file, headers)).toEqual({
			fileName: 'from service.pdf',
			contentType: 'application/pdf',
		});
	});

	test('gets the name and the type from the headers if the service gives none', () => {
		const file = { url: URL_OF_PDF, file_name: null, content_type: null };
		expect(describeFile(file, headers)).toEqual({
			fileName: 'from header.docx',
			contentType: 'text/html',
		});
	});

	test('gets the name and the type from its address if neither the service nor the headers give any', () => {
		expect(describeFile({ url: URL_OF_PDF }, {})).toEqual({
			fileName: 'Redline ü.pdf',
			contentType: 'application/pdf',
		});
		expect(describeFile({ url: 'https://files.example/' }, {})).toEqual({
			fileName: 'file',
			contentType: undefined,
		});
		expect(describeFile({ url: 'no address' }, {})).toEqual({
			fileName: 'file',
			contentType: undefined,
		});
	});

	const vague = ['application/octet-stream', 'binary/octet-stream', 'application/force-download'];
	test.each(vague)('gets a specific type rather than the generic %s', (anything) => {
		expect(describeFile({ url: URL_OF_PDF }, { 'content-type': anything }).contentType).toBe(
			'application/pdf',
		);
		const file = { url: 'https://files.example/1', content_type: anything };
		expect(describeFile(file, { 'content-type': 'image/png' })).toEqual({
			fileName: '1.png',
			contentType: 'image/png',
		});
	});

	test.each([
		['../../../etc/cron.d/job', 'job'],
		['C:\\autoexec.bat', 'autoexec.bat'],
		['/absolute.pdf', 'absolute.pdf'],
		['..', 'from header.docx'],
	])('that the service calls %j is never called by a path', (fileName, expected) => {
		expect(
			describeFile({ url: URL_OF_PDF, file_name: fileName }, { ...headers, 'content-type': '' })
				.fileName,
		).toBe(expected);
	});
});
