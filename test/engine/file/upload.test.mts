import type { INodeExecutionData } from 'n8n-workflow';

import {
	binaryItem,
	content,
	MEGABYTE,
	listRoutes,
	type Run,
	type Sandbox,
	sha256,
	someText,
	storeBinary,
	test as base,
	readText,
	textWith,
	useBinaryData,
} from '../../support/fixtures.mts';

/** `upload` uploads a file with this content. */
const test = base.override({ timesFaster: 20 }).extend<{
	upload: (content?: string | Buffer) => ReturnType<Run>;
}>({
	upload: async ({ run }, use) => {
		await use(async (content = 'a') =>
			run('file.upload', {}, { items: [await binaryItem(content)] }),
		);
	},
});
beforeEach(() => useBinaryData('default'));

const PDF = 'application/pdf';
const PUT = 'PUT /storage/uploads/:job_id';
const POST = 'POST /files/upload-url';

/** The hashes of what the file store was sent for the upload jobs that came out. */
const readHashes = (service: Sandbox, items: INodeExecutionData[]) =>
	items.map((item) => service.files.jobs.get(readText(item, 'job_id'))?.upload?.sha256);

test.for(
	(['default', 'filesystem'] as const).flatMap((mode) =>
		[0, 1, 50 * MEGABYTE].map((length) => [mode, length] as const),
	),
)(
	'in binary data mode %s, %i bytes are sent as they are',
	{ timeout: 60_000 },
	async ([mode, length], { service, upload }) => {
		await useBinaryData(mode);
		const bytes = content(length);
		const { items } = await upload(bytes);

		const json = {
			job_id: someText,
			file_name: 'contract.pdf',
			content_type: PDF,
			content_length: length,
		};
		expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
		expect(readHashes(service, items)).toEqual([sha256(bytes)]);
		expect(listRoutes(service)).toEqual([POST, PUT]);
		const { headers } = service.requests[1] ?? {};
		expect(headers).toMatchObject({ 'content-type': PDF, 'content-length': String(length) });
		expect(headers).not.toHaveProperty('authorization');
		expect(headers).not.toHaveProperty('transfer-encoding');
	},
);

test("an upload fails without a request if the file is missing from n8n's storage", async ({
	service,
	run,
}) => {
	await useBinaryData('filesystem');
	const item = await binaryItem('gone');
	if (item.binary?.data?.id !== undefined) item.binary.data.id += 'x';
	const { error } = await run('file.upload', {}, { items: [item] });

	expect(error?.message).toBe('The file in "data" is no longer available in n8n');
	expect(service.requests).toEqual([]);
});

test("one file name can't be used for several uploads", async ({ service, run }) => {
	const binary = { a: await storeBinary('a'), b: await storeBinary('b') };
	const { error } = await run(
		'file.upload',
		{ fileSource: 'allBinary', options: { fileName: 'x.pdf' } },
		{ items: [{ json: {}, binary }] },
	);

	expect(error?.message).toBe('"File Name" and "Content Type" can\'t be the same for 2 files');
	expect(service.requests).toEqual([]);
});

test('each uploaded file becomes an item, in the order of items and fields; an item without files outputs nothing but a hint', async ({
	service,
	run,
}) => {
	const withFiles = async (b: string, a: string) => ({
		json: {},
		binary: {
			b: await storeBinary(b, { fileName: b }),
			a: await storeBinary(a, { fileName: a }),
		},
	});
	const items = [
		await withFiles('0.pdf', '1.pdf'),
		{ json: {} },
		await withFiles('2.pdf', '3.pdf'),
	];
	// The first takes longest, so that an order of arrival would show.
	service.faults.add({ kind: 'latency', ms: 300, match: PUT });
	const uploaded = await run('file.upload', { fileSource: 'allBinary' }, { items });

	expect(uploaded.hints).toEqual([textWith('without a file, for which nothing was uploaded: 1.')]);
	const names = ['0.pdf', '1.pdf', '2.pdf', '3.pdf'];
	expect(uploaded.json.map((json) => json.file_name)).toEqual(names);
	expect(uploaded.items.map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 0, 2, 2].map((item) => ({ item })),
	);
	expect(readHashes(service, uploaded.items)).toEqual(
		names.map((name) => sha256(Buffer.from(name))),
	);
});

test('an upload is sent to a new address, once, if the storage closes the connection each time before it has read everything', async ({
	service,
	upload,
}) => {
	const interrupted = service.faults.add({ kind: 'reset', when: 'unread', match: PUT, times: 5 });
	const { items } = await upload(content(MEGABYTE));
	expect(listRoutes(service)).toEqual([POST, ...Array<string>(5).fill(PUT), POST, PUT]);
	expect(readHashes(service, items)).toEqual([sha256(content(MEGABYTE))]);

	interrupted.remove();
	service.faults.add({ kind: 'reset', when: 'unread', match: PUT, times: Infinity });
	const { error } = await upload();
	expect(error?.message).toContain('"contract.pdf" was not uploaded');
	expect(listRoutes(service).filter((route) => route === POST)).toHaveLength(4);
});

test.for([
	['address is not allowed', '{"upload_url":"http://files.example/a","job_id":"1"}'],
	['address is not allowed', '{"upload_url":null,"job_id":"1"}'],
	['an upload without a job ID', '{"upload_url":"https://files.example/a"}'],
] as const)(
	'an upload fails with "%s" if the service gives %s',
	async ([message, body], { service, upload }) => {
		service.faults.add({ kind: 'body', body, match: POST, times: Infinity });
		const { error } = await upload();
		expect(error?.message).toContain(message);
		expect(new Set(listRoutes(service))).toEqual(new Set([POST]));
	},
);

test('a source of files by expression needs no field of another source', async ({ run }) => {
	const binary = { a: await storeBinary('a', { fileName: 'a.pdf' }) };
	const { json, error } = await run(
		'file.upload',
		{ fileSource: '={{ "allBinary" }}', binaryPropertyName: '={{ $json.nothing }}' },
		{ items: [{ json: {}, binary }] },
	);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ file_name: 'a.pdf' }]);
});
