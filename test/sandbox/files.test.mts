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
	test('an upload is refused with another content type, at a changed address, or with the API key', async () => {
		const { url } = await newJob();
		const mismatch = denied(403, 'SignatureDoesNotMatch');
		expect(await put(url, 'x', { 'content-type': 'text/plain' })).toMatchObject(mismatch);
		expect(await put(`${url}0`)).toMatchObject(mismatch);
		const withKey = { 'content-type': PDF, authorization: 'Bearer key' };
		expect(await put(url, 'x', withKey)).toMatchObject(denied(400, 'InvalidArgument'));
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
