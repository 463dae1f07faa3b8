import { once } from 'node:events';

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, test } from 'vitest';

import { binaryItem, readBinary, runNode, useBinaryData, type NodeRun, type NodeRunOptions } from '../../support/engine/engine.mts';
import { sandboxOfFile, serverOfTest } from '../../support/lifetimes.mts';
import { content, expireAtFirst, MEGABYTE, routesOf, sha256, textOf, textWith } from './files.mts';

const sandbox = await sandboxOfFile();
beforeEach(() => useBinaryData('default'));

const GET_FILE = 'GET /storage/generated/:file_id';
const GET_QUESTION = 'GET /assistants/:assistant_id/questions/:question_id';
const REDLINE = { fileName: 'Überarbeitung "2".docx', contentType: 'application/msword', content: content(5000) };
const SUMMARY = { fileName: 'summary.md', contentType: 'text/markdown', content: Buffer.from('# Summary') };

async function download(parameters: INodeParameters, options: Partial<NodeRunOptions> = {}): Promise<NodeRun> {
	return await runNode({ sandbox, parameters: { resource: 'file', operation: 'download', ...parameters }, ...options });
}

/** Asks a question that is answered at once, with these files. */
async function answered(...attachments: (typeof REDLINE)[]): Promise<INodeExecutionData> {
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Done.', attachments, after: 0 });
	const run = await runNode({
		sandbox,
		parameters: { resource: 'question', operation: 'ask', question: 'Redline it.' },
	});
	const question = run.items[0];
	if (question === undefined) throw new Error('Not asked');
	await sandbox.waitForQuestion(({ id, status }) => id === question.json.id && status !== 'in_progress');
	return question;
}

/** The presigned address of a file that the service has generated. */
function addressOf(file: typeof REDLINE): string {
	return String(sandbox.files.attachment(sandbox.files.keepGenerated(file)).url);
}

describe.each(['default', 'filesystem'] as const)('file: download, binary data mode %s', { timeout: 60_000 }, (mode) => {
	beforeEach(() => useBinaryData(mode));

	test.each([0, 1, MEGABYTE, 50 * MEGABYTE])('fetches %i bytes as they are', async (length) => {
		const url = addressOf({ ...REDLINE, content: content(length) });

		const run = await download({ url }, { items: [{ json: { matter: 7 } }] });

		expect(run.error).toBeUndefined();
		expect(run.items).toMatchObject([{ json: { matter: 7 }, pairedItem: { item: 0 } }]);
		const bytes = await readBinary(run.items[0]);
		expect(bytes.length).toBe(length);
		expect(sha256(bytes)).toBe(sha256(content(length)));
		expect(run.items[0]?.binary?.data).toMatchObject({
			fileName: REDLINE.fileName,
			mimeType: 'application/msword',
			fileExtension: 'docx',
			bytes: length,
		});
		expect(sandbox.requests.at(-1)?.headers).not.toHaveProperty('authorization');
	});

	test('puts every file of a question in a field of its own', async () => {
		const question = await answered(REDLINE, SUMMARY);

		const run = await download({ downloadFrom: 'question', questionId: '={{ $json.id }}' }, { items: [question] });

		expect(run.error).toBeUndefined();
		expect(run.json).toMatchObject([{ id: question.json.id, status: 'completed', assistant_id: 'default' }]);
		expect(Object.keys(run.items[0]?.binary ?? {})).toEqual(['data_0', 'data_1']);
		expect(await readBinary(run.items[0], 'data_0')).toEqual(REDLINE.content);
		expect(await readBinary(run.items[0], 'data_1')).toEqual(SUMMARY.content);
	});
});

describe('an address that has expired', () => {
	test('is renewed once, then told of', async () => {
		const question = await answered(REDLINE);
		const body = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
		sandbox.faults.add({ kind: 'status', status: 403, body, match: GET_FILE, times: Infinity });

		const run = await download({ downloadFrom: 'question', questionId: textOf(question, 'id') });

		expect(run.error?.message).toContain(
			`"${REDLINE.fileName}" is no longer available at this address (403): AccessDenied: Request has expired`,
		);
		expect(routesOf(sandbox).filter((route) => route === GET_FILE)).toHaveLength(2);
	});

	test('is told of, where its question is not to be had either', async () => {
		const question = await answered(REDLINE);
		expireAtFirst(sandbox, GET_FILE, 25);
		sandbox.faults.add({ kind: 'status', status: 404, body: {}, match: GET_QUESTION, skip: 1 });

		const run = await download({ downloadFrom: 'question', questionId: textOf(question, 'id') });

		expect(run.error?.message).toContain('is no longer available at this address (403): AccessDenied: Request has expired');
	});

	test('is told of with what to do, where the question is not known', async () => {
		const items = [{ json: { url: addressOf(REDLINE) } }];
		sandbox.advance(25 * 3_600_000);

		const run = await download({ url: '={{ $json.url }}' }, { items });

		expect(run.error?.message).toBe(
			'The file is no longer available at this address (403): AccessDenied: Request has expired [item 0]',
		);
		expect(run.error).toHaveProperty('description', textWith('use "Download" of the "File" resource with "Download From" set to "Question"'));
		expect(JSON.stringify(run.error)).not.toContain('signature=');
		expect(routesOf(sandbox)).toEqual([GET_FILE]);
	});
});

describe('the API key', () => {
	test('is not sent to an address, not even on the origin of the API, nor along a redirect', async () => {
		const seen: string[] = [];
		const origin = await serverOfTest((request, response) => {
			seen.push(JSON.stringify(request.headers));
			response.setHeader('content-type', 'text/plain').end('elsewhere');
		});
		sandbox.faults.add({ kind: 'redirect', status: 302, location: `${origin}/a.txt`, match: 'GET /me' });

		const run = await download({ url: `${sandbox.baseUrl}/me` });

		expect(run.error).toBeUndefined();
		expect((await readBinary(run.items[0])).toString()).toBe('elsewhere');
		expect(seen).toHaveLength(1);
		expect(seen[0]).not.toMatch(/authorization|sk-svc/i);
		expect(sandbox.requests[0]?.headers).not.toHaveProperty('authorization');
	});

	test('is not sent where the file is said to be by the service, and plain http elsewhere is not asked at all', async () => {
		const question = await answered(REDLINE);
		sandbox.faults.add({
			kind: 'body',
			body: (body) => body.replace(/"url":"[^"]*"/, '"url":"http://files.example/a"'),
			match: GET_QUESTION,
		});

		const run = await download({ downloadFrom: 'question', questionId: textOf(question, 'id') });

		expect(run.error?.message).toContain('was not downloaded: its address is not allowed');
	});
});

describe('an address that n8n must not be sent to', () => {
	const elsewhereOnTheNet = { baseUrl: 'https://legal-ai.example.com/api/v1' };

	test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])('is not asked: this machine as %s', async (host) => {
		const seen: unknown[] = [];
		const { port } = new URL(await serverOfTest((request, response) => response.end(String(seen.push(request.url)))));

		for (const scheme of ['http', 'https']) {
			const run = await download({ url: `${scheme}://${host}:${port}/a` }, { credential: elsewhereOnTheNet });
			expect(run.error?.message).toBe('The file was not downloaded: its address is not allowed [item 0]');
			expect(run.items).toEqual([]);
		}
		expect(seen).toEqual([]);
	});

	test.each(['http://169.254.169.254/latest/meta-data', 'https://169.254.169.254/a', 'file:///etc/passwd', '//192.168.0.1/a'])(
		'is not followed to: %s',
		async (location) => {
			const origin = await serverOfTest((_request, response) => response.writeHead(302, { location }).end('moved'));

			const run = await download({ url: `${origin}/a` });

			expect(run.error?.message).toBe('The file was not downloaded: its address is not allowed [item 0]');
		},
	);

	test('is looked at on every hop, of which there may be three', async () => {
		const origin = await serverOfTest(({ url }, response) => {
			const left = Number(url?.slice(1));
			if (left === 0) response.setHeader('content-type', 'text/plain').end('here');
			else response.writeHead(307, { location: `/${left - 1}` }).end('moved');
		});

		expect((await readBinary((await download({ url: `${origin}/3` })).items[0])).toString()).toBe('here');
		expect((await download({ url: `${origin}/4` })).error?.message).toContain('The file was not downloaded: the server at its address');
	});
});

describe('a file from anywhere', () => {
	test('is called what its headers say, and never by a path', async () => {
		const origin = await serverOfTest((_request, response) => {
			response.setHeader('content-disposition', "attachment; filename*=UTF-8''..%2F..%2Fetc%2Fp%C3%A4sswd.pdf").end('x');
		});

		const run = await download({ url: `${origin}/download?token=secret` });

		expect(run.items[0]?.binary?.data).toMatchObject({ fileName: 'pässwd.pdf', mimeType: 'application/pdf' });
		expect(run.items[0]?.binary?.data).not.toHaveProperty('directory');
	});

	test('joins the files that the item has', async () => {
		const origin = await serverOfTest((_request, response) => response.end('new'));

		const run = await download(
			{ url: `${origin}/a.pdf`, binaryPropertyName: 'second' },
			{ items: [await binaryItem('old')] },
		);

		expect((await readBinary(run.items[0], 'data')).toString()).toBe('old');
		expect((await readBinary(run.items[0], 'second')).toString()).toBe('new');
	});

	test('that stalls ends with the execution', async () => {
		let stalled = (): void => undefined;
		const stalling = new Promise<void>((resolve) => (stalled = resolve));
		const closed: Promise<unknown>[] = [];
		const origin = await serverOfTest((_request, response) => {
			closed.push(once(response, 'close'));
			response.writeHead(200, { 'content-length': 1000 });
			response.write('half', () => { stalled(); });
		});
		const stop = new AbortController();

		const running = download({ url: `${origin}/a.pdf` }, { signal: stop.signal });
		await stalling;
		stop.abort();

		await running;
		await Promise.all(closed);
		expect(closed).toHaveLength(1);
	});

	test.each([
		[{ url: ' ' }, '"URL" is empty [item 0]'],
		[{ url: 'file:///etc/passwd' }, '"URL" is not a web address [item 0]'],
		[{ url: 'https://example.com/', binaryPropertyName: ' ' }, '"Put Output File in Field" is empty [item 0]'],
	])('is not asked for with %j', async (parameters, message) => {
		expect((await download(parameters)).error?.message).toBe(message);
	});
});

describe('a question', () => {
	test('without files gives its item without files, and says so', async () => {
		const question = await answered();

		const run = await download({ downloadFrom: 'question', questionId: textOf(question, 'id') });

		expect(run.error).toBeUndefined();
		expect(run.items[0]?.binary ?? {}).toEqual({});
		expect(run.hints).toEqual(['The answer has no files.']);
	});

	test('that is not answered yet has to be waited for', async () => {
		sandbox.settings.answer = () => ({ status: 'completed', answer: 'Done.', after: Infinity });
		const asked = await runNode({ sandbox, parameters: { resource: 'question', operation: 'ask', question: 'Why?' } });

		const run = await download({ downloadFrom: 'question', questionId: textOf(asked.items[0], 'id') });

		expect(run.error?.message).toBe('The question has no answer yet [item 0]');
	});
});
