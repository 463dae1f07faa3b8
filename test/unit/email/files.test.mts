import { readFileSync } from 'node:fs';

import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { prepare } from '../../support/email/emails.mts';

const PDF = Buffer.from('%PDF-1.4\ntrailer << /Root 1 0 R >>\n%%EOF');
const LOCKED_PDF = Buffer.from('%PDF-1.4\ntrailer << /Root 1 0 R /Encrypt 5 0 R >>\n%%EOF');

interface Given {
	fileName?: string;
	mimeType?: string;
	content?: Buffer;
	bytes?: number;
}

const file = ({ fileName, mimeType = '', content = PDF, bytes }: Given): IBinaryData => ({
	...{ mimeType, data: content.toString('base64') },
	...(fileName !== undefined && { fileName }),
	...(bytes !== undefined && { bytes }),
});

/** Reads a colleague's email with these files. */
async function read(files: Given[], content = 'Please review.', more: IDataObject = {}) {
	const json: IDataObject = {
		body: { contentType: 'text', content },
		from: { emailAddress: { address: 'dana@example.com' } },
		toRecipients: [{ emailAddress: { address: 'legal@example.com' } }],
		...more,
	};
	const binary = Object.fromEntries(files.map((each, index) => [`file_${index}`, file(each)]));
	const [item] = await prepare([{ json, binary }]);
	const { kind, text, attached, unread } = item?.json ?? {};
	return {
		...{ kind, unread, binary: item?.binary },
		...{ text: text as string, attached: attached as string[] },
	};
}

test('what is not attached is named below the text', async () => {
	const { kind, text } = await read([
		{ fileName: 'Cover letter.pdf' },
		{ fileName: 'NDA.pdf', content: LOCKED_PDF },
		{ fileName: 'Annex.docx', content: Buffer.of() },
	]);
	expect(kind).toBe('question');
	expect(text).toMatch(
		/Please review\.\n\n\[Not attached: NDA\.pdf \(encrypted\), Annex\.docx \(an empty file\)\]$/,
	);
});

test('nothing stands below the text if all is attached, or what is not says nothing', async () => {
	const { text } = await read([{ fileName: 'NDA.pdf' }, { fileName: 'Dana.vcf' }]);
	expect(text).toMatch(/Please review\.$/);
});

test('the line below the text has at most 500 characters, however many files there are, and is one line', async () => {
	const locked = Array.from({ length: 200 }, (_, index) => ({
		fileName: `Annex\n${index}.pdf`,
		content: LOCKED_PDF,
	}));
	const { text } = await read([{ fileName: 'NDA.pdf' }, ...locked]);
	const [line = ''] = /\[Not attached: .*$/.exec(text) ?? [];
	expect(line).toMatch(/^\[Not attached: Annex 0\.pdf \(encrypted\), .* … \(200 files\)\]$/);
	expect(line.length).toBeLessThanOrEqual(500);
	expect(text).toMatch(/\n\n\[Not attached: .*$/);
});

test('the line stands below a text that was cut, too', async () => {
	const long = 'As agreed. '.repeat(1_000);
	const { text, attached } = await read([{ fileName: 'NDA.pdf', content: LOCKED_PDF }], long);
	expect(attached).toEqual(['email.txt']);
	expect(text).toMatch(/As agreed\.\n\n\[Not attached: NDA\.pdf \(encrypted\)\]$/);
});

test('at most ten files go along, contracts first, and the others are named', async () => {
	const pictures = Array.from({ length: 6 }, (_, index) => ({
		fileName: `photo ${index}.jpg`,
		mimeType: 'image/jpeg',
	}));
	const contracts = Array.from({ length: 6 }, (_, index) => ({ fileName: `NDA ${index}.pdf` }));
	const { kind, attached, unread, binary } = await read([...pictures, ...contracts]);
	expect(kind).toBe('question');
	expect(attached).toEqual([
		...contracts.map(({ fileName }) => fileName),
		...['photo 0.jpg', 'photo 1.jpg', 'photo 2.jpg', 'photo 3.jpg'],
	]);
	expect(Object.keys(binary ?? {})).toHaveLength(10);
	expect(unread).toEqual(['photo 4.jpg (more than 10 files)', 'photo 5.jpg (more than 10 files)']);
});

test('a long email takes one of the ten places', async () => {
	const contracts = Array.from({ length: 10 }, (_, index) => ({ fileName: `NDA ${index}.pdf` }));
	const { attached, unread } = await read(contracts, 'As agreed. '.repeat(1_000));
	expect(attached).toHaveLength(10);
	expect(attached[0]).toBe('email.txt');
	expect(unread).toEqual(['NDA 9.pdf (more than 10 files)']);
});

test('more than ten logos without a document make no email one that needs a person', async () => {
	const logos = Array.from({ length: 12 }, (_, index) => ({
		fileName: `image${index}.png`,
		mimeType: 'image/png',
	}));
	const { kind, attached, unread } = await read(logos);
	expect({ kind, unread }).toEqual({ kind: 'question', unread: [] });
	expect(attached).toHaveLength(10);
});

test.each([
	['banner.gif', '<img src="cid:banner.gif@01DB">', []],
	['chart.gif', '', ['chart.gif (a file of an unknown type)']],
])(
	'a moving picture, of any size, is a logo if the text shows it: %s',
	async (fileName, html, unread) => {
		const content = Buffer.alloc(30_000, 'GIF89a');
		expect((await read([{ fileName, mimeType: 'image/gif', content }], html)).unread).toEqual(
			unread,
		);
	},
);

test('a file above 50 MB is not read, and needs a person if it is the only one', async () => {
	const large = { fileName: 'NDA.pdf', bytes: 50 * 1024 * 1024 + 1 };
	expect(await read([large])).toMatchObject({
		...{ kind: 'unreadable', attached: [], unread: ['NDA.pdf (larger than 50 MB)'] },
	});
	expect(await read([{ ...large, bytes: 50 * 1024 * 1024 }])).toMatchObject({ kind: 'question' });
});

test('a picture above 50 MB is no logo, whatever its name is', async () => {
	const picture = { fileName: 'image001.png', mimeType: 'image/png', bytes: 50 * 1024 * 1024 + 1 };
	const unread = ['image001.png (larger than 50 MB)'];
	expect(await read([picture])).toMatchObject({ kind: 'unreadable', attached: [], unread });
	expect(await read([picture, { fileName: 'NDA.pdf' }])).toMatchObject({
		...{ kind: 'question', attached: ['NDA.pdf'], unread },
	});
});

test.each([
	['Exchange', 'ATT00001.txt', 'text/plain'],
	['Outlook and Apple Mail', 'ATT00002.htm', 'text/html'],
	['a footer that came to a Mac', 'ATT00001.c', 'text/plain'],
	['Outlook', 'Untitled attachment 00012.txt', 'text/plain'],
	['Thunderbird', 'Part 1.2.txt', 'text/plain'],
	['iOS', 'mime-attachment.txt', 'text/plain'],
	['a list', undefined, 'text/plain'],
])('a leftover goes along and is no document: %s: %s', async (_, fileName, mimeType) => {
	const content = Buffer.from('This message is confidential.');
	const leftover = { fileName, mimeType, content };
	const link = 'Please review https://we.tl/t-AbC123';
	const alone = await read([leftover], link);
	expect(alone).toMatchObject({ kind: 'unreadable', attached: [fileName ?? 'unnamed'] });
	const beside = await read([leftover, { fileName: 'NDA.pdf' }], link);
	expect(beside).toMatchObject({ kind: 'question', attached: ['NDA.pdf', fileName ?? 'unnamed'] });
});

test.each([
	['notes.txt', 'text/plain'],
	['ATT00001.pdf', 'application/pdf'],
	['Attachment 1.txt', 'text/plain'],
])('what somebody has named, and a contract, is a document: %s', async (fileName, mimeType) => {
	expect(await read([{ fileName, mimeType }], 'See https://we.tl/t-AbC123')).toMatchObject({
		kind: 'question',
	});
});

const FROM_LIST = {
	from: { emailAddress: { address: 'news@vendor.example' } },
	internetMessageHeaders: [{ name: 'List-Unsubscribe', value: '<https://vendor.example/>' }],
};

test.each([
	['MSA.rtf', 'unreadable'],
	['MSA.odt', 'unreadable'],
	['MSA.docm', 'unreadable'],
	['MSA.rar', 'unreadable'],
	['winmail.dat', 'unreadable'],
	['original.eml', 'automatic'],
	['banner.svg', 'automatic'],
])('an email of a list with %s, which the service does not read: %s', async (fileName, kind) => {
	expect((await read([{ fileName }], 'Our news', FROM_LIST)).kind).toBe(kind);
});

test('a meeting with a document that the service does not read needs a person', async () => {
	const meeting = { '@odata.type': '#microsoft.graph.eventMessage' };
	expect((await read([], 'Let us meet', meeting)).kind).toBe('meeting');
	expect((await read([{ fileName: 'MSA.odt' }], 'Let us meet', meeting)).kind).toBe('unreadable');
});

/** A ZIP of so many empty files; protected, if the flags of their headers say so. */
function zip(entries: number, flags = 0) {
	const header = Buffer.alloc(47);
	header.writeUInt16LE(flags, 8);
	header.write('PK\x01\x02', 'latin1');
	header.writeUInt16LE(1, 28);
	header.write('a', 46);
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06', 'latin1');
	end.writeUInt16LE(Math.min(entries, 0xffff), 8);
	end.writeUInt16LE(Math.min(entries, 0xffff), 10);
	end.writeUInt32LE(entries * header.length, 12);
	return Buffer.concat([...Array.from({ length: entries }, () => header), end]);
}

test('a ZIP with more than 10,000 files needs a person', async () => {
	const readZip = async (entries: number) =>
		(await read([{ fileName: 'data room.zip', content: zip(entries) }])).unread;
	expect(await readZip(10_000)).toEqual([]);
	expect(await readZip(10_001)).toEqual(['data room.zip (more than 10,000 files)']);
	expect(await readZip(70_000)).toEqual(['data room.zip (more than 10,000 files)']);
});

test.each([0, 1])(
	'a ZIP whose end has no room for its numbers (Zip64) needs a person',
	async (flags) => {
		const content = zip(2, flags);
		content.fill(0xff, content.length - 14, content.length - 2);
		expect((await read([{ fileName: 'data room.zip', content }])).unread).toEqual([
			'data room.zip (more than 10,000 files)',
		]);
	},
);

/** Made by qpdf (`--linearize --encrypt`, with and without object streams) and Info-ZIP (`-fz -P`, and from its standard input). */
test.each(['linearized.pdf', 'linearized-with-xref-streams.pdf', 'zip64.zip', 'streamed.zip'])(
	'a file with a password needs a person, however its program ends it: %s',
	async (fileName) => {
		const content = readFileSync(new URL(`encrypted/${fileName}`, import.meta.url));
		expect((await read([{ fileName, content }])).unread).toEqual([`${fileName} (encrypted)`]);
	},
);

const pdf = (...objects: string[]) =>
	Buffer.from(`%PDF-1.7\n${objects.join('\n')}\ntrailer << /Root 1 0 R >>\n%%EOF`);

test.each([
	[
		'rights: an unencrypted wrapper (ISO 32000-2, 7.6.7)',
		pdf(
			'5 0 obj << /Type /Filespec /AFRelationship /EncryptedPayload /EP << /Type /EncryptedPayload >> >> endobj',
		),
		['NDA.pdf (encrypted)'],
	],
	[
		'an attached invoice (Factur-X)',
		pdf(
			'1 0 obj << /Type /Catalog /AF [5 0 R] >> endobj',
			'5 0 obj << /Type /Filespec /AFRelationship /Data /EF << /F 6 0 R >> >> endobj',
		),
		[],
	],
	['a portfolio', pdf('1 0 obj << /Type /Catalog /Collection << /View /D >> >> endobj'), []],
	['words about encryption', pdf('4 0 obj << /Length 12 >> stream (Encrypt) endstream endobj'), []],
])('a PDF with %s', async (_, content, unread) => {
	expect((await read([{ fileName: 'NDA.pdf', content }])).unread).toEqual(unread);
});
