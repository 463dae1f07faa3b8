import type { IBinaryData } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { inspectFile, type UploadableFile, type UploadOverrides } from '../../../nodes/LegalAi/files/upload.ts';

const MEGABYTE = 1024 * 1024;

/** What is settled of a file of so many bytes, before it is sent. */
async function inspect(binary: Partial<IBinaryData>, overrides: UploadOverrides = {}, fileSize = 3): Promise<UploadableFile> {
	const helpers = { getBinaryMetadata: async () => await Promise.resolve({ fileSize }) };
	const file = { id: 'filesystem:1', data: 'filesystem', mimeType: 'application/octet-stream', ...binary };
	return await inspectFile(helpers, { fieldName: 'scan', binary: file }, overrides);
}

test.each<[Partial<IBinaryData>, UploadOverrides, string, string]>([
	[{ fileName: 'NDA.pdf' }, {}, 'NDA.pdf', 'application/pdf'],
	[{ fileName: 'NDA', fileExtension: 'pdf' }, {}, 'NDA.pdf', 'application/pdf'],
	[{ fileName: 'notes.txt', fileExtension: 'pdf' }, {}, 'notes.txt', 'text/plain'],
	[{ fileName: '', mimeType: 'application/pdf' }, {}, 'scan.pdf', 'application/pdf'],
	[{ mimeType: 'application/pdf' }, {}, 'scan.pdf', 'application/pdf'],
	[{ fileName: 'mail.pdf ' }, {}, 'mail.pdf', 'application/pdf'],
	[{ fileName: 'a.pdf' }, { fileName: 'b.pdf' }, 'b.pdf', 'application/pdf'],
])('a file %j, sent with %j, is called %s, and is %s', async (binary, overrides, fileName, contentType) => {
	expect(await inspect(binary, overrides)).toMatchObject({ fileName, contentType, contentLength: 3 });
});

test.each<[Partial<IBinaryData>, string]>([
	[{}, 'application/octet-stream, scan'],
	[{ fileName: 'logo.gif', mimeType: 'image/gif' }, 'image/gif, logo.gif'],
])("a file %j is rejected because the service can't read its type", async (binary, type) => {
	await expect(inspect(binary)).rejects.toMatchObject({
		message: `The file in "scan" has a type that the service can't read (${type})`,
		description: expect.stringContaining('PDF, DOC, DOCX') as unknown,
	});
});

test('a file to be sent may have 50 MB, and no byte more', async () => {
	const ofBytes = async (fileSize: number): Promise<UploadableFile> => await inspect({ fileName: 'NDA.pdf' }, {}, fileSize);
	expect(await ofBytes(50 * MEGABYTE)).toMatchObject({ contentLength: 50 * MEGABYTE });
	await expect(ofBytes(50 * MEGABYTE + 1)).rejects.toThrow('The file in "scan" is 50.1 MB, but the limit is 50 MB');
	await expect(ofBytes(123.4 * MEGABYTE)).rejects.toThrow('The file in "scan" is 123.4 MB, but the limit is 50 MB');
});
