import { Readable } from 'node:stream';

import type { IBinaryData, IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, describe, expect, test, vi } from 'vitest';

import type { BinaryHelpers } from '../../../nodes/LegalAi/files/binaryData.ts';
import { inspectFile, uploadFile, type UploadableFile, type UploadOverrides } from '../../../nodes/LegalAi/files/upload.ts';
import { ADDRESS, clientOf, storeWith, type Storage } from './fakeStorage.mts';

const MEGABYTE = 1024 * 1024;

afterEach(() => {
	vi.useRealTimers();
});

/** What is settled of a file of so many bytes, before it is sent. */
async function inspect(
	binary: Partial<IBinaryData>,
	overrides: UploadOverrides = {},
	getBinaryMetadata: BinaryHelpers['getBinaryMetadata'] = async () => await Promise.resolve({ fileSize: 3 }),
): Promise<UploadableFile> {
	const file = { id: 'filesystem:1', data: 'filesystem', mimeType: 'application/octet-stream', ...binary };
	return await inspectFile({ ...storeWith(Readable.from([])), getBinaryMetadata }, { fieldName: 'scan', binary: file }, overrides);
}

describe('a file to be sent', () => {
	test.each<[Partial<IBinaryData>, UploadOverrides, string, string]>([
		[{ fileName: 'NDA.pdf' }, {}, 'NDA.pdf', 'application/pdf'],
		[{ fileName: 'NDA', fileExtension: 'pdf' }, {}, 'NDA.pdf', 'application/pdf'],
		[{ fileName: 'notes.txt', fileExtension: 'pdf' }, {}, 'notes.txt', 'text/plain'],
		[{ fileName: '', mimeType: 'application/pdf' }, {}, 'scan.pdf', 'application/pdf'],
		[{ mimeType: 'application/pdf' }, {}, 'scan.pdf', 'application/pdf'],
		[{ fileName: 'a.bin' }, { fileName: 'Notes', contentType: ' text/markdown ' }, 'Notes.md', 'text/markdown'],
		[{ fileName: 'a.pdf' }, { fileName: 'b.pdf' }, 'b.pdf', 'application/pdf'],
	])('%j, with %j, is called %s, and is %s', async (binary, overrides, fileName, contentType) => {
		expect(await inspect(binary, overrides)).toMatchObject({ fileName, contentType, contentLength: 3 });
	});

	test.each<[Partial<IBinaryData>, UploadOverrides, string]>([
		[{ fileName: 'logo.gif' }, {}, 'application/octet-stream, logo.gif'],
		[{}, {}, 'application/octet-stream, scan'],
		[{ fileName: 'NDA.pdf' }, { contentType: 'image/gif' }, 'image/gif'],
	])('%j, with %j, is refused if the service can not read it', async (binary, overrides, type) => {
		await expect(inspect(binary, overrides)).rejects.toMatchObject({
			message: `The file in "scan" has a type that the service can't read (${type})`,
			description: expect.stringContaining('PDF, DOC, DOCX') as unknown,
		});
	});

	test('may have 50 MB, and no byte more', async () => {
		const ofBytes = async (fileSize: number): Promise<UploadableFile> =>
			await inspect({ fileName: 'NDA.pdf' }, {}, async () => await Promise.resolve({ fileSize }));
		expect(await ofBytes(50 * MEGABYTE)).toMatchObject({ contentLength: 50 * MEGABYTE });
		await expect(ofBytes(50 * MEGABYTE + 1)).rejects.toThrow('The file in "scan" is 50.1 MB, but the limit is 50 MB');
		await expect(ofBytes(123.4 * MEGABYTE)).rejects.toThrow('The file in "scan" is 123.4 MB, but the limit is 50 MB');
	});

	test('that n8n has no longer is told of', async () => {
		const gone = inspect({ fileName: 'NDA.pdf' }, {}, async () => await Promise.reject(new Error('ENOENT')));
		await expect(gone).rejects.toThrow('The file in "scan" is no longer available in n8n');
	});
});

describe('an upload', () => {
	const file: UploadableFile = {
		binary: { id: 'filesystem:1', data: 'filesystem', mimeType: 'application/pdf' },
		fileName: 'NDA.pdf',
		contentType: 'application/pdf',
		contentLength: 3,
	};
	const upload = async (storage: Storage, service?: Storage): Promise<unknown> =>
		await uploadFile(clientOf(storage, { service }), storeWith(Readable.from(['abc'])), file);
	const nothing: Storage = () => {
		throw new Error('Nothing is to be sent to the storage');
	};

	test('is sent to the address that the service gave, where no redirect takes it elsewhere', async () => {
		const sent: IHttpRequestOptions[] = [];
		const uploaded = await upload((options) => {
			sent.push(options);
			return { statusCode: 201, body: '' };
		});
		expect(uploaded).toEqual({ job_id: 'j', file_name: 'NDA.pdf', content_type: 'application/pdf', content_length: 3 });
		const headers = { 'Content-Type': 'application/pdf', 'Content-Length': 3 };
		const rest = { disableFollowRedirect: true, timeout: 10 * 60_000 };
		expect(sent).toMatchObject([{ method: 'PUT', url: ADDRESS, headers, ...rest }]);
	});

	test.each([
		[307, 'redirected'],
		[400, 'rejected'],
	])('that the storage answers with %i has failed', async (statusCode, kind) => {
		const details = { status: statusCode, subject: 'upload', fileName: 'NDA.pdf' };
		await expect(upload(() => ({ statusCode, body: '' }))).rejects.toMatchObject({ kind, details });
	});

	test('that breaks is begun again', async () => {
		vi.useFakeTimers();
		const statuses = [503, 503, 200];
		const uploaded = upload(() => ({ statusCode: statuses.shift() ?? 500, headers: { 'retry-after': '30' }, body: '' }));
		await vi.advanceTimersByTimeAsync(5 * 60_000);
		expect(await uploaded).toMatchObject({ job_id: 'j' });
	});

	test('whose address has expired gets another one, once', async () => {
		let jobs = 0;
		const service: Storage = () => ({ statusCode: 200, body: JSON.stringify({ upload_url: `${ADDRESS}&job=${++jobs}`, job_id: String(jobs) }) });
		const renewed = upload(({ url }) => ({ statusCode: url.endsWith('job=1') ? 403 : 200, body: '' }), service);
		expect(await renewed).toMatchObject({ job_id: '2' });
		await expect(upload(() => ({ statusCode: 403, body: '' }), service)).rejects.toMatchObject({ details: { status: 403 } });
		expect(jobs).toBe(4);
	});

	test.each([
		['no object', [{ job_id: 'j' }]],
		['without a job ID', { upload_url: ADDRESS }],
		['with an empty one', { upload_url: ADDRESS, job_id: '' }],
		['with one that is no text', { upload_url: ADDRESS, job_id: 7 }],
	])('of a service whose response is %s is not begun', async (_what, body) => {
		const details = { subject: 'other', serviceMessage: 'an upload without a job ID' };
		vi.useFakeTimers();
		const uploaded = upload(nothing, () => ({ statusCode: 200, body: JSON.stringify(body) }));
		uploaded.catch(() => undefined);
		await vi.runAllTimersAsync();
		await expect(uploaded).rejects.toMatchObject({ kind: 'invalidResponse', details });
	});

	test('that the service does not want is told of as what it is', async () => {
		const uploaded = upload(nothing, () => ({ statusCode: 400, body: '{}' }));
		await expect(uploaded).rejects.toMatchObject({ kind: 'rejected', details: { status: 400, subject: 'other' } });
	});

	test('to an address that is not allowed is not begun, and says which file it is', async () => {
		const body = JSON.stringify({ upload_url: 'http://files.example.com/f', job_id: 'j' });
		const details = { subject: 'upload', fileName: 'NDA.pdf' };
		await expect(upload(nothing, () => ({ statusCode: 200, body }))).rejects.toMatchObject({ kind: 'addressNotAllowed', details });
	});
});
