import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { at, call, listAt, sandboxForTests, someText, textLike, textWith, type Reply } from './support.mts';

const sandbox = await sandboxForTests();
const PDF = 'application/pdf';
const HOUR = 3_600_000;

const newJob = (contentType = PDF, fileName = 'NDA.pdf'): Promise<Reply> =>
	call(sandbox, 'POST', '/files/upload-url', { file_name: fileName, content_type: contentType });
const put = (url: string, content: Buffer | string, headers: Record<string, string>): Promise<Reply> =>
	call(sandbox, 'PUT', url, content, headers);
const refused = (status: number, code: string): object => ({
	status,
	text: textWith(`<Error><Code>${code}</Code>`),
	headers: { 'content-type': textWith('application/xml') },
});

describe('POST /files/upload-url', () => {
	test('answers an upload job that echoes the content type', async () => {
		const reply = await newJob();
		expect(reply.status).toBe(200);
		expect(reply.body).toEqual({
			upload_url: textLike(/^http/),
			job_id: someText,
			content_type: PDF,
		});
	});

	test.each([
		'application/msword',
		'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
		'text/plain',
		'text/markdown',
		'text/html; charset=utf-8',
		'text/csv',
		'text/tab-separated-values',
		'image/heic',
		'image/webp',
		'audio/mpeg',
		'audio/x-m4a',
		'video/webm',
		'application/zip',
	])('supports %s', async (contentType) => {
		expect(await newJob(contentType)).toMatchObject({ status: 200, body: { content_type: contentType } });
	});

	test.each(['application/x-msdownload', 'application/octet-stream', 'image/gif', 'application/json'])(
		'refuses %s',
		async (contentType) => {
			expect(await newJob(contentType)).toMatchObject({
				status: 400,
				body: { error_code: 'unsupported_file_type' },
			});
		},
	);

	test.each([{ file_name: 'a.pdf' }, { content_type: PDF }, {}])(
		'refuses a body that lacks a field: %j',
		async (body) => {
			const reply = await call(sandbox, 'POST', '/files/upload-url', body);
			expect(reply).toMatchObject({ status: 400, body: { error_code: 'invalid_request_body' } });
		},
	);
});

describe('the presigned PUT', () => {
	test('keeps length, hash and a small content', async () => {
		const { body } = await newJob();
		expect(await put(at(body, 'upload_url'), 'hello', { 'content-type': PDF })).toMatchObject({
			status: 200,
			text: '',
		});
		expect(sandbox.files.jobs.get(at(body, 'job_id'))?.upload).toMatchObject({
			contentLength: 5,
			sha256: createHash('sha256').update('hello').digest('hex'),
			content: Buffer.from('hello'),
		});
	});

	test('takes in a stream of 8 MB without keeping it', async () => {
		const { body } = await newJob();
		const chunk = Buffer.alloc(64 * 1024, 7);
		const response = await request(at(body, 'upload_url'), {
			method: 'PUT',
			headers: { 'content-type': PDF, 'content-length': String(128 * chunk.length) },
			body: Readable.from(Array(128).fill(chunk)),
		});
		await response.body.dump();
		expect(response.statusCode).toBe(200);
		const upload = sandbox.files.jobs.get(at(body, 'job_id'))?.upload;
		expect(upload).toMatchObject({ contentLength: 8 * 1024 * 1024, content: undefined });
	});

	test('insists on exactly the declared content type', async () => {
		const url = at((await newJob()).body, 'upload_url');
		const expected = refused(403, 'SignatureDoesNotMatch');
		expect(await put(url, 'x', { 'content-type': 'application/pdf; charset=binary' })).toMatchObject(expected);
		expect(await put(url, 'x', {})).toMatchObject(expected);
	});

	test('refuses a signature that is wrong, missing, or of another job', async () => {
		const url = at((await newJob()).body, 'upload_url');
		const other = at((await newJob()).body, 'upload_url');
		const headers = { 'content-type': PDF };
		const wrong = refused(403, 'SignatureDoesNotMatch');
		expect(await put(`${url}0`, 'x', headers)).toMatchObject(wrong);
		expect(await put(url.replace(/expires=\d/, 'expires=9'), 'x', headers)).toMatchObject(wrong);
		expect(await put(other.replace(/\?.*/, url.slice(url.indexOf('?'))), 'x', headers)).toMatchObject(wrong);
		expect(await put(url.replace(/\?.*/, ''), 'x', headers)).toMatchObject(refused(403, 'AccessDenied'));
	});

	test('expires after an hour', async () => {
		const url = at((await newJob()).body, 'upload_url');
		sandbox.advance(HOUR - 5_000);
		expect(await put(url, 'x', { 'content-type': PDF })).toMatchObject({ status: 200 });
		sandbox.advance(6_000);
		expect(await put(url, 'x', { 'content-type': PDF })).toMatchObject(refused(403, 'AccessDenied'));
	});

	test('refuses a request that carries the API key', async () => {
		const url = at((await newJob()).body, 'upload_url');
		const headers = { 'content-type': PDF, authorization: `Bearer ${sandbox.apiKey}` };
		expect(await put(url, 'x', headers)).toMatchObject(refused(400, 'InvalidArgument'));
	});

	test('refuses a body of unknown length, and one that is too large', async () => {
		const url = at((await newJob()).body, 'upload_url');
		const chunked = await request(url, {
			method: 'PUT',
			headers: { 'content-type': PDF },
			body: Readable.from(['x']),
		});
		expect({ status: chunked.statusCode, text: await chunked.body.text() }).toMatchObject({
			status: 411,
			text: textWith('MissingContentLength'),
		});
		sandbox.settings.maxFileBytes = 10;
		expect(await put(url, 'x'.repeat(11), { 'content-type': PDF })).toMatchObject(refused(400, 'EntityTooLarge'));
		expect(await put(url, 'x'.repeat(10), { 'content-type': PDF })).toMatchObject({ status: 200 });
	});

	test('is no API request: neither the key nor the rate limit counts', async () => {
		sandbox.settings.requestsPerMinute = 1;
		const url = at((await newJob()).body, 'upload_url');
		expect(await put(url, 'x', { 'content-type': PDF })).toMatchObject({ status: 200 });
	});
});

describe('an attachment', () => {
	const ask = (jobId: string): Promise<Reply> =>
		call(sandbox, 'POST', '/assistants/default/questions', {
			question: 'Review this',
			attachments: [{ upload_job_id: jobId }],
		});
	const invalid = { status: 400, body: { error_code: 'invalid_upload_job' } };

	test('is what was uploaded', async () => {
		const { body } = await newJob();
		await put(at(body, 'upload_url'), 'hello', { 'content-type': PDF });
		expect(await ask(at(body, 'job_id'))).toMatchObject({ status: 200 });
		await sandbox.complete(sandbox.questions[0]?.id ?? '');
		expect(sandbox.questions[0]).toMatchObject({
			attachments: [{ fileName: 'NDA.pdf', contentType: PDF, contentLength: 5, unzip: false }],
			answer: textLike(/NDA\.pdf \(5 bytes, sha256 2cf24dba/),
		});
	});

	test('is refused where the job is unknown, not uploaded to, or older than 30 days', async () => {
		const { body } = await newJob();
		expect(await ask('nowhere')).toMatchObject(invalid);
		expect(await ask(at(body, 'job_id'))).toMatchObject(invalid);
		await put(at(body, 'upload_url'), 'hello', { 'content-type': PDF });
		sandbox.advance(30 * 24 * HOUR - 5_000);
		expect(await ask(at(body, 'job_id'))).toMatchObject({ status: 200 });
		sandbox.advance(6_000);
		expect(await ask(at(body, 'job_id'))).toMatchObject(invalid);
	});
});

describe('generated files', () => {
	const content = Buffer.from('%PDF-1.7 redline');
	const generated = async (): Promise<unknown> => {
		const files = [{ fileName: 'Überblick "1".pdf', contentType: PDF, content }];
		sandbox.settings.answer = () => ({ status: 'completed', answer: 'Done', attachments: files, after: 0 });
		return (await call(sandbox, 'POST', '/assistants/default/questions', { question: 'x', sync_mode: true })).body;
	};

	test('are described, and downloaded without the key', async () => {
		const body = await generated();
		expect(listAt(body, 'attachments')).toEqual([
			{
				file_name: 'Überblick "1".pdf',
				content_type: PDF,
				content_length: content.length,
				url: textWith('/storage/generated/'),
			},
		]);
		const reply = await call(sandbox, 'GET', at(body, 'attachments', 0, 'url'), undefined, {});
		expect(reply).toMatchObject({
			status: 200,
			text: content.toString(),
			headers: {
				'content-type': PDF,
				'content-length': String(content.length),
				'content-disposition': `attachment; filename="_berblick _1_.pdf"; filename*=UTF-8''%C3%9Cberblick%20%221%22.pdf`,
			},
		});
	});

	test('are refused to a request that carries the key, and after 24 hours', async () => {
		const url = at(await generated(), 'attachments', 0, 'url');
		expect(await call(sandbox, 'GET', url)).toMatchObject(refused(400, 'InvalidArgument'));
		sandbox.advance(24 * HOUR - 5_000);
		expect(await call(sandbox, 'GET', url, undefined, {})).toMatchObject({ status: 200 });
		sandbox.advance(6_000);
		expect(await call(sandbox, 'GET', url, undefined, {})).toMatchObject(refused(403, 'AccessDenied'));
	});

	test('have a fresh address at every poll', async () => {
		const id = at(await generated(), 'id');
		sandbox.advance(25 * HOUR);
		const { body } = await call(sandbox, 'GET', `/assistants/default/questions/${id}`);
		expect(await call(sandbox, 'GET', at(body, 'attachments', 0, 'url'), undefined, {})).toMatchObject({
			status: 200,
		});
	});

	test('can be undescribed', async () => {
		sandbox.shapes.attachmentDetails = 'null';
		expect(listAt(await generated(), 'attachments')).toMatchObject([
			{ file_name: null, content_type: null, content_length: null, url: someText },
		]);
	});
});
