import type { IBinaryData } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { InvalidInputError } from '../../../nodes/LegalAi/messages/template.ts';
import { allFiles, binaryFields } from '../../../nodes/LegalAi/parameters/binaryFields.ts';
import { fieldOf, ITEM } from './reading.mts';

const file = (fileName: string): IBinaryData => ({ data: '', mimeType: 'application/pdf', fileName });
const files = { data: file('a.pdf'), attachment_0: file('b.pdf') };

const readFrom = (item: typeof ITEM, value: unknown): unknown => binaryFields().read(() => value, item);
const namesOf = (value: unknown): unknown => readFrom({ ...ITEM, files }, value);

test('files are found by the names of their fields, in that order and each once', () => {
	expect(namesOf('attachment_0, data, attachment_0')).toEqual([
		{ fieldName: 'attachment_0', binary: files.attachment_0 },
		{ fieldName: 'data', binary: files.data },
	]);
	expect(namesOf(['data'])).toEqual([{ fieldName: 'data', binary: files.data }]);
	expect(namesOf(undefined)).toEqual([{ fieldName: 'data', binary: files.data }]);
	expect(namesOf('_files.data')).toEqual([{ fieldName: '_files.data', binary: files.data }]);
	expect(allFiles.read(() => undefined, { ...ITEM, files })).toEqual([
		{ fieldName: 'data', binary: files.data },
		{ fieldName: 'attachment_0', binary: files.attachment_0 },
	]);
});

test('the editor asks for the name of a field, or for nothing where all files are taken', () => {
	expect(fieldOf(binaryFields())).toMatchObject({ name: 'binaryPropertyName', default: 'data', required: true });
	expect(allFiles.properties).toEqual([]);
});

test.each([
	['', /^"Input Binary Field" is empty$/],
	[[], /^"Input Binary Field" is empty$/],
	['other', /^The item has no binary field "other"$/],
	['constructor', /^The item has no binary field "constructor"$/],
	[{}, /^"Input Binary Field" must be a list of words$/],
])('%j names no file', (value, message) => {
	expect(() => namesOf(value)).toThrow(InvalidInputError);
	expect(() => namesOf(value)).toThrow(message);
});

test('who names a field that is not there learns which are', () => {
	expect(() => namesOf('other')).toThrow(expect.objectContaining({ description: expect.stringContaining('data, attachment_0') as string }));
	expect(() => readFrom(ITEM, 'other')).toThrow(expect.objectContaining({ description: expect.stringContaining('no files at all') as string }));
});
