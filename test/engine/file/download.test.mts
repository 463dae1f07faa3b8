import { once } from 'node:events';

import {
	content,
	MEGABYTE,
	readBinary,
	routesOf,
	type Run,
	type Sandbox,
	sandboxTest,
	serverOfTest,
	sha256,
	textWith,
	useBinaryData,
} from '../../support/fixtures.mts';

const test = sandboxTest({ answerTime: [0, 0] });
beforeEach(() => useBinaryData('default'));

const GET_FILE = 'GET /storage/generated/:file_id';
const GET_QUESTION = 'GET /assistants/:assistant_id/questions/:question_id';
const REDLINE = {
	fileName: 'Überarbeitung "2".docx',
	contentType: 'application/msword',
	content: content(5000),
};
const ofQuestion = { downloadFrom: 'question', questionId: '={{ $json.id }}' };

/** The item of a question that was answered at once, with these files. */
async function answered(sandbox: Sandbox, run: Run, ...attachments: (typeof REDLINE)[]) {
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Done.', attachments });
	const { items } = await run('question.askAndWait', {
		question: 'Redline it.',
		options: { waitUsing: 'sync' },
	});
	return { items };
}

/** The presigned address of a file that the service has generated. */
function addressOf({ files }: Sandbox, file: typeof REDLINE) {
	return String(files.attachment(files.keepGenerated(file)).url);
}

describe.each(['default', 'filesystem'] as const)(
	'file: download, binary data mode %s',
	{ timeout: 60_000 },
	(mode) => {
		beforeEach(() => useBinaryData(mode));

		test.for([0, 1, MEGABYTE, 50 * MEGABYTE])(
			'fetches %i bytes as they are',
			async (length, { sandbox, run }) => {
				const url = addressOf(sandbox, { ...REDLINE, content: content(length) });
				const { items } = await run('file.download', { url }, { items: [{ json: { matter: 7 } }] });

				const data = {
					fileName: REDLINE.fileName,
					mimeType: 'application/msword',
					fileExtension: 'docx',
					bytes: length,
				};
				expect(items).toMatchObject([
					{ json: { matter: 7 }, binary: { data }, pairedItem: { item: 0 } },
				]);
				expect(sha256(await readBinary(items[0]))).toBe(sha256(content(length)));
				expect(sandbox.requests.at(-1)?.headers).not.toHaveProperty('authorization');
			},
		);
	},
);

describe('the files of a question', () => {
	test('come out as an item without files and a hint if the answer has none', async ({
		sandbox,
		run,
	}) => {
		const { items, hints } = await run('file.download', ofQuestion, await answered(sandbox, run));

		expect(items).toHaveLength(1);
		expect(items[0]?.binary ?? {}).toEqual({});
		expect(hints).toEqual(['The answer has no files.']);
	});

	test("can't be downloaded before it is answered", async ({ sandbox, run }) => {
		sandbox.settings.answerTime = [Infinity, Infinity];
		const { items } = await run('question.ask', { question: 'Why?' });
		const { error } = await run('file.download', ofQuestion, { items });

		expect(error?.message).toBe('The question has no answer yet [item 0]');
		const node = { onError: 'continueRegularOutput' } as const;
		const failed = await run('file.download', ofQuestion, { items, node });
		expect(failed.json).toMatchObject([{ error: error?.message, id: sandbox.asked().id }]);
	});
});

describe('a file whose download link has expired', () => {
	const expired = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';

	test.for([
		['a second time with a fresh link', Infinity, 2],
		['only once if the question is no longer available', 0, 1],
	] as const)(
		'is requested %s, and then fails with what the storage says',
		async ([, fresh, asked], { sandbox, run }) => {
			const question = await answered(sandbox, run, REDLINE);
			sandbox.faults.add({
				status: 403,
				body: expired,
				match: GET_FILE,
				times: Infinity,
			});
			sandbox.faults.add({
				status: 404,
				body: {},
				match: GET_QUESTION,
				skip: 1 + fresh,
			});
			const { error } = await run('file.download', ofQuestion, question);

			expect(error?.message).toContain(
				`"${REDLINE.fileName}" is not, or no longer, available at this address (403): AccessDenied: Request has expired`,
			);
			expect(routesOf(sandbox).filter((route) => route === GET_FILE)).toHaveLength(asked);
		},
	);

	test('is downloaded from a fresh one', async ({ sandbox, run }) => {
		const question = await answered(sandbox, run, REDLINE);
		sandbox.faults.add({ status: 403, body: expired, match: GET_FILE });
		const { items } = await run('file.download', ofQuestion, question);

		expect(await readBinary(items[0], 'data_0')).toEqual(REDLINE.content);
		expect(routesOf(sandbox).slice(-4)).toEqual([GET_QUESTION, GET_FILE, GET_QUESTION, GET_FILE]);
	});

	test('fails with what to do if the node does not know the question', async ({ sandbox, run }) => {
		const items = [{ json: { url: addressOf(sandbox, REDLINE) } }];
		sandbox.advance(25 * 3_600_000);
		const { error } = await run('file.download', { url: '={{ $json.url }}' }, { items });

		expect(error?.message).toBe(
			'The file is not, or no longer, available at this address (403): AccessDenied: Request has expired [item 0]',
		);
		expect(error).toHaveProperty(
			'description',
			textWith('use "Download" of the "File" resource with "Download From" set to "Question"'),
		);
		expect(JSON.stringify(error)).not.toContain('signature=');
		expect(routesOf(sandbox)).toEqual([GET_FILE]);
	});
});

test('the API key is not sent to the address of a file, not even on the origin of the API, nor along a redirect', async ({
	sandbox,
	run,
}) => {
	const seen: string[] = [];
	const origin = await serverOfTest((request, response) => {
		seen.push(JSON.stringify(request.headers));
		response.setHeader('content-type', 'text/plain').end('elsewhere');
	});
	sandbox.faults.add({
		kind: 'redirect',
		status: 302,
		location: `${origin}/a.txt`,
		match: 'GET /me',
	});
	const { items } = await run('file.download', { url: `${sandbox.baseUrl}/me` });

	expect((await readBinary(items[0])).toString()).toBe('elsewhere');
	expect(seen).toEqual([expect.not.stringMatching(/authorization|sk-svc/i)]);
	expect(sandbox.requests[0]?.headers).not.toHaveProperty('authorization');
});

describe('a file to be downloaded by its address', () => {
	const NOT_ALLOWED = 'The file was not downloaded: its address is not allowed [item 0]';

	test('is not requested if n8n must not send requests to that address', async ({ run }) => {
		const seen: unknown[] = [];
		const origin = await serverOfTest((request, response) =>
			response.end(String(seen.push(request.url))),
		);
		const credential = { baseUrl: 'https://legal-ai.example.com/api/v1' };
		const { error } = await run('file.download', { url: `${origin}/a` }, { credential });
		expect(error?.message).toBe(NOT_ALLOWED);
		expect(seen).toEqual([]);
	});

	test('is not requested if a redirect leads to such an address', async ({ run }) => {
		const location = 'https://169.254.169.254/latest/meta-data';
		const url = await serverOfTest((_request, response) =>
			response.writeHead(302, { location }).end('moved'),
		);
		expect((await run('file.download', { url })).error?.message).toBe(NOT_ALLOWED);
	});

	test('is downloaded through at most three redirects', async ({ run }) => {
		const origin = await serverOfTest(({ url }, response) => {
			const left = Number(url?.slice(1));
			if (left === 0) response.setHeader('content-type', 'text/plain').end('here');
			else response.writeHead(307, { location: `/${left - 1}` }).end('moved');
		});

		const { items } = await run('file.download', { url: `${origin}/3` });
		expect((await readBinary(items[0])).toString()).toBe('here');
		const { error } = await run('file.download', { url: `${origin}/4` });
		expect(error?.message).toContain('The file was not downloaded: the server at its address');
	});
});

test.for<[string, string, string]>([
	['UTF-8', '/Überarbeitung 契約.txt', '/%C3%9Cberarbeitung%20%E5%A5%91%E7%B4%84.txt'],
	['UTF-8 in its query', '/a?name=é', '/a?name=%C3%A9'],
	['encoded characters', '/%C3%BC.txt', '/%C3%BC.txt'],
])('a redirect whose address has %s is followed', async ([, location, path], { run }) => {
	const origin = await serverOfTest(({ url }, response) => {
		if (url === '/moved')
			response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end();
		else response.setHeader('content-type', 'text/plain').end(url);
	});
	const { items } = await run('file.download', { url: `${origin}/moved` });
	expect((await readBinary(items[0])).toString()).toBe(path);
});

test('a download that stalls ends with the execution', async ({ run }) => {
	const stop = new AbortController();
	const closed: Promise<unknown>[] = [];
	const origin = await serverOfTest((_request, response) => {
		closed.push(once(response, 'close'));
		response.writeHead(200, { 'content-length': 1000 });
		response.write('half', () => {
			stop.abort();
		});
	});
	await run('file.download', { url: `${origin}/a.pdf` }, { signal: stop.signal });

	await Promise.all(closed);
	expect(closed).toHaveLength(1);
});
