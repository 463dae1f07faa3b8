import { allFiles, fileNamesField } from '../../../nodes/LegalAi/fields/files.ts';
import { readFields } from '../../../nodes/LegalAi/fields/read.ts';
import { like, textWith } from '../../support/matchers.mts';

const file = (fileName: string) => ({ data: '', mimeType: 'application/pdf', fileName });
const files = { data: file('a.pdf'), attachment_0: file('b.pdf') };
const inData = { fieldName: 'data', binary: files.data };
const inAttachment = { fieldName: 'attachment_0', binary: files.attachment_0 };

/** The files that a value names, of an item with these files. */
const read = (value: unknown, present: typeof files | object = files) =>
	readFields({ names: fileNamesField }, () => value, { files: { ...present } }).names;

test.each([
	['attachment_0, data, attachment_0', [inAttachment, inData]],
	[['data'], [inData]],
	['_files.data', [{ ...inData, fieldName: '_files.data' }]],
])('%j names files in that order, each once', (value, expected) => {
	expect(read(value)).toEqual(expected);
});

const fieldName = 'Input Binary Field';

test.each<[string, unknown, object[]]>([
	['a file', files.data, [{ fieldName, binary: files.data }]],
	[
		'a list of files and names',
		[files.attachment_0, 'data'],
		[{ fieldName, binary: files.attachment_0 }, inData],
	],
	[
		'a file of the item in memory, without its content,',
		{ mimeType: 'application/pdf', fileName: 'b.pdf' },
		[inAttachment],
	],
	[
		'a file without a name',
		{ mimeType: 'text/csv', id: 'filesystem:1' },
		[{ fieldName, binary: { mimeType: 'text/csv', id: 'filesystem:1', fileName: 'file' } }],
	],
])('%s that an expression gives is taken itself', (_what, value, expected) => {
	expect(read(value)).toEqual(expected);
});

test('all files of an item need no field names', () => {
	expect(allFiles(files)).toEqual([inData, inAttachment]);
});

test.each([
	[{}, /^"Input Binary Field" must be a list of words$/],
	[{ mimeType: 'application/pdf' }, /^"Input Binary Field" has a file without its content$/],
	[{ mimeType: 'text/csv' }, /^"Input Binary Field" has a file without its content$/],
])('%j names no file', (value, message) => {
	expect(() => read(value)).toThrow(message);
});

test.each([
	['anex', files, 'data, attachment_0'],
	['constructor', files, 'data, attachment_0'],
])(
	'%j, which is missing, has an error that lists the binary fields of the item',
	(name, present, names) => {
		const [file] = read(name, present);
		expect(file?.binary).toBeUndefined();
		expect(file?.missing).toMatchObject({
			message: `The item has no binary field "${name}"`,
			description: textWith(`Its binary fields: ${names}.`),
		});
	},
);

test.each(['', [], [null], undefined, ' , '])(
	'%j, as an expression may give it, is a file that is missing',
	(value) => {
		const missing = like({ message: 'The item has no file that "Input Binary Field" names' });
		expect(read(value)).toEqual([{ fieldName, missing }]);
	},
);

test('an item without files has an error that does not ask for one of them', () => {
	const [file] = read('data', {});
	expect(file?.missing).toMatchObject({
		message: 'The item has no binary field "data"',
		description: 'The item has no files at all. Check that the node before this one outputs files.',
	});
});
