import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { describeFile, nameInDisposition } from '../../../nodes/LegalAi/files/fileDescription.ts';

const URL_OF_PDF = 'https://files.example/generated/Redline%20%C3%BC.pdf?expires=1&signature=secret';

/** A header as node hands it out: UTF-8 read byte by byte. */
const asReceived = (header: string): string => Buffer.from(header, 'utf8').toString('latin1');

describe('the name in a Content-Disposition header', () => {
	test.each([
		['attachment; filename=redline.docx', 'redline.docx'],
		['attachment; filename="red; line.docx"', 'red; line.docx'],
		['attachment; filename="a \\"quoted\\" name.pdf"', 'a "quoted" name.pdf'],
		["attachment; filename=\"plain.pdf\"; filename*=UTF-8''%C3%BCber%20alles.pdf", 'über alles.pdf'],
		["attachment; filename*=UTF-8'en'%E5%A5%91%E7%B4%84.pdf; filename=x.pdf", '契約.pdf'],
		["attachment; filename*=UTF-8''%ZZ; filename=fallback.pdf", 'fallback.pdf'],
		['filename=redline.docx', 'redline.docx'],
		['attachment;filename=redline.docx ; size=5', 'redline.docx'],
		['filename="red; line.docx"', 'red; line.docx'],
		['attachment;filename = "red; line.docx"', 'red; line.docx'],
		["filename*=UTF-8''%C3%BCber.pdf", 'über.pdf'],
		["attachment;filename* = UTF-8''%C3%BCber.pdf", 'über.pdf'],
		['inline', ''],
		['', ''],
		[undefined, ''],
		[['attachment; filename=redline.docx'], ''],
	])('%j is %j', (header, expected) => {
		expect(nameInDisposition(header)).toBe(expected);
	});

	test('is put together where a server sends bare UTF-8', () => {
		expect(nameInDisposition(asReceived('attachment; filename="Überprüfung.pdf"'))).toBe('Überprüfung.pdf');
	});

	test.each(['Überprüfung.pdf', '契約.pdf'])('stays as it is where it came as what it is: %s', (name) => {
		expect(nameInDisposition(`attachment; filename="${name}"`)).toBe(name);
	});

	test('comes back whole from filename*, whatever it is', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
				const encoded = encodeURIComponent(name).replace(/[*'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
				expect(nameInDisposition(`attachment; filename*=UTF-8''${encoded}`)).toBe(name);
			}),
		);
	});
});

describe('a fetched file', () => {
	const headers = { 'content-disposition': 'attachment; filename="from header.docx"', 'content-type': 'text/html; a=b' };

	test('is what the service says', () => {
		const file = { url: URL_OF_PDF, file_name: 'from service.pdf', content_type: 'application/pdf' };
		expect(describeFile(file, headers)).toEqual({ fileName: 'from service.pdf', contentType: 'application/pdf' });
	});

	test('is what the headers say, where the service says nothing', () => {
		const file = { url: URL_OF_PDF, file_name: null, content_type: null };
		expect(describeFile(file, headers)).toEqual({ fileName: 'from header.docx', contentType: 'text/html' });
	});

	test('is what its address looks like, where nobody says anything', () => {
		expect(describeFile({ url: URL_OF_PDF }, {})).toEqual({ fileName: 'Redline ü.pdf', contentType: 'application/pdf' });
		expect(describeFile({ url: 'https://files.example/' }, {})).toEqual({ fileName: 'file', contentType: undefined });
		expect(describeFile({ url: 'no address' }, {})).toEqual({ fileName: 'file', contentType: undefined });
	});

	test.each([
		'application/octet-stream',
		'binary/octet-stream',
		'application/force-download',
	])('has a telling type before one that tells nothing: %s', (anything) => {
		expect(describeFile({ url: URL_OF_PDF }, { 'content-type': anything }).contentType).toBe('application/pdf');
		const file = { url: 'https://files.example/1', content_type: anything };
		expect(describeFile(file, { 'content-type': 'image/png' })).toEqual({ fileName: '1.png', contentType: 'image/png' });
	});

	test.each([
		['../../../etc/cron.d/job', 'job'],
		['C:\\autoexec.bat', 'autoexec.bat'],
		['/absolute.pdf', 'absolute.pdf'],
		['..', 'from header.docx'],
	])('called %j by the service is never a path', (fileName, expected) => {
		expect(describeFile({ url: URL_OF_PDF, file_name: fileName }, { ...headers, 'content-type': '' }).fileName).toBe(expected);
	});

	test('never takes the signed query for a name', () => {
		expect(JSON.stringify(describeFile({ url: URL_OF_PDF }, {}))).not.toContain('secret');
	});
});
