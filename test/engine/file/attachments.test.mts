import type { IBinaryKeyData, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, test } from 'vitest';

import { runNode, storeBinary, useBinaryData, type NodeRun, type NodeRunOptions } from '../../support/engine/engine.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';
import { content, like, MEGABYTE, routesOf, sha256, someText, textOf } from './files.mts';

const sandbox = await sandboxOfFile();
beforeEach(() => useBinaryData('default'));

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
	test('are all files of an e-mail, in their order', async () => {
		const run = await ask([{ source: 'allBinary' }], await email('NDA.pdf', 'annex.docx', 'scan.png'));

		expect(run.error).toBeUndefined();
		expect(attached()).toEqual([
			['NDA.pdf', 'annex.docx', 'scan.png'].map((fileName) =>
				like({ fileName, sha256: sha256(Buffer.from(fileName)) }),
			),
		]);
	});

	test('are none for an e-mail without files', async () => {
		const run = await ask([{ source: 'allBinary' }], await email());

		expect(run.error).toBeUndefined();
		expect(routesOf(sandbox)).toEqual([ASK]);
		expect(sandbox.requests[0]?.body).not.toHaveProperty('attachments');
	});

	test('come from fields, upload jobs and addresses together, in the order they were entered', async () => {
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

	test('may be several jobs and addresses in one entry, with commas or as a list', async () => {
		const upload = { resource: 'file', operation: 'upload', fileSource: 'allBinary' };
		const { items } = await runNode({ sandbox, items: [await email('a.pdf', 'b.pdf')], parameters: upload });
		const jobs = items.map((item) => textOf(item, 'job_id'));
		const urls = ['https://example.com/c,1.pdf', 'https://example.com/d.pdf?X-Amz-Signature=5ec2e7'];
		const expected = [...['a.pdf', 'b.pdf'].map((fileName) => like({ fileName })), ...urls.map((url) => like({ url }))];
		const item = { json: { jobs, urls } };
		const runs = [
			await ask([{ source: 'uploadJob', uploadJobId: jobs.join(', ') }, { source: 'url', url: urls.join(', ') }], item),
			await ask([{ source: 'uploadJob', uploadJobId: '={{ $json.jobs }}' }, { source: 'url', url: '={{ $json.urls }}' }], item),
		];
		expect(attached()).toEqual([expected, expected]);
		for (const { json } of runs) expect(json).toMatchObject([{ attachments_sent: [...jobs, 'c,1.pdf', 'd.pdf'] }]);
	});

	test('say unzip for archives, jobs and addresses where it is wanted', async () => {
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

	test('are the same bytes where n8n keeps files in the JSON of an item', async () => {
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

describe('attachments, before anything is sent', () => {
	const message = async (attachment: INodeParameters[], item?: INodeExecutionData): Promise<string | undefined> => {
		const run = await ask(attachment, item);
		expect(sandbox.requests).toEqual([]);
		return run.error?.message;
	};

	test('more than ten are refused, counted over all entries', async () => {
		const names = Array.from({ length: 10 }, (_, index) => `${index}.pdf`);
		expect(
			await message([{ source: 'allBinary' }, { source: 'url', url: 'https://example.com/x' }], await email(...names)),
		).toBe('There are 11 files in "Attachments"; a question can have at most 10 [item 0]');
	});

	test.each([
		[{ source: 'uploadJob', uploadJobId: ' ' }, '"Upload Job ID" is empty [item 0]'],
		[{ source: 'url', url: '={{ "" }}' }, '"URL" is empty [item 0]'],
		[{ source: 'url', url: 'ftp://example.com/a' }, '"URL" is not a web address [item 0]'],
		[{ source: 'binary', binaryPropertyName: 'data' }, 'The item has no binary field "data" [item 0]'],
		[{ source: 'binary', binaryPropertyName: '={{ "" }}' }, '"Input Binary Field" is empty [item 0]'],
		[{ source: 'disk' }, '"Source" can\'t be "disk" [item 0]'],
	])('%j is refused', async (attachment, expected) => {
		expect(await message([attachment], await email('a.pdf'))).toBe(expected);
	});

	test.each([
		[{ source: 'url' }, 'URL'],
		[{ source: 'binary', binaryPropertyName: '' }, 'Input Binary Field'],
		[{ source: 'uploadJob' }, 'Upload Job ID'],
	])('%j is refused by n8n, as the editor shows it', async (attachment, field) => {
		expect(await message([attachment], await email('a.pdf'))).toContain(`Parameter "${field}" is required.`);
	});

	test('a kind that the service does not read is refused, of any of the files', async () => {
		expect(await message([{ source: 'allBinary' }], await email('a.pdf', 'winmail.dat'))).toContain(
			'in "attachment_1" has a type that the service can\'t read (application/octet-stream, winmail.dat)',
		);
	});
});

describe('an ordinary e-mail', () => {
	const names = ['logo.gif', 'invite.ics', 'NDA.pdf', 'forwarded.eml', 'winmail.dat', ...Array.from({ length: 11 }, (_, index) => `${index}.txt`)];
	const withOptions = async (options: INodeParameters, item: INodeExecutionData): Promise<NodeRun> => {
		const attachments = { attachment: [{ source: 'allBinary' }] };
		return await ask([], item, { parameters: { resource: 'question', operation: 'ask', question: 'May we sign?', attachments, options } });
	};

	test('does not stop the intake: what can not be sent is left out, and listed with the reasons', async () => {
		const run = await withOptions({ unsupportedFiles: 'skip' }, await email(...names));

		expect(run.error).toBeUndefined();
		const sent = ['NDA.pdf', ...Array.from({ length: 9 }, (_, index) => `${index}.txt`)];
		expect(attached()).toEqual([sent.map((fileName) => like({ fileName }))]);
		const unreadable = expect.stringMatching(/has a type that the service can't read/) as string;
		const surplus = 'There are 12 files in "Attachments"; a question can have at most 10';
		expect(run.json).toMatchObject([
			{
				attachments_sent: sent,
				skipped_files: [
					...['logo.gif', 'invite.ics', 'forwarded.eml', 'winmail.dat'].map((file_name) => ({ file_name, reason: unreadable })),
					...['9.txt', '10.txt'].map((file_name) => ({ file_name, reason: surplus })),
				],
			},
		]);
		expect(run.hints).toEqual([expect.stringContaining('Some files of one item were not sent with the question') as string]);
	});

	test('stops it unless that is wanted', async () => {
		const run = await withOptions({}, await email(...names));
		expect(run.error?.message).toContain('has a type that the service can\'t read (application/octet-stream, logo.gif)');
		expect(run.error?.description).toContain('set "If a File Can\'t Be Sent" to "Skip the File"');
		expect(sandbox.requests).toEqual([]);
	});

	test('that lacks the binary field that others have is asked about with a hint, or not at all', async () => {
		const items = [await email('a.pdf', 'b.pdf'), await email('c.pdf'), await email()];
		const parameters = {
			...{ resource: 'question', operation: 'ask', question: 'May we sign?' },
			attachments: { attachment: [{ source: 'binary', binaryPropertyName: 'attachment_0, attachment_1' }] },
		};
		const asked = await runNode({ sandbox, items, parameters });
		expect(asked.error).toBeUndefined();
		expect(asked.json).toMatchObject([
			{ attachments_sent: ['a.pdf', 'b.pdf'] },
			{ attachments_sent: ['c.pdf'], skipped_files: [{ file_name: 'attachment_1', reason: 'The item has no binary field "attachment_1"' }] },
			{ attachments_sent: [] },
		]);
		expect(asked.json[2]).not.toHaveProperty('skipped_files');
		expect(asked.hints.toSorted()).toEqual(['One item had no file', 'Some files of one item'].map((words) => expect.stringContaining(words) as unknown));

		const withUrl = { attachments: { attachment: [{ source: 'url', url: 'https://example.com/x.pdf' }, { source: 'binary', binaryPropertyName: 'attachment_1' }] } };
		const { json } = await runNode({ sandbox, items, parameters: { ...parameters, ...withUrl } });
		expect(json[2]).toMatchObject({ attachments_sent: ['x.pdf'], skipped_files: [{ file_name: 'attachment_1' }] });

		const refused = await runNode({ sandbox, items, parameters: { ...parameters, options: { noFileFound: 'fail' } } });
		expect(refused.error?.message).toBe('The item has no binary field "attachment_1" [item 1]');
		const mistyped = { attachments: { attachment: [{ source: 'binary', binaryPropertyName: 'atachment_0' }] } };
		const unknown = await runNode({ sandbox, items, parameters: { ...parameters, ...mistyped } });
		expect(unknown.error?.message).toBe('The item has no binary field "atachment_0" [item 0]');
	});

	test('without a file is asked about with a hint, or not at all', async () => {
		const asked = await withOptions({}, await email());
		expect(asked.hints).toEqual([expect.stringContaining('One item had no file to attach') as string]);
		const refused = await withOptions({ noFileFound: 'fail' }, await email());
		expect(refused.error?.message).toBe('The item has no file to attach [item 0]');
		expect(attached()).toEqual([[]]);
	});
});

test('a file of the item that no attachment sends is told of, but not to one who continues a session that may have it already', async () => {
	const parameters = { operation: 'ask', question: 'Review this NDA' };
	const asked = await runNode({ sandbox, parameters, items: [await email('nda.pdf')] });
	expect(asked.hints).toEqual([expect.stringContaining('no attachment was added') as string]);
	expect(attached()).toEqual([[]]);

	const { id, sessionId = '' } = sandbox.questions[0] ?? {};
	await sandbox.complete(String(id));
	const { error, hints } = await runNode({ sandbox, parameters: { ...parameters, additionalFields: { sessionId } }, items: [await email('nda.pdf')] });
	expect({ error, hints }).toEqual({ error: undefined, hints: [] });
});

test('asks nothing where a file could not be sent', async () => {
	sandbox.faults.add({ kind: 'status', status: 400, body: 'no', match: 'PUT /storage/uploads/:job_id', skip: 1 });

	const run = await ask([{ source: 'allBinary' }], await email('a.pdf', 'b.pdf', 'c.pdf'));

	expect(run.error?.message).toContain('did not accept "');
	expect(routesOf(sandbox)).not.toContain(ASK);
});
