import { readdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';

import { countedHints } from '../../../nodes/LegalAi/messages/hints.ts';
import { fillText } from '../../../nodes/LegalAi/messages/template.ts';
import {
	CHECK,
	MEGABYTE,
	readBinary,
	type Sandbox,
	sandboxTest,
	serverOfTest,
	useBinaryData,
} from '../../support/fixtures.mts';

const test = sandboxTest({}, 50);
beforeEach(() => useBinaryData('default'));

const downloading = { questionId: 'q', options: { downloadFiles: true } };

/** A file storage that answers as a test has it; gives its address and how often it was asked. */
async function storage(listener: RequestListener) {
	let asked = 0;
	const url = await serverOfTest((request, response) => {
		asked += 1;
		listener(request, response);
	});
	return { url, asked: () => asked };
}

/** The answer to a question, with these files. */
const answerWith = (
	...attachments: object[]
): { id: string; status: string } & Record<string, unknown> => ({
	...{
		id: 'q',
		session_id: 's',
		session_url: null,
		status: 'completed',
		answer: 'So.',
		attachments,
		reason: null,
	},
});

/** Has the service say this of every question. */
function say({ faults }: Sandbox, body: object) {
	faults.clear();
	faults.add({ status: 200, body, match: CHECK, times: Infinity });
}

const file = (url: string, more: object = {}) => ({
	...{
		file_name: 'Redline.docx',
		content_type: 'application/msword',
		content_length: 1000,
		url,
		...more,
	},
});

describe.each(['default', 'filesystem'] as const)(
	"a file that differs from the service's description, in binary data mode %s,",
	(mode) => {
		beforeEach(() => useBinaryData(mode));

		test('fails the item after several tries if only half of it arrives', async ({
			sandbox,
			run,
		}) => {
			const { url, asked } = await storage((_request, response) => response.end(Buffer.alloc(500)));
			say(sandbox, answerWith(file(url)));
			const { error } = await run('question.get', downloading);
			expect(error?.message).toContain(
				'The download of "Redline.docx" was interrupted: 500 of 1000 bytes arrived',
			);
			expect(asked()).toBe(5);
		});

		test.for(['plain', 'gzip'])(
			'is loaded only up to the limit and not kept if it is too large, announced or not (%s)',
			async (encoding, { sandbox, run }) => {
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
					say(sandbox, answerWith(file(url, { content_length })));
					const { error } = await run('question.get', {
						...downloading,
						options: { downloadFiles: true, maxFileSize: 1 },
					});
					expect(error?.message).toContain('"Redline.docx" is larger than "Max File Size (MB)"');
					expect(storedFiles()).toEqual(before);
				}
				expect(sent * 65_536).toBeLessThan(100 * MEGABYTE);
				expect(asked()).toBe(3);
			},
		);
	},
);

describe('the length that the service gives for a file', () => {
	const bytes = Buffer.alloc(5_000, 'Clause. ');
	const packings = {
		gzip: gzipSync(bytes),
		deflate: deflateSync(bytes),
		br: brotliCompressSync(bytes),
	};

	test.for(Object.entries(packings))(
		'is that of what was stored, or of what comes out of it: %s',
		async ([encoding, packed], { sandbox, run }) => {
			const { url, asked } = await storage((_request, response) => {
				response
					.writeHead(200, { 'content-encoding': encoding, 'content-length': packed.length })
					.end(packed);
			});
			for (const content_length of [packed.length, bytes.length, null, 0]) {
				say(sandbox, answerWith(file(url, { content_length })));
				const { items } = await run('question.get', downloading);
				expect((await readBinary(items[0], 'file_0')).equals(bytes)).toBe(true);
			}
			expect(asked()).toBe(4);

			say(sandbox, answerWith(file(url, { content_length: packed.length + 1 })));
			const { error } = await run('question.get', downloading);
			expect(error?.message).toContain(
				`was interrupted: 5000 of ${packed.length + 1} bytes arrived`,
			);
			expect(asked()).toBe(9);
		},
	);
});

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

test('downloaded files keep their order even if the renewed links come in another order', async ({
	sandbox,
	run,
}) => {
	const gone = await storage((_request, response) =>
		response.writeHead(400).end('<Error><Code>ExpiredToken</Code></Error>'),
	);
	const fresh = await storage((_request, response) => response.end(Buffer.alloc(1000, 1)));
	const other = await storage((_request, response) => response.end(Buffer.alloc(1000, 2)));
	const summary = file(other.url, { file_name: 'Summary.docx' });
	say(sandbox, answerWith(summary, file(fresh.url)));
	const item = { json: { ...answerWith(file(gone.url), summary), assistant_id: 'default' } };
	const { items } = await run(
		'question.waitForAnswer',
		{ options: { downloadFiles: true } },
		{ items: [item] },
	);
	expect((await readBinary(items[0], 'file_0'))[0]).toBe(1);
	expect((await readBinary(items[0], 'file_1'))[0]).toBe(2);
	expect(gone.asked()).toBe(1);
	expect(sandbox.requests).toHaveLength(1);
});

test.for<[string, INodeParameters]>([
	['question.get', downloading],
	['file.download', { downloadFrom: 'question', questionId: 'q' }],
])(
	'%s downloads the files that have a link, and a hint says that others came without',
	async ([operation, parameters], { sandbox, run }) => {
		const { url } = await storage((_request, response) => response.end(Buffer.alloc(1000)));
		say(sandbox, answerWith({ file_name: 'Lost.docx', url: null }, file(url)));
		const { items, hints } = await run(operation, parameters);
		expect(Object.keys(items[0]?.binary ?? {})).toHaveLength(1);
		expect(hints).toEqual([fillText(countedHints.linkMissing, { count: 1 })]);
	},
);
