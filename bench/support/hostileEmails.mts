import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

const repeat = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));

/** Makes so many bytes of what costs much if a reader goes back over what it has read. */
type Make = (length: number) => string;

const repeated = (pieces: readonly string[]) =>
	Object.fromEntries(
		pieces.map((piece): [string, Make] => [piece, (length) => repeat(piece, length)]),
	);

/** Pieces of HTML, and combinations of them. */
export const hostileHtml: Record<string, Make> = {
	...repeated([
		...['<', '</', '</x>', '<x>', '<p', '<!--', '<a =', '<![CDATA[', '<?x', '<!doctype', '<style>'],
		...['<a href="', "<a href='", '<a href=https://', '<a href="????">?', '<img alt="', '</style'],
		...['<div>', '<div ', '<b>', '<b></i>', '</b><i>', '<svg>', '<textarea>', '<title>&amp;'],
		...['&', '&#', '&#x', '&amp', '&nbsp;', '&nbsp; ', '<p>&nbsp;</p>', ' ', '\n', '<br>\n'],
		...['<li>', '<ol><li>', '<ol reversed><li>', '<li value=9>', '<ol type=i><li value=3999>'],
		...['<td>', '<tr><td>', '<tr><td></tr>', '<td>x<td> ', '<table><tr><td>', '<td><blockquote>'],
		...[
			'<blockquote>',
			'<blockquote>x<br>',
			'<s>',
			'<s>x',
			'<s> ',
			'<sup>',
			'<s><sup>x</sup></s> y ',
		],
		...['<pre>x\n', '<pre>', '<p style="white-space:pre">\n \t'],
		...['<p style="font-size:1px">', '<p style=";;;; ', '<span style="display:none">x</span>'],
		...['<a href=https://x.example/a>x</a>', '<a href="https://a/?u=https%3A%2F%2F'],
		...['<img src="cid:a@b">', '<img src="data:image/png;base64,iVBORw0K">'],
	]),
	'elements, then ends of another': (length) =>
		repeat('<div>', length / 2) + repeat('</x>', length / 2),
	'elements, then their ends': (length) => repeat('<b>', length / 2) + repeat('</b>', length / 2),
	'99 elements, then links': (length) =>
		'<b>'.repeat(98) + repeat('<a href=https://x.example>y</a>', length),
	'100 quotations, then lines': (length) => '<blockquote>'.repeat(100) + repeat('<br>x', length),
	'50 lists, then items': (length) => '<ol><li>'.repeat(49) + repeat('<li>x', length),
	'one link with all words': (length) => `<a href="https://x.example">${repeat('x ', length)}`,
	'one link with all entities': (length) => `<a href="${repeat('&amp;', length)}">x`,
	'one link with all subjects': (length) =>
		`<a href="mailto:a${repeat('?subject=', length)}\n x">x</a>`,
	'one element with all attributes': (length) =>
		`<p ${Array.from({ length: length / 8 }, (_, index) => `a${index}`).join(' ')}>x`,
	'one style with all declarations': (length) => `<p style="${repeat('color:red;', length)}">x`,
	'one style with all important': (length) =>
		`<p style="${repeat('color:red!important;', length)}">x`,
	'one font with all zeros': (length) => `<p style="font:${repeat('0a ', length)}">x`,
	'struck out, raised and quoted': (length) =>
		repeat('<blockquote><s><sup>x</sup><table><tr><td>y</s>', length),
};

export const hostileText: Record<string, Make> = {
	...repeated([
		...['>', '> > \n', '\n', ' \n', ' ', '\t', '\u00a0', 'x@', '[', '<', '\u202b', '.', '~~ '],
		...['a.pdf <', 'a.pdf <https://x> ', 'https://x/a.pdf ', 'https://we.tl/a...'],
		...['https://', 'https://x.sharepoint.com/', 'https://www.dropbox.com/', 'https://....\n'],
		...['https://a/?u=https%3A%2F%2F', 'https://x/?a=%', 'https%3A%2F%2F'],
		...['=aHR0cHM6Ly8', '/https-3A__', 'https://x/?u=https-3A__', 'http://a/b-', 'http://a/b_'],
		...['https://x/__', 'https://x/__https://a/*', '__;JSU!!', 'https://x/请', '请', 'file:///'],
		...['https://x/%252525', 'https://x/?http=', 'https://x/&http', '-----BEGIN PGP '],
	]),
	'an address with a long end': (length) => `https://x${repeat('.', length)}a`,
};

/** Values of headers, given once, and so many headers of a few bytes. */
export const hostileHeaders: Record<string, Make> = repeated([
	...[
		'<',
		'"',
		'" <',
		'<legal@example.com>, ',
		' ',
		'\r\n ',
		'\r\n',
		'=?utf-8?q?a?= ',
		'@',
		',',
		'+',
	],
]);

/** PDFs, ZIPs and compound files of what such files begin and end with. */
export const hostileFiles: Record<string, { fileName: string; make: (length: number) => Buffer }> =
	{};

function addFile(what: string, fileName: string, make: (length: number) => Buffer) {
	hostileFiles[what] = { fileName, make };
}

for (const piece of [
	'/XRef ',
	'trailer<<',
	'/Encrypt ',
	'1 0 obj<</XRef>>',
	'startxref 0 ',
	'trailer << /Encryp startxref 0 ',
	'/EncryptedPayloa',
])
	addFile(`PDF: ${piece}`, 'a.pdf', (length) => Buffer.from(`%PDF-1.7\n${repeat(piece, length)}`));

const ZIP_ENTRY_SIZE = 46;

addFile('ZIP: entries', 'a.zip', (length) => {
	const entry = Buffer.alloc(ZIP_ENTRY_SIZE);
	entry.write('PK\x01\x02', 'latin1');
	const directory = Buffer.alloc(ZIP_ENTRY_SIZE * Math.ceil(length / ZIP_ENTRY_SIZE), entry);
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06', 'latin1');
	end.writeUInt32LE(directory.length, 12);
	return Buffer.concat([directory, end]);
});
addFile('ZIP: ends', 'a.zip', (length) =>
	Buffer.from(repeat(`PK\x05\x06${'\0'.repeat(18)}`, length), 'latin1'),
);

/** A compound file whose directory (MS-CFB, 2.6) leads to itself. */
addFile('compound file: a circle', 'a.doc', (length) => {
	const file = Buffer.alloc(Math.max(2_048, length));
	file.write('d0cf11e0a1b11ae1', 'hex');
	file.writeUInt16LE(9, 30);
	file.writeUInt32LE(1, 48);
	file.writeUInt32LE(0, 76);
	file.writeUInt32LE(1, 512 + 4);
	return file;
});
addFile('zeros', 'a.docx', (length) => Buffer.alloc(length));

/** An email as Microsoft Outlook gives it. */
export function hostileEmail(
	contentType: string,
	content: string,
	{ headers = [], binary }: { headers?: object[]; binary?: Record<string, IBinaryData> } = {},
): INodeExecutionData {
	const person = { emailAddress: { address: 'dana.ortiz@example.com' } };
	return {
		json: {
			internetMessageId: '<bench@example.com>',
			internetMessageHeaders: [{ name: 'From', value: 'dana.ortiz@example.com' }, ...headers],
			subject: 'Hostile',
			from: person,
			toRecipients: [{ emailAddress: { address: 'legal@example.com' } }],
			body: { contentType, content },
		} as INodeExecutionData['json'],
		binary,
	};
}
