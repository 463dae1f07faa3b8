import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, test } from 'vitest';

import { startSandbox } from '../../sandbox/sandbox.mts';
import { binaryItem, runNode, storeBinary, useBinaryData, type NodeRun, type NodeRunOptions } from '../../support/engine/engine.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';
import { content, MEGABYTE, routesOf, sha256, someText, textOf, uploadsOf } from './files.mts';

const sandbox = await sandboxOfFile();
beforeEach(() => useBinaryData('default'));

const PDF = 'application/pdf';
const PUT = 'PUT /storage/uploads/:job_id';
const POST = 'POST /files/upload-url';

async function upload(
	items: INodeExecutionData[],
	parameters: INodeParameters = {},
	options: Partial<NodeRunOptions> = {},
): Promise<NodeRun> {
	return await runNode({
		sandbox,
		items,
		parameters: { resource: 'file', operation: 'upload', ...parameters },
		...options,
	});
}

describe.each(['default', 'filesystem'] as const)('file: upload, binary data mode %s', { timeout: 60_000 }, (mode) => {
	beforeEach(() => useBinaryData(mode));

	test.each([0, 1, MEGABYTE, 50 * MEGABYTE])('sends %i bytes as they are', async (length) => {
		const bytes = content(length);

		const run = await upload([await binaryItem(bytes)]);

		expect(run.error).toBeUndefined();
		expect(run.items).toEqual([
			{
				json: { job_id: someText, file_name: 'contract.pdf', content_type: PDF, content_length: length },
				pairedItem: { item: 0 },
			},
		]);
		expect(uploadsOf(sandbox, run.items)).toEqual([{ contentType: PDF, sha256: sha256(bytes) }]);
		expect(routesOf(sandbox)).toEqual([POST, PUT]);
		expect(sandbox.requests[1]?.headers).toMatchObject({ 'content-type': PDF, 'content-length': String(length) });
		expect(sandbox.requests[1]?.headers).not.toHaveProperty('authorization');
		expect(sandbox.requests[1]?.headers).not.toHaveProperty('transfer-encoding');
	});

	test.each(['unread', 'unhandled', 'handled'] as const)('starts again where the connection is cut, %s', async (when) => {
		const bytes = content(8 * MEGABYTE);
		const fault = sandbox.faults.add({ kind: 'reset', when, match: PUT, times: 2 });

		const run = await upload([await binaryItem(bytes)]);

		expect(run.error).toBeUndefined();
		expect(fault.fired).toBe(2);
		expect(routesOf(sandbox)).toEqual([POST, PUT, PUT, PUT]);
		expect(uploadsOf(sandbox, run.items)).toEqual([{ contentType: PDF, sha256: sha256(bytes) }]);
	});
});

test('tells of a file that is gone from the storage, and sends nothing', async () => {
	await useBinaryData('filesystem');
	const item = await binaryItem('gone');
	if (item.binary?.data?.id !== undefined) item.binary.data.id += 'x';

	const run = await upload([item]);

	expect(run.error?.message).toBe('The file in "data" is no longer available in n8n [item 0]');
	expect(sandbox.requests).toEqual([]);
});

describe('what a file is taken for', () => {
	test('is what its extension says if the sender says octet-stream', async () => {
		const run = await upload([await binaryItem('content', { fileName: 'NDA.docx', mimeType: 'application/octet-stream' })]);

		const contentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
		expect(run.json[0]).toMatchObject({ file_name: 'NDA.docx', content_type: contentType });
		expect(sandbox.requests[1]?.headers['content-type']).toBe(contentType);
	});

	test('and called can be chosen, and is sent as written', async () => {
		const item = await binaryItem('a', { fileName: 'a.bin', mimeType: 'application/octet-stream' });

		const run = await upload([item], { options: { fileName: 'Notes', contentType: 'text/markdown; charset=utf-8' } });

		expect(run.json[0]).toMatchObject({ file_name: 'Notes.md', content_type: 'text/markdown; charset=utf-8' });
		expect(sandbox.requests[0]?.body).toEqual({ file_name: 'Notes.md', content_type: 'text/markdown; charset=utf-8' });
	});

	test('can be a type that this node does not know: the service decides', async () => {
		const run = await upload([await binaryItem('a', { fileName: 'letter.rtf' })], { options: { contentType: 'application/rtf' } });

		expect(sandbox.requests.map(({ body }) => body)).toEqual([{ file_name: 'letter.rtf', content_type: 'application/rtf' }]);
		expect(run.error?.message).toContain("The service can't read files of this type (400)");
	});

	test('can not be chosen for several files at once', async () => {
		const binary = { a: await storeBinary('a'), b: await storeBinary('b') };

		const run = await upload([{ json: {}, binary }], { fileSource: 'allBinary', options: { fileName: 'x.pdf' } });

		expect(run.error?.message).toBe('"File Name" can\'t be the same for 2 files [item 0]');
		expect(sandbox.requests).toEqual([]);
	});
});

describe('several files', () => {
	test('come out one item each, in the order of items and fields', async () => {
		const items = await Promise.all(
			Array.from({ length: 4 }, async (_, item): Promise<INodeExecutionData> => {
				const name = (field: number): string => `${item}-${field}.pdf`;
				return {
					json: {},
					binary: {
						b: await storeBinary(name(0), { fileName: name(0) }),
						a: await storeBinary(name(1), { fileName: name(1) }),
					},
				};
			}),
		);
		// The first take longest, so that an order of arrival would show.
		sandbox.faults.add({ kind: 'latency', ms: 300, match: PUT, times: 2 });

		const run = await upload(items, { fileSource: 'allBinary' });

		expect(run.items.map(({ json, pairedItem }) => [json.file_name, pairedItem])).toEqual(
			[0, 1, 2, 3].flatMap((item) => [0, 1].map((field) => [`${item}-${field}.pdf`, { item }])),
		);
		expect(uploadsOf(sandbox, run.items)).toEqual(
			run.items.map((item) => ({ contentType: PDF, sha256: sha256(Buffer.from(textOf(item, 'file_name'))) })),
		);
	});

	test('without any file in an item give no item', async () => {
		const run = await upload([{ json: {} }, await binaryItem('a')], { fileSource: 'allBinary' });

		expect(run.error).toBeUndefined();
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	});
});

describe('a file store that refuses', () => {
	const XML = (code: string, message: string): string =>
		`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message><HostId>x</HostId></Error>`;

	test('is asked once more, then told of in its own words', async () => {
		sandbox.faults.add({
			kind: 'status',
			status: 403,
			body: XML('AccessDenied', 'Not for you, see https://files.example/x?X-Signature=secret'),
			match: PUT,
			times: Infinity,
		});

		const run = await upload([await binaryItem('a')]);

		expect(routesOf(sandbox)).toEqual([POST, PUT, POST, PUT]);
		expect(run.error?.message).toBe(
			'The file storage did not accept "contract.pdf" (403): AccessDenied: Not for you, see https://files.example/x [item 0]',
		);
		expect(JSON.stringify(run.error)).not.toContain('secret');
		expect(JSON.stringify(run.error)).not.toContain('signature=');
	});

	test('and sends the file on elsewhere is not followed', async () => {
		const elsewhere = await startSandbox();
		try {
			sandbox.faults.add({ kind: 'redirect', location: `${elsewhere.origin}/storage/uploads/x`, match: PUT });

			const run = await upload([await binaryItem('a')]);

			expect(run.error?.message).toContain('did not accept "contract.pdf" (307)');
			expect(elsewhere.requests).toEqual([]);
		} finally {
			await elsewhere.close();
		}
	});
});

test('uses no upload address that is not https, and takes no answer without a job', async () => {
	for (const body of [
		'{"upload_url":"http://files.example/a","job_id":"1","content_type":"application/pdf"}',
		'{"upload_url":null,"job_id":"1"}',
		'{"upload_url":"https://files.example/a"}',
	]) {
		sandbox.faults.clear();
		sandbox.faults.add({ kind: 'body', body, match: POST, times: Infinity });
		const run = await upload([await binaryItem('a')]);
		expect(run.error?.message).toMatch(/gave an address for it that is not allowed|an upload without a job ID/);
	}
	expect(new Set(routesOf(sandbox))).toEqual(new Set([POST]));
});

test('ends an upload under way as soon as the execution is stopped', async () => {
	await useBinaryData('filesystem');
	sandbox.faults.add({ kind: 'hang', match: PUT });
	const stop = new AbortController();
	const item = await binaryItem(content(1000));

	const running = upload([item], {}, { signal: stop.signal });
	const request = await sandbox.waitForRequest(({ route }) => route === PUT);
	stop.abort();

	await running;
	await sandbox.waitForRequest((ended) => ended === request && ended.ended);
	expect(routesOf(sandbox)).toEqual([POST, PUT]);
});
