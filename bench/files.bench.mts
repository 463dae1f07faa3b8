import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { legalAi, node } from '../harness/workflows.mts';
import { httpRequest, posted } from './support/handBuilt.mts';
import { memoryGrowth } from './support/process.mts';
import { OURS } from './support/figures.mts';
import { openResults } from './support/results.mts';
import { alternate, MANY_ROUNDS } from './support/rounds.mts';
import { type Account, type Published, Stage } from './support/stage.mts';

const HAND_BUILT = 'HTTP Request';
const MEGABYTE = 1024 * 1024;
const SIZE = 50;
const PDF = 'application/pdf';

const results = openResults('files', 'Files of 50 MB, kept on disk');

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'bench-files-'));
	await writeFile(join(folder, 'large.pdf'), Buffer.alloc(SIZE * MEGABYTE, 'a clause '));
	await writeFile(join(folder, 'small.pdf'), 'warms up');
});
afterAll(async () => {
	await rm(folder, { recursive: true });
});

type Size = 'large' | 'small';
/** A workflow over the large or the small file. */
type Transfer = (stage: Stage, account: Account, size: Size) => Promise<Published>;

const read = (size: Size) =>
	node('Read', 'n8n-nodes-base.readWriteFile', {
		operation: 'read',
		fileSelector: join(folder, `${size}.pdf`),
	});

const sent: Record<typeof OURS | typeof HAND_BUILT, Transfer> = {
	[OURS]: async (stage, { credential }, size) => {
		const send = legalAi('Send', credential, { resource: 'file', operation: 'upload' });
		return await stage.publish('Legal AI', [read(size), send]);
	},
	[HAND_BUILT]: async (stage, account, size) => {
		const put: INodeParameters = {
			method: 'PUT',
			sendBody: true,
			contentType: 'binaryData',
			inputDataFieldName: 'data',
		};
		const nodes = [
			read(size),
			httpRequest(
				'Job',
				account,
				'/files/upload-url',
				posted(JSON.stringify({ file_name: 'large.pdf', content_type: PDF })),
			),
			node(
				'With File',
				'n8n-nodes-base.merge',
				{ mode: 'combine', combineBy: 'combineByPosition', options: {} },
				{ typeVersion: 3 },
			),
			httpRequest('Put', account, '', {
				...put,
				authentication: 'none',
				url: '={{ $json.upload_url }}',
			}),
		];
		const both = [
			{ node: 'Job', type: 'main' as const, index: 0 },
			{ node: 'With File', type: 'main' as const, index: 1 },
		];
		return await stage.publish('Hand-built', nodes, 'lastNode', { Read: { main: [both] } });
	},
};

const fetched: typeof sent = {
	[OURS]: async (stage, account, size) => {
		const fetch = legalAi('Fetch', account.credential, {
			resource: 'file',
			operation: 'download',
			url: generated(account, size),
		});
		return await stage.publish('Legal AI', [fetch]);
	},
	[HAND_BUILT]: async (stage, account, size) => {
		const asFile = {
			authentication: 'none',
			options: { response: { response: { responseFormat: 'file' } } },
		};
		const get = httpRequest('Get', account, '', { ...asFile, url: generated(account, size) });
		return await stage.publish('Hand-built', [get]);
	},
};

function generated({ sandbox: { files } }: Account, size: Size) {
	const content = Buffer.alloc(size === 'large' ? SIZE * MEGABYTE : 10, 'a generated clause ');
	return String(
		files.attachment(files.keepGenerated({ fileName: 'large.pdf', contentType: PDF, content })).url,
	);
}

async function open() {
	const stage = await Stage.open({
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_RESTRICT_FILE_ACCESS_TO: folder,
	});
	return { stage, account: await stage.account() };
}

/** An n8n that has done it with a small file alone does it with a large one: by how much its memory grows at most. */
async function measureGrowth(transfer: Transfer) {
	const { stage, account } = await open();
	await (await transfer(stage, account, 'small')).run();
	const workflow = await transfer(stage, account, 'large');
	const growth = await memoryGrowth(stage.n8n.main.pid, async () => await workflow.run());
	await stage.close();
	return growth;
}

test.each([
	['Sending', sent],
	['Fetching', fetched],
] as const)('%s', async (what, transfers) => {
	results.figure({
		what: `${what} a file of ${SIZE} MB: growth of n8n’s memory`,
		unit: 'MB',
		contenders: await alternate(
			{
				[OURS]: async () => await measureGrowth(transfers[OURS]),
				[HAND_BUILT]: async () => await measureGrowth(transfers[HAND_BUILT]),
			},
			{ rounds: MANY_ROUNDS, warmUps: 0 },
		),
		targets: [{ against: HAND_BUILT, atMost: 1.1 }],
		meaning: 'Files are streamed, so large files do not fill n8n’s memory.',
		note: 'Each run is in an n8n that has just been started, and covers the whole execution. The 4 MB that n8n needs even for a file of a few bytes are included.',
	});
});
