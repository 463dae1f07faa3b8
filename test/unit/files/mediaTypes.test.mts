import { describe, expect, test } from 'vitest';

import {
	contentTypeOfExtension,
	contentTypeOfFile,
	extensionOfContentType,
	supportedContentType,
	SUPPORTED_KINDS,
} from '../../../nodes/LegalAi/files/mediaTypes.ts';
import { isSupported } from '../../sandbox/mediaTypes.mts';

/** The kinds in the words of the specification. */
const KINDS =
	'PDF, DOC, DOCX, TXT, MD, HTML, XLS, XLSX, CSV, TSV, PPT, PPTX, PNG, JPEG, WebP, TIFF, HEIC, HEIF, MP3, MP4, M4A, MPEG, WAV, WebM, ZIP';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

describe('the kinds of file', () => {
	test('are those of the specification', () => {
		expect(SUPPORTED_KINDS).toBe(KINDS);
	});

	test.each(KINDS.split(', '))('%s is known by its extension, and the service takes its type', (kind) => {
		const contentType = contentTypeOfFile('application/octet-stream', kind);
		expect(contentType).toBeDefined();
		expect(isSupported(contentType ?? '')).toBe(true);
		expect(contentTypeOfExtension(extensionOfContentType(contentType ?? '') ?? '')).toBe(contentType);
	});

	test.each([
		['application/octet-stream', 'gif'],
		['application/octet-stream', ''],
		['', 'exe'],
		['image/gif', 'gif'],
		['application/octet-stream', 'constructor'],
	])('%j with the extension %j is none of them', (declared, extension) => {
		expect(contentTypeOfFile(declared, extension)).toBeUndefined();
	});
});

/** The type that a file of each extension is sent as; the first of several is what files of the type are called. */
const EXTENSIONS: [contentType: string, ...extensions: string[]][] = [
	['application/pdf', 'pdf'],
	['application/msword', 'doc'],
	[`${OFFICE}.wordprocessingml.document`, 'docx'],
	['text/plain', 'txt'],
	['text/markdown', 'md', 'markdown'],
	['text/html', 'html', 'htm'],
	['application/vnd.ms-excel', 'xls'],
	[`${OFFICE}.spreadsheetml.sheet`, 'xlsx'],
	['text/csv', 'csv'],
	['text/tab-separated-values', 'tsv'],
	['application/vnd.ms-powerpoint', 'ppt'],
	[`${OFFICE}.presentationml.presentation`, 'pptx'],
	['image/png', 'png'],
	['image/jpeg', 'jpg', 'jpeg'],
	['image/webp', 'webp'],
	['image/tiff', 'tiff', 'tif'],
	['image/heic', 'heic'],
	['image/heif', 'heif'],
	['audio/mpeg', 'mp3'],
	['video/mp4', 'mp4'],
	['audio/mp4', 'm4a'],
	['video/mpeg', 'mpeg', 'mpg'],
	['audio/wav', 'wav'],
	['video/webm', 'webm'],
	['application/zip', 'zip'],
];

describe('an extension', () => {
	test.each(EXTENSIONS)('of %s is %s', (contentType, ...extensions) => {
		expect(extensionOfContentType(contentType)).toBe(extensions[0]);
		expect(extensions.map(contentTypeOfExtension)).toEqual(extensions.map(() => contentType));
		expect(supportedContentType(contentType)).toBe(contentType);
	});

	test('of a recording in the browser is that of a film', () => {
		expect(extensionOfContentType('audio/webm')).toBe('webm');
	});

	test('of a type that the service does not read is not known', () => {
		expect(extensionOfContentType('image/gif')).toBeUndefined();
	});
});

describe("a file's content type", () => {
	test.each([
		['application/pdf', 'txt', 'application/pdf'],
		['text/plain; charset=utf-8', '', 'text/plain'],
		['Text/HTML;charset="utf-8"', 'html', 'text/html'],
		['application/x-zip-compressed', 'zip', 'application/zip'],
		['image/jpg', 'jpg', 'image/jpeg'],
		['audio/webm', 'webm', 'audio/webm'],
		['application/vnd.ms-excel', 'csv', 'text/csv'],
		['application/vnd.ms-excel', 'xls', 'application/vnd.ms-excel'],
		['application/zip', 'docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
		['application/zip', 'zip', 'application/zip'],
		['application/octet-stream', 'HTM', 'text/html'],
	])('of %j with the extension %j is %j', (declared, extension, expected) => {
		expect(contentTypeOfFile(declared, extension)).toBe(expected);
	});

	test.each([
		['application/x-pdf', 'application/pdf'],
		['text/x-markdown', 'text/markdown'],
		['application/csv', 'text/csv'],
		['text/x-csv', 'text/csv'],
		['image/jpg', 'image/jpeg'],
		['image/pjpeg', 'image/jpeg'],
		['audio/mp3', 'audio/mpeg'],
		['audio/x-m4a', 'audio/mp4'],
		['audio/m4a', 'audio/mp4'],
		['audio/x-wav', 'audio/wav'],
		['audio/wave', 'audio/wav'],
		['audio/vnd.wave', 'audio/wav'],
		['application/x-zip-compressed', 'application/zip'],
		['application/x-zip', 'application/zip'],
	])('%s is sent as %s', (alias, contentType) => {
		expect(supportedContentType(alias)).toBe(contentType);
	});

	test.each([
		['application/vnd.ms-excel', 'tsv', 'text/tab-separated-values'],
		['application/zip', 'PPTX', `${OFFICE}.presentationml.presentation`],
		['application/zip', 'xlsx', `${OFFICE}.spreadsheetml.sheet`],
	])('%s is not believed of a file that ends in %s', (declared, extension, contentType) => {
		expect(contentTypeOfFile(declared, extension)).toBe(contentType);
	});

	test('asked for by a person may have parameters', () => {
		expect(supportedContentType(' text/csv ; header=present')).toBe('text/csv');
		expect(supportedContentType('text/x-unknown')).toBeUndefined();
	});
});
