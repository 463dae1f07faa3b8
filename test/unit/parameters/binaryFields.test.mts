import {
	allFiles,
	binaryFields,
	binaryFieldsIfAny,
} from '../../../nodes/LegalAi/parameters/binaryFields.ts';
import { complaintAbout, read } from '../../support/reading.mts';
import { like, textWith } from '../../support/matchers.mts';

const file = (fileName: string) => ({
	data: '',
	mimeType: 'application/pdf',
	fileName,
});
const files = { data: file('a.pdf'), attachment_0: file('b.pdf') };

const inData = { fieldName: 'data', binary: files.data };
const inAttachment = { fieldName: 'attachment_0', binary: files.attachment_0 };

test.each([
	['attachment_0, data, attachment_0', [inAttachment, inData]],
	[['data'], [inData]],
	['_files.data', [{ ...inData, fieldName: '_files.data' }]],
])('%j names files in that order, each once', (value, expected) => {
	for (const parameter of [binaryFields, binaryFieldsIfAny])
		expect(read(parameter, value, {}, { files })).toEqual(expected);
});

test('the choice of all files needs no field names', () => {
	expect(allFiles.properties).toEqual([]);
	expect(read(allFiles, undefined, {}, { files })).toEqual([inData, inAttachment]);
});

test.each([
	['', /^"Input Binary Field" is empty$/],
	[[], /^"Input Binary Field" is empty$/],
	['other', /^The item has no binary field "other"$/],
	['constructor', /^The item has no binary field "constructor"$/],
	[{}, /^"Input Binary Field" must be a list of words$/],
])('%j names no file', (value, message) => {
	for (const parameter of [binaryFields, binaryFieldsIfAny])
		expect(complaintAbout(parameter, value, {}, { files })).toMatch(message);
});

test('a binary field that only other items have is reported as missing if the parameter allows that', () => {
	const item = { files, isFileField: (name: string) => name === 'annex' };
	expect(read(binaryFieldsIfAny, 'data, annex', {}, item)).toEqual([
		inData,
		{
			fieldName: 'annex',
			reason: like({
				message: 'The item has no binary field "annex"',
			}),
		},
	]);
	expect(complaintAbout(binaryFields, 'data, annex', {}, item)).toBe(
		'The item has no binary field "annex"',
	);
	expect(complaintAbout(binaryFieldsIfAny, 'data, anex', {}, item)).toBe(
		'The item has no binary field "anex"',
	);
});

test.each([
	[files, 'data, attachment_0'],
	[{}, 'none'],
])("the error of a missing binary field lists the item's binary fields", (present, names) => {
	expect(() => read(binaryFields, 'other', {}, { files: present })).toThrow(
		like({
			description: textWith(`Its binary fields: ${names}.`),
		}),
	);
});
