import { Readable } from 'node:stream';
import { request } from 'undici';

import { ask, at, call, refused, sandboxForTests } from '../support/sandboxClient.mts';
import { textWith } from '../support/matchers.mts';

const sandbox = await sandboxForTests();
const PDF = 'application/pdf';
const HOUR = 3_600_000;

async function newJob() {
	const { body } = await call(sandbox, 'POST', '/files/upload-url', {
		file_name: 'NDA.pdf',
		content_type: PDF,
	});
	return { id: at(body, 'job_id'), url: at(body, 'upload_url') };
}

const put = (
	url: string,
	content = 'x',
	headers: Record<string, string> = { 'content-type': PDF },
) => call(sandbox, 'PUT', url, content, headers);

/** The error of a file storage. */
const denied = (status: number, code: string) => ({
	status,
	text: textWith(`<Error><Code>${code}</Code>`),
});

describe('uploads to the sandbox', () => {
	test.each<[string, Record<string, string>, (url: string) => string, number, string]>([
		[
			'with another content type',
			{ 'content-type': `${PDF}; charset=binary` },
			(url) => url,
			403,
			'SignatureDoesNotMatch',
		],
		['without a content type', {}, (url) => url, 403, 'SignatureDoesNotMatch'],
		[
			'with another signature',
			{ 'content-type': PDF },
			(url) => `${url}0`,
			403,
			'SignatureDoesNotMatch',
		],
		[
			'with another time',
			{ 'content-type': PDF },
			(url) => url.replace(/expires=\d/, 'expires=9'),
			403,
			'SignatureDoesNotMatch',
		],
		[
			'of another job',
			{ 'content-type': PDF },
			(url) => url.replace(/.\?/, '?'),
			403,
			'SignatureDoesNotMatch',
		],
		[
			'without a signature',
			{ 'content-type': PDF },
			(url) => url.replace(/\?.*/, ''),
			403,
			'AccessDenied',
		],
		[
			'with the API key',
			{ 'content-type': PDF, authorization: 'Bearer key' },
			(url) => url,
			400,
			'InvalidArgument',
		],
	])('an upload is refused %s', async (_what, headers, change, status, code) => {
		const { url } = await newJob();
		expect(await put(change(url), 'x', headers)).toMatchObject(denied(status, code));
	});

	test('an upload of unknown length is refused', async () => {
		const { url } = await newJob();
		const chunked = await request(url, {
			method: 'PUT',
			headers: { 'content-type': PDF },
			body: Readable.from(['x']),
		});
		expect(await chunked.body.text()).toContain('MissingContentLength');
	});

	test('an upload address expires after an hour', async () => {
		const { url } = await newJob();
		sandbox.advance(HOUR - 5_000);
		expect(await put(url)).toMatchObject({ status: 200 });
		sandbox.advance(6_000);
		expect(await put(url)).toMatchObject(denied(403, 'AccessDenied'));
	});

	test('an attachment is refused if nothing was uploaded for its job, or if the upload is older than 30 days', async () => {
		const { id, url } = await newJob();
		const attach = () =>
			ask(sandbox, { question: 'Review this', attachments: [{ upload_job_id: id }] });
		const invalid = refused(400, 'invalid_upload_job');
		expect(await attach()).toMatchObject(invalid);
		await put(url);
		sandbox.advance(30 * 24 * HOUR - 5_000);
		expect(await attach()).toMatchObject({ status: 200 });
		sandbox.advance(6_000);
		expect(await attach()).toMatchObject(invalid);
	});
});
