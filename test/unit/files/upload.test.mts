import { Readable } from 'node:stream';

import type { IBinaryData } from 'n8n-workflow';

import { openFile } from '../../../nodes/LegalAi/files/binaryData.ts';
import { inspectFile, type UploadOverrides } from '../../../nodes/LegalAi/files/upload.ts';
import { textWith } from '../../support/matchers.mts';

const MEGABYTE = 1024 * 1024;

/** What is settled of a file of so many bytes, before it is sent. */
async function inspect(
	binary: Partial<IBinaryData>,
	overrides: UploadOverrides = {},
	fileSize = 3,
) {
	const file = {
		id: 'filesystem:1',
		data: 'filesystem',
		mimeType: 'application/octet-stream',
		...binary,
	};
	return await inspectFile(storeOf('', fileSize), { fieldName: 'scan', binary: file }, overrides);
}

/** A store of n8n with one file in it, whose bytes are given as characters. */
const storeOf = (bytes: string, fileSize = bytes.length) => ({
	getBinaryMetadata: () => Promise.resolve({ fileSize }),
	getBinaryStream: () =>
		Promise.resolve(
			Readable.from(Array.from(Buffer.from(bytes, 'latin1'), (byte) => Buffer.from([byte]))),
		),
	prepareBinaryData: () => Promise.reject(new Error('Nothing is to be stored')),
});

test.each<[Partial<IBinaryData>, UploadOverrides, string, string]>([
	[{ fileName: 'NDA.pdf' }, {}, 'NDA.pdf', 'application/pdf'],
	[{ fileName: 'NDA', fileExtension: 'pdf' }, {}, 'NDA.pdf', 'application/pdf'],
	[{ fileName: 'notes.txt', fileExtension: 'pdf' }, {}, 'notes.txt', 'text/plain'],
	[{ fileName: '', mimeType: 'application/pdf' }, {}, 'scan.pdf', 'application/pdf'],
	[{ mimeType: 'application/pdf' }, {}, 'scan.pdf', 'application/pdf'],
	[{ fileName: 'mail.pdf ' }, {}, 'mail.pdf', 'application/pdf'],
	[{ fileName: 'a.pdf' }, { fileName: 'b.pdf' }, 'b.pdf', 'application/pdf'],
	[{ fileName: 'Contract v1.2', fileExtension: 'pdf' }, {}, 'Contract v1.2.pdf', 'application/pdf'],
	...['application/zip', 'application/octet-stream', 'application/vnd.apple.pages'].map(
		(mimeType): [Partial<IBinaryData>, UploadOverrides, string, string] => [
			{ fileName: 'Vertrag.pages.zip', mimeType },
			{},
			'Vertrag.pages.zip',
			'application/zip',
		],
	),
	[{ fileName: 'Vertrag.pages', fileExtension: 'zip' }, {}, 'Vertrag.pages.zip', 'application/zip'],
	[
		{ fileName: 'a.docx', mimeType: 'application/pdf' },
		{ contentType: 'text/x-odd; a=b' },
		'a.docx',
		'text/x-odd; a=b',
	],
	[{ fileName: 'a.docx' }, { contentType: 'application/pdf' }, 'a.pdf', 'application/pdf'],
])(
	'a file %j, sent with %j, is called %s, and is %s',
	async (binary, overrides, fileName, contentType) => {
		expect(await inspect(binary, overrides)).toMatchObject({
			fileName,
			contentType,
			contentLength: 3,
		});
	},
);

test.each<[Partial<IBinaryData>, string]>([
	[{}, 'application/octet-stream, scan'],
	[{ fileName: 'logo.gif', mimeType: 'image/gif' }, 'image/gif, logo.gif'],
])("a file %j is rejected because the service can't read its type", async (binary, type) => {
	await expect(inspect(binary)).rejects.toMatchObject({
		message: `The file in "scan" has a type that the service can't read (${type})`,
		description: textWith('PDF, DOC, DOCX'),
	});
});

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const DOCX = `${OFFICE}.wordprocessingml.document`;
const XLSX = `${OFFICE}.spreadsheetml.sheet`;
const PPTX = `${OFFICE}.presentationml.presentation`;
const [DOC, XLS, PDF, ZIP] = [
	'application/msword',
	'application/vnd.ms-excel',
	'application/pdf',
	'application/zip',
];

/** The beginning of an archive with these files in it. */
const archive = (...names: string[]) =>
	names.map((name) => `PK\x03\x04${'\0'.repeat(26)}${name}\xff\xfe`).join('');
const ole = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0';
const png = '\x89PNG\r\n\x1a\n\0';
const jpeg = '\xff\xd8\xff\xe0\0';
const ftyp = (brand: string) => `\0\0\0\x18ftyp${brand}\0`;

test.each<[string, string, string, string, string]>([
	[archive('[Content_Types].xml', 'word/document.xml'), 'Vertrag.docx', DOC, 'Vertrag.docx', DOCX],
	[archive('other'), 'Vertrag.docx', DOC, 'Vertrag.docx', DOCX],
	[archive('other'), 'Vertrag.doc', DOCX, 'Vertrag.docx', DOCX],
	[ole, 'Vertrag.docx', DOC, 'Vertrag.doc', DOC],
	[ole, 'Vertrag.doc', DOCX, 'Vertrag.doc', DOC],
	[ole, 'Preise.xls', DOC, 'Preise.xls', XLS],
	['%PDF-1.7\n\0', 'Google Doc.docx', PDF, 'Google Doc.pdf', PDF],
	['\n\n%PDF-1.7\n\0', 'scan.tiff', PDF, 'scan.pdf', PDF],
	['%PDF-1.7\n\0', 'Vertrag.pdf', 'text/plain', 'Vertrag.pdf', PDF],
	[archive('[Content_Types].xml', 'xl/workbook.xml'), 'Preise.xlsx', XLS, 'Preise.xlsx', XLSX],
	[archive('[Content_Types].xml', 'xl/workbook.xml'), 'Preise.docx', PDF, 'Preise.xlsx', XLSX],
	[archive('ppt/presentation.xml'), 'Folien.pptx', ZIP, 'Folien.pptx', PPTX],
	[archive('ppt/presentation.xml'), 'Folien.ppt', ZIP, 'Folien.pptx', PPTX],
	[archive('a.pdf', 'b.pdf'), 'Vertrag.pages.zip', PDF, 'Vertrag.pages.zip', ZIP],
	[archive('a.pdf'), 'Vertrag.docx', ZIP, 'Vertrag.docx', DOCX],
	[archive('_rels/.rels', 'word/document.xml'), 'Vertrag.doc', ZIP, 'Vertrag.docx', DOCX],
	['a;b\n1;2\n', 'Preise.csv', XLS, 'Preise.csv', 'text/csv'],
	['a\tb\n', 'Preise.tsv', XLS, 'Preise.tsv', 'text/tab-separated-values'],
	['\xff\xfea\0;\0', 'Preise.csv', XLS, 'Preise.csv', 'text/csv'],
	[ole, 'Preise.csv', XLS, 'Preise.xls', XLS],
	['M\xc3\xbcller', 'Notiz.md', 'text/plain', 'Notiz.md', 'text/markdown'],
	['<!DOCTYPE html><p>', 'Brief.txt', 'text/html', 'Brief.html', 'text/html'],
	['\xef\xbb\xbf<html>', 'Vertrag.docx', PDF, 'Vertrag.txt', 'text/plain'],
	['Not found', 'Vertrag.docx', PDF, 'Vertrag.txt', 'text/plain'],
	[jpeg, 'scan.png', 'image/jpeg', 'scan.jpg', 'image/jpeg'],
	[png, 'scan.png', 'image/jpg', 'scan.png', 'image/png'],
	[png, 'scan.pdf', 'image/jpeg', 'scan.png', 'image/png'],
	['RIFF\x01\x02\0\0WEBPVP8 ', 'scan.jpg', 'image/webp', 'scan.webp', 'image/webp'],
	['II*\0\x08\0', 'scan.tif', PDF, 'scan.tif', 'image/tiff'],
	[ftyp('heic'), 'photo.jpg', 'image/heic', 'photo.heic', 'image/heic'],
	[ftyp('mif1'), 'photo.heic', 'image/heif', 'photo.heic', 'image/heic'],
	[ftyp('M4A '), 'call.mp4', 'audio/mp4', 'call.mp4', 'video/mp4'],
	[ftyp('isom'), 'call.mp3', 'video/mp4', 'call.mp4', 'video/mp4'],
	['ID3\x03\0', 'call.wav', 'audio/mpeg', 'call.mp3', 'audio/mpeg'],
	['RIFF\x01\x02\0\0WAVEfmt ', 'call.mp3', 'audio/x-wav', 'call.wav', 'audio/wav'],
	['\x1aE\xdf\xa3\0', 'call.mp4', 'audio/webm', 'call.webm', 'audio/webm'],
	['\0\0\x01\xba\0', 'call.mp4', 'video/mpeg', 'call.mpeg', 'video/mpeg'],
	['\x01\x02\0', 'Vertrag.docx', PDF, 'Vertrag.pdf', PDF],
	['', 'Vertrag.docx', PDF, 'Vertrag.pdf', PDF],
])(
	'the bytes %j decide between the name %s and the type %s: %s, %s',
	async (bytes, fileName, mimeType, nameSent, typeSent) => {
		const sent = { fileName: nameSent, contentType: typeSent, contentLength: bytes.length };
		const stored = {
			fieldName: 'scan',
			binary: { id: 'filesystem:1', data: 'filesystem', fileName, mimeType },
		};
		expect(await inspectFile(storeOf(bytes), stored)).toMatchObject(sent);
		const inMemory = { data: Buffer.from(bytes, 'latin1').toString('base64'), fileName, mimeType };
		expect(await inspectFile(storeOf(''), { fieldName: 'scan', binary: inMemory })).toMatchObject(
			sent,
		);
	},
);

const base64 = Buffer.from('%PDF-1.7').toString('base64');

test.each<[object, string, string]>([
	[{ fileName: 'NDA.pdf' }, 'NDA.pdf', PDF],
	[{}, 'scan.pdf', PDF],
	[{ fileName: null, mimeType: null, fileExtension: null }, 'scan.pdf', PDF],
	[{ fileName: 7, mimeType: 7, fileExtension: 7, id: 7 }, 'scan.pdf', PDF],
	[{ fileName: {}, mimeType: [], fileExtension: 'PDF' }, 'scan.pdf', PDF],
	[{ fileName: 'NDA', mimeType: undefined, id: '' }, 'NDA.pdf', PDF],
	[{ mimeType: PDF, fileName: ['NDA.pdf'], id: null }, 'scan.pdf', PDF],
	[{ data: base64.replace(/.{4}/g, '$&\r\n') }, 'scan.pdf', PDF],
])('a file that a Code node has made, %j, is %s and %s', async (made, fileName, contentType) => {
	const file = await inspectFile(storeOf(''), {
		fieldName: 'scan',
		binary: { data: base64, ...made },
	});
	expect(file).toMatchObject({ fileName, contentType, contentLength: 8 });
	expect(await openFile(storeOf(''), file.binary)).toEqual(Buffer.from('%PDF-1.7'));
});

test.each([
	...[null, undefined, 'text', 7, [], {}].map((binary) => [binary]),
	...[
		undefined,
		null,
		7,
		{},
		{ type: 'Buffer', data: [37] },
		'Dear Sir, please sign.',
		'%PDF-1.7',
		'data:text/plain,Hello',
		'data:application/pdf;base64,JVBERi0xLjc=',
		'filesystem-v2',
		's3',
		'filesystem',
	].map((data) => [{ data, mimeType: PDF }]),
])('a file %j has no content, and the error names its field', async (binary) => {
	await expect(inspectFile(storeOf(''), { fieldName: 'scan', binary })).rejects.toThrow(
		'The file in "scan" has no content that n8n can read',
	);
});

test('a file to be sent may have 50 MB, and no byte more', async () => {
	const ofBytes = (fileSize: number) => inspect({ fileName: 'NDA.pdf' }, {}, fileSize);
	expect(await ofBytes(50 * MEGABYTE)).toMatchObject({ contentLength: 50 * MEGABYTE });
	await expect(ofBytes(50 * MEGABYTE + 1)).rejects.toThrow(
		'The file in "scan" is 50.1 MB, but the limit is 50 MB',
	);
	await expect(ofBytes(123.4 * MEGABYTE)).rejects.toThrow(
		'The file in "scan" is 123.4 MB, but the limit is 50 MB',
	);
});
