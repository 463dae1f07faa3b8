import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';

import {
	CHECK,
	content,
	like,
	MEGABYTE,
	readBinary,
	listRoutes,
	type Run,
	type Sandbox,
	startServer,
	sha256,
	test,
	textWith,
	useBinaryData,
} from '../../support/fixtures.mts';

test.override({ timesFaster: 50 });
beforeEach(() => useBinaryData('default'));

const GET_FILE = 'GET /storage/generated/:file_id';
const REDLINE = {
	fileName: 'Redline.docx',
	contentType: 'application/msword',
	content: content(5000),
};
const ofQuestion = { downloadFrom: 'question', questionId: 'q' };

/** The presigned address of a file that the service has generated. */
function createAddress({ files }: Sandbox, file = REDLINE) {
	return String(files.attachment(files.keepGenerated(file)).url);
}

/** A file storage that answers as a test has it; gives its address and how often it was asked. */
async function storage(listener: RequestListener) {
	let asked = 0;
	const url = await startServer((request, response) => {
		asked += 1;
		listener(request, response);
	});
	return { url, asked: () => asked };
}

/** Has the service say of every question that it was answered with these files. */
function answerWith({ faults }: Sandbox, ...attachments: object[]) {
	faults.clear();
	const body = { id: 'q', status: 'completed', answer: 'So.', attachments };
	faults.add({ status: 200, body, match: CHECK, times: Infinity });
	return { ...body, assistant_id: 'default' };
}

const file = (url: string, more: object = {}) => ({
	file_name: 'Redline.docx',
	content_type: 'application/msword',
	content_length: 1000,
	url,
	...more,
});

const get = async (run: Run, options: object = {}) =>
	await run('question.get', { questionId: 'q', options: { downloadFiles: true, ...options } });

describe.each(['default', 'filesystem'] as const)(
	'in binary data mode %s',
	{ timeout: 60_000 },
	(mode) => {
		beforeEach(() => useBinaryData(mode));

		test.for([0, 1, 50 * MEGABYTE])(
			'%i bytes are downloaded as they are, beside the JSON of the item',
			async (length, { service, run }) => {
				const url = createAddress(service, { ...REDLINE, content: content(length) });
				const { items } = await run('file.download', { url }, { items: [{ json: { matter: 7 } }] });

				expect(items).toMatchObject([
					{
						json: { matter: 7 },
						binary: { data: { mimeType: 'application/msword', bytes: length } },
						pairedItem: { item: 0 },
					},
				]);
				expect(sha256(await readBinary(items[0]))).toBe(sha256(content(length)));
				expect(service.requests.at(-1)?.headers).not.toHaveProperty('authorization');
			},
		);

		test.for(['plain', 'gzip'])(
			'a file is loaded only up to the limit and not kept if it is too large, announced or not (%s)',
			async (encoding, { service, run }) => {
				let sent = 0;
				const { url, asked } = await storage((_request, response) => {
					if (encoding === 'gzip') response.setHeader('content-encoding', 'gzip');
					const packed = encoding === 'gzip' ? createGzip() : new PassThrough();
					packed.pipe(response);
					const body = new Readable({
						read: () => void body.push(Buffer.alloc(65_536, String(sent++))),
					});
					body.pipe(packed);
					response.on('close', () => body.destroy());
				});
				for (const content_length of [2 * MEGABYTE, null, 0]) {
					const before = storedFiles();
					answerWith(service, file(url, { content_length }));
					const { error } = await get(run, { maxFileSize: 1 });
					expect(error?.message).toMatch(/"Redline\.docx".* larger than "Max File Size \(MB\)"/);
					expect(storedFiles()).toEqual(before);
				}
				expect(sent * 65_536).toBeLessThan(100 * MEGABYTE);
				expect(asked()).toBe(3);
			},
		);
	},
);

/** The files that n8n keeps on disk. */
function storedFiles() {
	const names = readdirSync(process.env.N8N_USER_FOLDER ?? '', {
		recursive: true,
		withFileTypes: true,
	});
	return names
		.filter((entry) => entry.isFile() && entry.parentPath.includes('binary_data'))
		.map(({ name }) => name);
}

const bytes = Buffer.alloc(5_000, 'Clause. ');

test('the length that the service gives is that of what was stored, or of what comes out of it; after some tries, another one is an error', async ({
	service,
	run,
}) => {
	const packed = gzipSync(bytes);
	const { url, asked } = await storage((_request, response) => {
		response
			.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length })
			.end(packed);
	});
	for (const content_length of [packed.length, bytes.length, null, 0]) {
		answerWith(service, file(url, { content_length }));
		const { items } = await get(run);
		expect((await readBinary(items[0], 'file_0')).equals(bytes)).toBe(true);
	}
	expect(asked()).toBe(4);

	answerWith(service, file(url, { content_length: packed.length + 1 }));
	const { error } = await get(run);
	expect(error?.message).toContain(`5000 of ${packed.length + 1} bytes arrived`);
	expect(asked()).toBe(9);
});

describe('the files of a question', () => {
	test('that the service does not name are called what their address says, else unknown, never text', async ({
		service,
		run,
	}) => {
		const { url } = await storage((_request, response) => response.end(Buffer.alloc(1000)));
		const unnamed = { file_name: null, content_type: null };
		answerWith(
			service,
			file(`${url}/redlines/NDA%20v2.docx?signature=5ec2e7`, unnamed),
			file(`${url}/9f8a`, unnamed),
		);
		const { items, hints } = await run('file.download', ofQuestion);
		expect(hints).toEqual([]);
		expect(items[0]?.binary).toMatchObject({
			data_0: { fileName: 'NDA v2.docx', fileExtension: 'docx' },
			data_1: { fileName: 'file', mimeType: 'application/octet-stream' },
		});
	});

	test('come out as an item and a hint if the answer has none', async ({ service, run }) => {
		const question = answerWith(service);
		const { json, hints } = await run('file.download', ofQuestion);

		expect(json).toEqual([like(question)]);
		expect(hints).toEqual(['The answer has no files.']);
	});

	test("can't be downloaded before it is answered", async ({ service, run }) => {
		service.faults.add({ status: 200, body: { id: 'q', status: 'in_progress' }, match: CHECK });
		const node = { onError: 'continueRegularOutput' } as const;
		const { json } = await run('file.download', ofQuestion, { node });
		const error = 'The question has no answer yet';
		expect(json).toMatchObject([{ error, id: 'q' }]);
	});

	test('are all there, or the item fails: one came without a link', async ({ service, run }) => {
		const { url } = await storage((_request, response) => response.end(Buffer.alloc(1000)));
		answerWith(service, { file_name: 'Lost.docx', url: null }, file(url));
		for (const { error } of [await get(run), await run('file.download', ofQuestion)])
			expect(error?.message).toContain('"Lost.docx" was not downloaded');
	});
});

describe('a file whose download link has expired', () => {
	test('is requested a second time with a fresh link, and then fails with what the storage says', async ({
		service,
		run,
	}) => {
		answerWith(service, file(createAddress(service)));
		const body = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
		service.faults.add({ status: 403, body, match: GET_FILE, times: Infinity });
		const { error } = await run('file.download', ofQuestion);

		expect(error?.message).toMatch(/"Redline.*" .*\(403\): AccessDenied:? Request has expired/);
		expect(listRoutes(service)).toEqual([CHECK, GET_FILE, CHECK, GET_FILE]);
	});

	test('fails with what to do if the node does not know the question', async ({ service, run }) => {
		const items = [{ json: { url: createAddress(service) } }];
		service.advance(25 * 3_600_000);
		const { error } = await run('file.download', { url: '={{ $json.url }}' }, { items });

		expect(error?.message).toMatch(/\(403\): AccessDenied:? Request has expired$/);
		expect(error).toHaveProperty(
			'description',
			textWith('use "Download" of the "File" resource with "Download From" set to "Question"'),
		);
		expect(JSON.stringify(error)).not.toContain('signature=');
		expect(listRoutes(service)).toEqual([GET_FILE]);
	});
});

test('the API key is not sent to the address of a file, not even on the origin of the API, nor along a redirect', async ({
	service,
	run,
}) => {
	const seen: string[] = [];
	const origin = await startServer((request, response) => {
		seen.push(JSON.stringify(request.headers));
		response.setHeader('content-type', 'text/plain').end('elsewhere');
	});
	service.faults.add({
		kind: 'redirect',
		status: 302,
		location: `${origin}/a.txt`,
		match: 'GET /me',
	});
	const { items } = await run('file.download', { url: `${service.baseUrl}/me` });

	expect((await readBinary(items[0])).toString()).toBe('elsewhere');
	expect(seen).toEqual([expect.not.stringMatching(/authorization|sk-svc/i)]);
	expect(service.requests[0]?.headers).not.toHaveProperty('authorization');
});

describe('a file to be downloaded by its address', () => {
	test('is downloaded through at most three redirects, and not from an address that is not allowed', async ({
		run,
	}) => {
		const { url, asked } = await storage(({ url: path }, response) => {
			const left = Number(path?.slice(1));
			const location = left === 9 ? 'https://169.254.169.254/latest/meta-data' : `/${left - 1}`;
			if (left === 0) response.setHeader('content-type', 'text/plain').end('here');
			else response.writeHead(307, { location }).end('moved');
		});

		const { items } = await run('file.download', { url: `${url}/3` });
		expect((await readBinary(items[0])).toString()).toBe('here');
		expect((await run('file.download', { url: `${url}/4` })).error?.message).toContain('(307)');
		const before = asked();
		const { error } = await run('file.download', { url: `${url}/9` });
		expect(error?.message).toContain('address is not allowed');
		expect(asked()).toBe(before + 1);
	});

	const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

	test.for<[string, string, Record<string, string>]>([
		['its address', '/files/Contract%20A.docx', { 'content-type': 'application/octet-stream' }],
		['its address, where the response says nothing', '/files/Contract%20A.docx', {}],
		[
			'the response',
			'/sobjects/068/VersionData',
			{ 'content-disposition': "attachment; filename*=UTF-8''Contract%20A.docx" },
		],
		['the address that it is redirected to, in plain UTF-8', '/redirect', {}],
	])('keeps what it is, as %s says it', async ([, path, headers], { run }) => {
		const { url } = await storage((request, response) => {
			// Node.js writes headers byte by byte.
			const location = Buffer.from('/Verträge/Contract A.docx').toString('latin1');
			if (request.url === '/redirect') response.writeHead(302, { location }).end();
			else if (request.url?.includes('Vertr') && !request.url.includes('Vertr%C3%A4ge'))
				response.writeHead(404).end();
			else response.writeHead(200, headers).end('PK');
		});
		const { items } = await run('file.download', { url: url + path });
		expect(items[0]?.binary?.data).toMatchObject({
			fileName: 'Contract A.docx',
			fileExtension: 'docx',
			mimeType: DOCX,
		});
	});

	test('is an error if nothing says what it is', async ({ run }) => {
		const { url } = await storage((_request, response) => {
			response.setHeader('content-type', 'application/octet-stream').end('PK');
		});
		const { error } = await run('file.download', { url: `${url}/VersionData` });
		expect(error?.message).toBe(
			'The file was not downloaded: nothing says what kind of file it is',
		);
		expect(error?.description).toContain('"Upload" of the "File" resource');
	});

	test('ends with the execution if it stalls', async ({ run }) => {
		const stop = new AbortController();
		let closed: Promise<unknown> | undefined;
		const { url, asked } = await storage((_request, response) => {
			closed = once(response, 'close');
			response.writeHead(200, { 'content-length': 1000 });
			response.write('half', () => {
				stop.abort();
			});
		});
		const { status } = await run('file.download', { url }, { signal: stop.signal });

		await closed;
		expect(asked()).toBe(1);
		expect(status).not.toBe('success');
	});
});
