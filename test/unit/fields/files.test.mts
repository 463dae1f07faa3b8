import { allFiles, fileNamesField } from '../../../nodes/LegalAi/fields/files.ts';
import { readFields } from '../../../nodes/LegalAi/fields/read.ts';
import { like, textWith } from '../../support/matchers.mts';

const file = (fileName: string) => ({ data: '', mimeType: 'application/pdf', fileName });
const files = { data: file('a.pdf'), attachment_0: file('b.pdf') };
const inData = { fieldName: 'data', binary: files.data };
const inAttachment = { fieldName: 'attachment_0', binary: files.attachment_0 };

/** The files that a value names, of an item with these files; another item has one in "annex". */
const read = (value: unknown, present: typeof files | object = files) =>
	readFields({ names: fileNamesField }, () => value, {
		files: { ...present },
		isFileField: (name) => name === 'annex',
	}).names;

test.each([
	['attachment_0, data, attachment_0', [inAttachment, inData]],
	[['data'], [inData]],
	['_files.data', [{ ...inData, fieldName: '_files.data' }]],
	['data, annex', [inData, { fieldName: 'annex', binary: undefined }]],
])(
	'%j names files in that order, each once, and those that only other items have',
	(value, expected) => {
		expect(read(value)).toEqual(expected);
	},
);

test('all files of an item need no field names', () => {
	expect(allFiles(files)).toEqual([inData, inAttachment]);
});

test.each([
	['', /^"Input Binary Field" is empty$/],
	[[], /^"Input Binary Field" is empty$/],
	['data, anex', /^The item has no binary field "anex"$/],
	['constructor', /^The item has no binary field "constructor"$/],
	[{}, /^"Input Binary Field" must be a list of words$/],
])('%j names no file', (value, message) => {
	expect(() => read(value)).toThrow(message);
});

test.each([
	[files, 'data, attachment_0'],
	[{}, 'none'],
])("the error of a missing binary field lists the item's binary fields", (present, names) => {
	expect(() => read('other', present)).toThrow(
		like({ description: textWith(`Its binary fields: ${names}.`) }),
	);
});
