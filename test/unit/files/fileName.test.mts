import { cleanFileName, fileNameToSend } from '../../../nodes/LegalAi/files/fileName.ts';

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
		['Vertrag.docx', 'Vertrag.pdf'],
		['Vertrag.docx.pdf', 'Vertrag.docx.pdf'],
		['Vertrag.odt', 'Vertrag.odt.pdf'],
		['.docx', 'file.pdf'],
	])('of %j is %j', (path, expected) => {
		expect(fileNameToSend(path, PDF)).toBe(expected);
	});

	test.each([
		['Vertrag.pages.zip', 'application/zip', 'Vertrag.pages.zip'],
		['Vertrag.pages', 'application/x-zip-compressed', 'Vertrag.pages.zip'],
		['Vertrag.pages.zip', 'text/x-unknown', 'Vertrag.pages.zip'],
		['clip.webm', 'audio/webm', 'clip.webm'],
		['scan.jpeg', 'image/jpg', 'scan.jpeg'],
		['scan.jpg', 'image/png', 'scan.png'],
	])('of %j as %s is %j', (path, contentType, expected) => {
		expect(fileNameToSend(path, contentType)).toBe(expected);
	});

	test.each([
		['text/csv; charset=utf-8', 'Notes.csv'],
		['application/x-pdf', 'Notes.pdf'],
		['text/x-unknown', 'Notes'],
	])('gets an extension from the type if it has none: for %s it is %s', (contentType, expected) => {
		expect(fileNameToSend('Notes', contentType)).toBe(expected);
	});

	test('has at most 255 characters: a longer one lacks its middle, and never half a character', () => {
		const [begin, end] = ['n'.repeat(90), `${'m'.repeat(26)}.pdf`];
		for (const [name, expected] of [
			[`${'n'.repeat(251)}.pdf`, `${'n'.repeat(251)}.pdf`],
			[`${begin}${'x'.repeat(200)}${end}`, `${begin}…${end}`],
			[`${begin}${'x'.repeat(200)}${'m'.repeat(26)}.doc`, `${begin}…${end}`],
			['🖋'.repeat(200), `${'🖋'.repeat(90)}…${'🖋'.repeat(30)}.pdf`],
		] as const) {
			expect(fileNameToSend(name, PDF)).toBe(expected);
		}
	});
});

test.each([
	['/tmp/../redline.docx', 'redline.docx'],
	['..\\..\\windows\\system.ini', 'system.ini'],
	['README', 'README'],
	['redline.docx/ ', 'redline.docx'],
	['n'.repeat(256), `${'n'.repeat(90)}…${'n'.repeat(30)}`],
	['...', ''],
	['\n', ''],
])('the clean name of a file %j is %j', (path, expected) => {
	expect(cleanFileName(path)).toBe(expected);
});
