import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { ask, at, call, listAt, refused, sandboxForTests, textWith, type Reply } from './support.mts';

const sandbox = await sandboxForTests();
const PDF = 'application/pdf';
const HOUR = 3_600_000;

const newJob = (contentType = PDF): Promise<Reply> =>
	call(sandbox, 'POST', '/files/upload-url', { file_name: 'NDA.pdf', content_type: contentType });
const newUrl = async (): Promise<string> => at((await newJob()).body, 'upload_url');
const put = (url: string, content = 'x', headers: Record<string, string> = { 'content-type': PDF }): Promise<Reply> =>
	call(sandbox, 'PUT', url, content, headers);
/** The error of a file storage. */
const denied = (status: number, code: string): object => ({
	status,
	text: textWith(`<Error><Code>${code}</Code>`),
	headers: { 'content-type': textWith('application/xml') },
});
const ok = { status: 200 };

describe('the presigned PUT', () => {
	test('of an upload, length, hash and a small content are kept', async () => {
		const { body } = await newJob();
		expect(await put(at(body, 'upload_url'), 'hello')).toMatchObject({ ...ok, text: '' });
		expect(sandbox.files.jobs.get(at(body, 'job_id'))?.upload).toMatchObject({
			contentLength: 5,
			sha256: createHash('sha256').update('hello').digest('hex'),
			content: Buffer.from('hello'),
		});
	});

	test('an upload has to have exactly the declared content type', async () => {
		const url = await newUrl();
		const mismatch = denied(403, 'SignatureDoesNotMatch');
		expect(await put(url, 'x', { 'content-type': 'application/pdf; charset=binary' })).toMatchObject(mismatch);
		expect(await put(url, 'x', {})).toMatchObject(mismatch);
	});

	test('an upload is refused if its signature is wrong, missing, or of another job', async () => {
		const [url, other] = [await newUrl(), await newUrl()];
		const [, query = ''] = url.split('?');
		for (const wrong of [`${url}0`, url.replace(/expires=\d/, 'expires=9'), other.replace(/\?.*/, `?${query}`)]) {
			expect(await put(wrong)).toMatchObject(denied(403, 'SignatureDoesNotMatch'));
		}
		expect(await put(url.replace(/\?.*/, ''))).toMatchObject(denied(403, 'AccessDenied'));
	});

	test('an upload address expires after an hour', async () => {
		const url = await newUrl();
		sandbox.advance(HOUR - 5_000);
		expect(await put(url)).toMatchObject(ok);
		sandbox.advance(6_000);
		expect(await put(url)).toMatchObject(denied(403, 'AccessDenied'));
	});

	test('an upload with the API key is refused', async () => {
		const headers = { 'content-type': PDF, authorization: `Bearer ${sandbox.apiKey}` };
		expect(await put(await newUrl(), 'x', headers)).toMatchObject(denied(400, 'InvalidArgument'));
	});

	test('an upload of unknown length is refused', async () => {
		const url = await newUrl();
		const chunked = await request(url, { method: 'PUT', headers: { 'content-type': PDF }, body: Readable.from(['x']) });
		expect(chunked.statusCode).toBe(411);
		expect(await chunked.body.text()).toContain('MissingContentLength');
	});
});

describe('an attachment', () => {
	const askWith = (jobId: string): Promise<Reply> =>
		ask(sandbox, { question: 'Review this', attachments: [{ upload_job_id: jobId }] });
	const invalid = refused(400, 'invalid_upload_job');

	test('an attachment is refused if its job is unknown, not uploaded to, or older than 30 days', async () => {
		const { body } = await newJob();
		const jobId = at(body, 'job_id');
		expect(await askWith('nowhere')).toMatchObject(invalid);
		expect(await askWith(jobId)).toMatchObject(invalid);
		await put(at(body, 'upload_url'));
		sandbox.advance(30 * 24 * HOUR - 5_000);
		expect(await askWith(jobId)).toMatchObject(ok);
		sandbox.advance(6_000);
		expect(await askWith(jobId)).toMatchObject(invalid);
	});
});

describe('generated files', () => {
	const content = Buffer.from('%PDF-1.7 redline');
	const generated = async (): Promise<unknown> => {
		const files = [{ fileName: 'Überblick "1".pdf', contentType: PDF, content }];
		sandbox.settings.answer = () => ({ status: 'completed', answer: 'Done', attachments: files, after: 0 });
		return (await ask(sandbox, { question: 'x', sync_mode: true })).body;
	};
	const download = (body: unknown): Promise<Reply> => call(sandbox, 'GET', at(body, 'attachments', 0, 'url'), undefined, {});

	test('generated files are described, and downloaded without the key', async () => {
		const body = await generated();
		expect(listAt(body, 'attachments')).toEqual([
			{
				file_name: 'Überblick "1".pdf',
				content_type: PDF,
				content_length: content.length,
				url: textWith('/storage/generated/'),
			},
		]);
		expect(await download(body)).toMatchObject({
			...ok,
			text: content.toString(),
			headers: {
				'content-type': PDF,
				'content-length': String(content.length),
				'content-disposition': `attachment; filename="_berblick _1_.pdf"; filename*=UTF-8''%C3%9Cberblick%20%221%22.pdf`,
			},
		});
	});

	test('a generated file is refused to a request with the key, and after 24 hours', async () => {
		const body = await generated();
		expect(await call(sandbox, 'GET', at(body, 'attachments', 0, 'url'))).toMatchObject(denied(400, 'InvalidArgument'));
		sandbox.advance(24 * HOUR - 5_000);
		expect(await download(body)).toMatchObject(ok);
		sandbox.advance(6_000);
		expect(await download(body)).toMatchObject(denied(403, 'AccessDenied'));
	});

	test('a generated file has a fresh address at every poll', async () => {
		const id = at(await generated(), 'id');
		sandbox.advance(25 * HOUR);
		const { body } = await call(sandbox, 'GET', `/assistants/default/questions/${id}`);
		expect(await download(body)).toMatchObject(ok);
	});
});
