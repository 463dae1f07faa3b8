import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { INode, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, test } from 'vitest';

import { growthOf, watchMemory } from '../test/support/n8n/memory.mts';
import type { StoredCredential } from '../test/support/n8n/n8nClient.mts';
import { legalAi, node } from '../test/support/n8n/workflows.mts';
import { httpRequest, posted } from './support/handBuilt.mts';
import { PlainProgram } from './support/plainProgram.mts';
import { OURS, PLAIN, resultsOf } from './support/results.mts';
import { alternate, isQuick, type Measured, ROUNDS } from './support/rounds.mts';
import { type Account, nodeTime, type Published, Stage } from './support/stage.mts';

const HAND_BUILT = 'HTTP Request';
const FIVE_LINES = 'five-line node';
const SMALL_FILE = `${OURS}, a file of a few bytes`;
const MEGABYTE = 1024 * 1024;
const SIZE = 50;
const PDF = 'application/pdf';

const results = resultsOf('files', 'Files of 50 MB, kept on disk');

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'bench-files-'));
	await writeFile(join(folder, 'large.pdf'), Buffer.alloc(SIZE * MEGABYTE, 'a clause '));
	await writeFile(join(folder, 'small.pdf'), 'warms up');
	await mkdir(join(folder, 'fetched'));
});
afterAll(async () => {
	await rm(folder, { recursive: true });
});

type Size = 'large' | 'small';
/** A workflow over the large or the small file, and the nodes in it that count. */
type Transfer = (stage: Stage, account: Account, size: Size) => Promise<{ workflow: Published; names: string[] }>;

const sent: Record<typeof OURS | typeof HAND_BUILT | typeof FIVE_LINES, Transfer> = {
	[OURS]: async (stage, { credential }, size) => {
		const send = legalAi('Send', credential, { resource: 'file', operation: 'upload' });
		return { workflow: await stage.publish('Legal AI', [read(size), send]), names: ['Send'] };
	},
	[HAND_BUILT]: async (stage, account, size) => {
		const put: INodeParameters = { method: 'PUT', sendBody: true, contentType: 'binaryData', inputDataFieldName: 'data' };
		const nodes = [
			read(size),
			httpRequest('Job', account, '/files/upload-url', posted(JSON.stringify({ file_name: 'large.pdf', content_type: PDF }))),
			node('With File', 'n8n-nodes-base.merge', { mode: 'combine', combineBy: 'combineByPosition', options: {} }, { typeVersion: 3 }),
			httpRequest('Put', account, '', { ...put, authentication: 'none', url: '={{ $json.upload_url }}' }),
		];
		const both = [{ node: 'Job', type: 'main' as const, index: 0 }, { node: 'With File', type: 'main' as const, index: 1 }];
		return { workflow: await stage.publish('Hand-built', nodes, { connections: { Read: { main: [both] } } }), names: ['Job', 'Put'] };
	},
	[FIVE_LINES]: async (stage, { credential }, size) => {
		return { workflow: await stage.publish('Five lines', [read(size), fiveLines('Send', credential, {})]), names: ['Send'] };
	},
};

const fetched: typeof sent = {
	[OURS]: async (stage, account, size) => {
		const fetch = legalAi('Fetch', account.credential, { resource: 'file', operation: 'download', url: generated(account, size) });
		return { workflow: await stage.publish('Legal AI', [fetch]), names: ['Fetch'] };
	},
	[HAND_BUILT]: async (stage, account, size) => {
		const asFile = { authentication: 'none', options: { response: { response: { responseFormat: 'file' } } } };
		const get = httpRequest('Get', account, '', { ...asFile, url: generated(account, size) });
		return { workflow: await stage.publish('Hand-built', [get]), names: ['Get'] };
	},
	[FIVE_LINES]: async (stage, account, size) => {
		const fetch = fiveLines('Fetch', account.credential, { url: generated(account, size) });
		return { workflow: await stage.publish('Five lines', [fetch]), names: ['Fetch'] };
	},
};

function fiveLines(name: string, { id, name: credentialName }: StoredCredential, parameters: INodeParameters): INode {
	return node(name, 'CUSTOM.fiveLinesFile', parameters, { credentials: { legalAiApi: { id, name: credentialName } } });
}

function read(size: Size): INode {
	return node('Read', 'n8n-nodes-base.readWriteFile', { operation: 'read', fileSelector: join(folder, `${size}.pdf`) });
}

function generated({ sandbox: { files } }: Account, size: Size): string {
	const content = Buffer.alloc(size === 'large' ? SIZE * MEGABYTE : 10, 'a generated clause ');
	return String(files.attachment(files.keepGenerated({ fileName: 'large.pdf', contentType: PDF, content })).url);
}

async function open(): Promise<{ stage: Stage; account: Account }> {
	const stage = await Stage.open({
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_RESTRICT_FILE_ACCESS_TO: folder,
		N8N_CUSTOM_EXTENSIONS: fileURLToPath(new URL('./support/fiveLines', import.meta.url)),
	});
	return { stage, account: await stage.account({ keepContentUpTo: 0 }) };
}

const throughput = ({ value, busy = 0 }: Measured): Measured => ({ value: SIZE / (value / 1000), busy });

/** An n8n that has done it with a small file alone does it with a file: by how much its memory grows at most. */
async function growth(transfer: Transfer, size: Size = 'large'): Promise<Measured> {
	const { stage, account } = await open();
	await (await transfer(stage, account, 'small')).workflow.run();
	const { workflow } = await transfer(stage, account, size);
	const { memory } = await watchMemory(stage.n8n.pid, async () => await workflow.run());
	await stage.close();
	return { value: growthOf(memory) / MEGABYTE };
}

/** The same without n8n. */
async function plainly(plain: PlainProgram, what: 'sending' | 'fetching', account: Account, size: Size): Promise<Measured> {
	const { baseUrl, sandbox: { apiKey } } = account;
	return what === 'sending'
		? await plain.run('upload', { baseUrl, apiKey, path: join(folder, `${size}.pdf`) })
		: await plain.run('download', { url: generated(account, size), path: join(folder, 'fetched', 'large.pdf') });
}

/** The growth of a program that has done it with a small file before. */
async function plainGrowth(what: 'sending' | 'fetching'): Promise<Measured> {
	const { stage, account } = await open();
	const plain = await PlainProgram.start();
	await plainly(plain, what, account, 'small');
	const { memory } = await watchMemory(plain.pid, async () => await plainly(plain, what, account, 'large'));
	plain.stop();
	await stage.close();
	return { value: growthOf(memory) / MEGABYTE };
}

test.each([['sending', sent], ['fetching', fetched]] as const)('%s: throughput', async (what, transfers) => {
	const { stage, account } = await open();
	const plain = await PlainProgram.start();
	const inN8n = async (transfer: Transfer) => {
		const { workflow, names } = await transfer(stage, account, 'large');
		return async () => {
			const { execution, busy } = await workflow.run();
			return throughput({ value: nodeTime(execution, ...names), busy });
		};
	};
	results.figure({
		what: `${what} a file of ${SIZE} MB: throughput`,
		unit: 'MB/s',
		contenders: await alternate({
			[OURS]: await inN8n(transfers[OURS]),
			[HAND_BUILT]: await inN8n(transfers[HAND_BUILT]),
			[FIVE_LINES]: await inN8n(transfers[FIVE_LINES]),
			[PLAIN]: async () => throughput(await plainly(plain, what, account, 'large')),
		}, { rounds: isQuick ? 1 : 9, warmUps: 2 }),
		targets: [{ against: PLAIN, atLeast: 0.9 }, { of: FIVE_LINES, against: PLAIN, atLeast: 0.9 }],
		note: 'The five-line node passes the file between n8n’s own helpers, and does nothing else: what it takes beyond the plain program is n8n’s. Read in pieces of 256 kB and not of 64 kB, a file would be sent faster from this machine to itself, but the answer of a storage that refuses it early would often be lost. 9 rounds.',
	});
	plain.stop();
	await stage.close();
});

test.each([['sending', sent], ['fetching', fetched]] as const)('%s: memory', async (what, transfers) => {
	results.figure({
		what: `${what} a file of ${SIZE} MB: by how much n8n's memory grows at most`,
		unit: 'MB',
		contenders: await alternate({
			[OURS]: async () => await growth(transfers[OURS]),
			[SMALL_FILE]: async () => await growth(transfers[OURS], 'small'),
			[HAND_BUILT]: async () => await growth(transfers[HAND_BUILT]),
			[PLAIN]: async () => await plainGrowth(what),
		}, { rounds: ROUNDS, warmUps: 0 }),
		targets: [{ against: SMALL_FILE, isDifference: true, atMost: 16 }, { of: PLAIN, atMost: 16 }],
		note: 'Each run in an n8n that was just started, over the whole execution: what n8n itself needs for any is included, and a small file shows how much that is. The plain program shows how much Node lets pieces of a stream pile up before it clears them away.',
	});
});
