import type { IBinaryKeyData, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { startSandbox } from '../../sandbox/sandbox.mts';
import { runNode, storeBinary, useBinaryData, type NodeRun, type NodeRunOptions } from '../engine.mts';
import { content, like, MEGABYTE, routesOf, sha256, someText, textOf } from './files.mts';

const sandbox = await startSandbox();
beforeEach(async () => {
	await sandbox.reset();
	await useBinaryData('default');
});
afterAll(() => sandbox.close());

const ASK = 'POST /assistants/:assistant_id/questions';

async function ask(
	attachment: INodeParameters[],
	item: INodeExecutionData = { json: {} },
	options: Partial<NodeRunOptions> = {},
): Promise<NodeRun> {
	return await runNode({
		sandbox,
		items: [item],
		parameters: {
			resource: 'question',
			operation: 'ask',
			question: 'What is the notice period?',
			attachments: { attachment },
		},
		...options,
	});
}

/** An item such as an e-mail trigger puts out. */
async function email(...fileNames: string[]): Promise<INodeExecutionData> {
	const fields = await Promise.all(
		fileNames.map(async (fileName, index): Promise<[string, IBinaryKeyData[string]]> => [
			`attachment_${index}`,
			await storeBinary(fileName, { fileName, mimeType: 'application/octet-stream' }),
		]),
	);
	return { json: { subject: 'Please review' }, binary: Object.fromEntries(fields) };
}

const attached = (): unknown[] => sandbox.questions.map(({ attachments }) => attachments);

describe("a question's attachments", () => {
	it('are all files of an e-mail, in their order', async () => {
		const run = await ask([{ source: 'allBinary' }], await email('NDA.pdf', 'annex.docx', 'scan.png'));

		expect(run.error).toBeUndefined();
		expect(attached()).toEqual([
			['NDA.pdf', 'annex.docx', 'scan.png'].map((fileName) =>
				like({ fileName, sha256: sha256(Buffer.from(fileName)) }),
			),
		]);
	});

	it('are none for an e-mail without files', async () => {
		const run = await ask([{ source: 'allBinary' }], await email());

		expect(run.error).toBeUndefined();
		expect(routesOf(sandbox)).toEqual([ASK]);
		expect(sandbox.requests[0]?.body).not.toHaveProperty('attachments');
	});

	it('come from fields, upload jobs and addresses together, in the order they were entered', async () => {
		const earlier = await runNode({
			sandbox,
			items: [await email('earlier.pdf')],
			parameters: { resource: 'file', operation: 'upload', binaryPropertyName: 'attachment_0' },
		});
		const uploadJobId = textOf(earlier.items[0], 'job_id');

		const run = await ask(
			[
				{ source: 'url', url: ' https://example.com/contract.pdf ' },
				{ source: 'binary', binaryPropertyName: 'attachment_1 , attachment_0' },
				{ source: 'uploadJob', uploadJobId: ` ${uploadJobId} ` },
			],
			await email('a.pdf', 'b.txt'),
		);

		expect(run.error).toBeUndefined();
		expect(attached()).toEqual([
			[
				like({ url: 'https://example.com/contract.pdf' }),
				like({ fileName: 'b.txt' }),
				like({ fileName: 'a.pdf' }),
				like({ fileName: 'earlier.pdf' }),
			],
		]);
	});

	it('say unzip for archives, jobs and addresses where it is wanted', async () => {
		const item = await email('a.zip', 'b.pdf');
		await ask([{ source: 'allBinary', unzip: true }, { source: 'url', url: 'https://example.com/c', unzip: true }], item);
		await ask([{ source: 'allBinary' }, { source: 'url', url: 'https://example.com/c' }], item);

		const bodies = sandbox.requests.filter(({ route }) => route === ASK).map(({ body }) => body);
			expect(bodies).toMatchObject([
			{
				attachments: [
					{ upload_job_id: someText, unzip: true },
					{ upload_job_id: someText },
					{ url: 'https://example.com/c', unzip: true },
				],
			},
			{ attachments: [{ upload_job_id: someText }, { upload_job_id: someText }, { url: 'https://example.com/c' }] },
		]);
		expect(JSON.stringify(bodies).match(/unzip/g)).toHaveLength(2);
	});

	it('may be ten', async () => {
		const names = Array.from({ length: 10 }, (_, index) => `${index}.pdf`);
		const run = await ask([{ source: 'allBinary' }], await email(...names));

		expect(run.error).toBeUndefined();
		expect(attached()).toEqual([names.map((fileName) => like({ fileName }))]);
	});

	it('are the same bytes where n8n keeps files in the JSON of an item', async () => {
		await useBinaryData('filesystem');
		const bytes = content(MEGABYTE);
		const files = { scan: await storeBinary(bytes, { fileName: 'scan.pdf' }) };
		const item = { json: { _files: files } } as unknown as INodeExecutionData;
		const settings = { binaryMode: 'combined' } as const;

		await ask([{ source: 'allBinary' }], item, { settings });
		await ask([{ source: 'binary', binaryPropertyName: '_files.scan' }], item, { settings });
		await ask([{ source: 'allBinary' }], item);

		const scan = [like({ fileName: 'scan.pdf', sha256: sha256(bytes) })];
		expect(attached()).toEqual([scan, scan, []]);
	});
});

describe('before anything is sent', () => {
	const message = async (attachment: INodeParameters[], item?: INodeExecutionData): Promise<string | undefined> => {
		const run = await ask(attachment, item);
		expect(sandbox.requests).toEqual([]);
		return run.error?.message;
	};

	it('more than ten are refused, counted over all entries', async () => {
		const names = Array.from({ length: 10 }, (_, index) => `${index}.pdf`);
		expect(
			await message([{ source: 'allBinary' }, { source: 'url', url: 'https://example.com/x' }], await email(...names)),
		).toBe("'Attachments' come to 11 files where a question takes 10 [item 0]");
	});

	it.each([
		[{ source: 'uploadJob', uploadJobId: ' ' }, "'Upload Job ID' of an attachment is empty [item 0]"],
		[{ source: 'url' }, "'URL' of an attachment is empty [item 0]"],
		[
			{ source: 'url', url: 'ftp://example.com/a' },
			"'URL' of an attachment is not a web address: ftp://example.com/a [item 0]",
		],
		[
			{ source: 'binary', binaryPropertyName: 'data' },
			"'Input Binary Field' names 'data', but the item has no such binary field [item 0]",
		],
		[{ source: 'binary', binaryPropertyName: '' }, "'Input Binary Field' is empty [item 0]"],
		[{ source: 'disk' }, "'Source' of an attachment is none of its options: disk [item 0]"],
	])('%j is refused', async (attachment, expected) => {
		expect(await message([attachment], await email('a.pdf'))).toBe(expected);
	});

	it('a kind that the service does not read is refused, of any of the files', async () => {
		expect(await message([{ source: 'allBinary' }], await email('a.pdf', 'winmail.dat'))).toContain(
			"like the one in 'attachment_1' (application/octet-stream, named 'winmail.dat')",
		);
	});
});

it('asks nothing where a file could not be sent', async () => {
	sandbox.faults.add({ kind: 'status', status: 400, body: 'no', match: 'PUT /storage/uploads/:job_id', skip: 1 });

	const run = await ask([{ source: 'allBinary' }], await email('a.pdf', 'b.pdf', 'c.pdf'));

	expect(run.error?.message).toContain("did not take '");
	expect(routesOf(sandbox)).not.toContain(ASK);
});
