import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { cleanFileName, extensionOf, fileNameToSend } from '../../../nodes/LegalAi/files/fileName.ts';

const PDF = 'application/pdf';

describe('the name a file is sent under', () => {
	test.each([
		['contract.pdf', 'contract.pdf'],
		['Vertrag über 50 % – "Entwurf" (final).pdf', 'Vertrag über 50 % – "Entwurf" (final).pdf'],
		['契約書 🖋️.pdf', '契約書 🖋️.pdf'],
		['../../etc/passwd', 'passwd.pdf'],
		['C:\\Users\\me\\NDA.pdf', 'NDA.pdf'],
		['folder/', 'folder.pdf'],
		['a\u0000b\r\nc.pdf', 'abc.pdf'],
		['invoice\u202Efdp.exe.pdf', 'invoicefdp.exe.pdf'],
		['half \ud83d a character.pdf', 'half  a character.pdf'],
		['  spaces.pdf  ', 'spaces.pdf'],
		['no extension', 'no extension.pdf'],
		['Contract v1.2', 'Contract v1.2.pdf'],
		['UPPER.PDF', 'UPPER.PDF'],
		['.pdf', 'file.pdf'],
		['.hidden.pdf', '.hidden.pdf'],
		['..', 'file.pdf'],
		['', 'file.pdf'],
	])('of %j is %j', (path, expected) => {
		expect(fileNameToSend(path, PDF)).toBe(expected);
	});

	test.each([
		['text/csv; charset=utf-8', 'Notes.csv'],
		['application/x-pdf', 'Notes.pdf'],
		['text/x-unknown', 'Notes'],
	])('of something without an extension, for %s, is %s', (contentType, expected) => {
		expect(fileNameToSend('Notes', contentType)).toBe(expected);
	});

	test('has at most 255 characters, its extension among them', () => {
		expect(fileNameToSend(`${'n'.repeat(251)}.pdf`, PDF)).toBe(`${'n'.repeat(251)}.pdf`);
		expect(fileNameToSend(`${'n'.repeat(252)}.docx`, PDF)).toBe(`${'n'.repeat(250)}.docx`);
		expect(fileNameToSend('n'.repeat(255), PDF)).toBe(`${'n'.repeat(251)}.pdf`);
	});

	test('has no space before its extension if it was cut there, and stays as it is otherwise', () => {
		expect(fileNameToSend(`${'n'.repeat(250)} and more.pdf`, PDF)).toBe(`${'n'.repeat(250)}.pdf`);
		expect(fileNameToSend(`${'n'.repeat(250)} .pdf`, PDF)).toBe(`${'n'.repeat(250)} .pdf`);
	});

	test('cuts no character in half', () => {
		expect(fileNameToSend(`${'n'.repeat(250)}🖋.pdf`, PDF)).toBe(`${'n'.repeat(250)}.pdf`);
	});

	test('is sane whatever the file was called', () => {
		const names = fc.oneof(
			fc.string({ unit: 'binary', maxLength: 400 }),
			fc.string({ unit: 'grapheme', maxLength: 400 }),
			fc.array(fc.constantFrom('/', '\\', '.', '..', ' ', '\0', '"', 'é', '🖋', 'a', '.pdf', '\u202e', '\ud800'), {
				maxLength: 300,
			}).map((parts) => parts.join('')),
		);
		fc.assert(
			fc.property(names, fc.constantFrom(PDF, 'image/png', 'audio/webm'), (path, contentType) => {
				const name = fileNameToSend(path, contentType);
				expect(name).not.toMatch(/[/\\\p{Cc}\p{Cs}\u202a-\u202e]/u);
				expect(name.length).toBeLessThanOrEqual(255);
				expect(name.trim()).toBe(name);
				expect(extensionOf(name)).not.toBe('');
				expect(name.length).toBeGreaterThan(extensionOf(name).length + 1);
				expect(fileNameToSend(name, contentType)).toBe(name);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('the clean name of a file', () => {
	test.each([
		['/tmp/../redline.docx', 'redline.docx'],
		['..\\..\\windows\\system.ini', 'system.ini'],
		['README', 'README'],
		['redline.docx/ ', 'redline.docx'],
		[`${'n'.repeat(255)}x`, 'n'.repeat(255)],
		['...', ''],
		['\n', ''],
	])('of %j is %j', (path, expected) => {
		expect(cleanFileName(path)).toBe(expected);
	});
});

describe('the extension of a file', () => {
	test.each([
		['NDA.PDF', 'pdf'],
		['NDA.v2.docx', 'docx'],
		['README', ''],
		['NDA.', ''],
	])('named %j is %j', (name, expected) => {
		expect(extensionOf(name)).toBe(expected);
	});
});
