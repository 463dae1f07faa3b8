import { readdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { binaryItem, readBinary, runNode, useBinaryData, type NodeRun } from '../../support/engine/engine.mts';
import { sandboxOfFile, serverOfTest } from '../../support/lifetimes.mts';
import { MEGABYTE } from './files.mts';

vi.setConfig({ testTimeout: 30_000 });
const sandbox = await sandboxOfFile({}, 50);

const GET_QUESTION = 'GET /assistants/:assistant_id/questions/:question_id';

/** A file storage that answers as a test has it; gives its address and how often it was asked. */
async function storage(listener: RequestListener): Promise<{ url: string; asked: () => number }> {
	let asked = 0;
	const url = await serverOfTest((request, response) => {
		asked += 1;
		listener(request, response);
	});
	return { url, asked: () => asked };
}

/** Gets a question whose answer comes with these files. */
async function getWith(attachments: readonly unknown[], options: object = {}): Promise<NodeRun> {
	const question = { id: 'q', session_id: 's', session_url: null, status: 'completed', answer: 'So.', attachments, reason: null };
	sandbox.faults.clear();
	sandbox.faults.add({ kind: 'status', status: 200, body: question, match: GET_QUESTION, times: Infinity });
	return await runNode({
		sandbox,
		parameters: { resource: 'question', operation: 'get', questionId: 'q', options: { downloadFiles: true, ...options } },
	});
}

const file = (url: string, more: object = {}): object => ({
	file_name: 'Redline.docx',
	content_type: 'application/msword',
	content_length: 1000,
	url,
	...more,
});

describe.each(['default', 'filesystem'] as const)('a file that is not what was announced, binary data mode %s', (mode) => {
	beforeEach(() => useBinaryData(mode));
	afterEach(() => useBinaryData('default'));

	test('half of a file fails the item, after it was fetched several times', async () => {
		const { url, asked } = await storage((_request, response) => response.end(Buffer.alloc(500)));
		const run = await getWith([file(url)]);
		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('The download of "Redline.docx" was interrupted: 500 of 1000 bytes arrived');
		expect(asked()).toBe(5);
	});

	test.each(['plain', 'gzip'] as const)('no more than the limit is fetched and nothing of it is kept, announced or not, %s', async (encoding) => {
		let sent = 0;
		const { url, asked } = await storage((_request, response) => {
			if (encoding === 'gzip') response.setHeader('content-encoding', 'gzip');
			const packed = encoding === 'gzip' ? createGzip() : new PassThrough();
			packed.pipe(response);
			const body = new Readable({ read: () => void body.push(Buffer.alloc(65_536, String(sent++))) });
			body.pipe(packed);
			response.on('close', () => body.destroy());
		});
		for (const content_length of [2 * MEGABYTE, null, 0]) {
			const before = storedFiles();
			const run = await getWith([file(url, { content_length })], { maxFileSize: 1 });
			expect(run.error?.message).toContain('"Redline.docx" is larger than "Max File Size (MB)"');
			expect(storedFiles()).toEqual(before);
		}
		expect(sent * 65_536).toBeLessThan(100 * MEGABYTE);
		expect(asked()).toBe(3);
	});
});

/** The files that n8n keeps on disk. */
function storedFiles(): string[] {
	const names = readdirSync(process.env.N8N_USER_FOLDER ?? '', { recursive: true, withFileTypes: true });
	return names.filter((entry) => entry.isFile() && entry.parentPath.includes('binary_data')).map(({ name }) => name);
}

test('an attachment without a link is told of, and the others are downloaded', async () => {
	const { url } = await storage((_request, response) => response.end(Buffer.alloc(1000)));
	const run = await getWith([{ file_name: 'Lost.docx' }, file(url)]);
	expect(Object.keys(run.items[0]?.binary ?? {})).toEqual(['file_0']);
	expect(run.hints.join()).toContain('came without a download link');
});

test('once a link was renewed, files come in their order, whatever the order of the new links', async () => {
	const gone = await storage((_request, response) => response.writeHead(400).end('<Error><Code>ExpiredToken</Code></Error>'));
	const fresh = await storage((_request, response) => response.end(Buffer.alloc(1000, 1)));
	const other = await storage((_request, response) => response.end(Buffer.alloc(1000, 2)));
	const summary = { file_name: 'Summary.docx' };
	const before = [file(gone.url), file(other.url, summary)];
	const after = [file(other.url, summary), file(fresh.url)];
	const question = { id: 'q', session_id: 's', session_url: null, status: 'completed', answer: 'So.', reason: null };
	const known = { ...question, attachments: before, assistant_id: 'default' };
	sandbox.faults.add({ kind: 'status', status: 200, body: { ...question, attachments: after }, match: GET_QUESTION, times: Infinity });
	const run = await runNode({
		sandbox,
		items: [{ json: known }],
		parameters: { resource: 'question', operation: 'waitForAnswer', options: { downloadFiles: true } },
	});
	expect(run.error).toBeUndefined();
	expect((await readBinary(run.items[0], 'file_0'))[0]).toBe(1);
	expect((await readBinary(run.items[0], 'file_1'))[0]).toBe(2);
	expect(gone.asked()).toBe(1);
});

test('waiting for what is answered already downloads its files beside those that the item has', async () => {
	const { url } = await storage((_request, response) => response.end(Buffer.alloc(1000)));
	const json = { id: 'q', status: 'completed', answer: 'So.', attachments: [file(url)], assistant_id: 'default' };
	const item = { ...(await binaryItem('mail')), json };
	const run = await runNode({
		sandbox,
		items: [item],
		parameters: { resource: 'question', operation: 'waitForAnswer', options: { downloadFiles: true } },
	});
	expect(Object.keys(run.items[0]?.binary ?? {}).toSorted()).toEqual(['data', 'file_0']);
	expect(sandbox.requests).toHaveLength(0);
});
