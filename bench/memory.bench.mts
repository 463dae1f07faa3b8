import type { IExecuteFunctions, INodeType, NodeOutput } from 'n8n-workflow';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { LegalAi } from '../nodes/LegalAi/LegalAi.node.ts';
import { credentialType } from '../test/support/n8n/examples.mts';
import { growthOf, watchMemory } from '../test/support/n8n/memory.mts';
import { legalAi } from '../test/support/n8n/workflows.mts';
import { runNode } from '../test/support/engine/engine.mts';
import { startSandbox } from '../test/sandbox/sandbox.mts';
import { allTasks } from './support/handBuilt.mts';
import { PlainProgram } from './support/plainProgram.mts';
import { TaskReplay } from './support/replay.mts';
import { OURS, PLAIN, resultsOf } from './support/results.mts';
import { alternate, isQuick, type Measured, ROUNDS } from './support/rounds.mts';
import { keyHeader, type Published, Stage } from './support/stage.mts';

const MEGABYTE = 1024 * 1024;
const SIMPLIFIED = 'Legal AI, simplified';
const HAND_BUILT = 'HTTP Request, Split Out';
const TASKS = isQuick ? 1_000 : 10_000;
const KEY = { apiKey: 'sk-svc-api1-memory' };
const GET_ALL = { resource: 'task', operation: 'getAll', returnAll: true };

const results = resultsOf('memory', `Memory for ${TASKS.toLocaleString('en-US')} tasks`);

let replay: TaskReplay;
beforeAll(async () => {
	replay = await TaskReplay.start();
	await replay.record(TASKS);
});
afterAll(() => {
	replay.close();
});

/** What is alive in this process's heap, in bytes. */
function live(): number {
	if (globalThis.gc === undefined) throw new Error('Node collects garbage when asked to with --expose-gc alone');
	globalThis.gc();
	return process.memoryUsage().heapUsed;
}

/** The most that is alive at a request and when the node is done, over what is alive of its output. */
async function peakOverOutput(simplify: boolean): Promise<number> {
	let before = 0;
	let peak = 0;
	let output = 0;
	const node: INodeType = new LegalAi();
	const execute = async function (this: IExecuteFunctions): Promise<NodeOutput> {
		before = live();
		replay.onRequest = () => {
			peak = Math.max(peak, live() - before);
		};
		const items = (await node.execute?.call(this)) ?? [];
		output = live() - before;
		return items;
	};
	const watchedNode: INodeType = { description: node.description, execute };
	const sandbox = await startSandbox();
	const run = await runNode({
		sandbox,
		credential: { baseUrl: replay.baseUrl },
		parameters: { ...GET_ALL, simplify },
		nodeTypes: { 'n8n-nodes-legal-ai.legalAi': watchedNode },
	});
	await sandbox.close();
	expect(run.json).toHaveLength(TASKS);
	return Math.max(peak, output) / output;
}

test('what is alive', async () => {
	results.figure({
		what: `${TASKS.toLocaleString('en-US')} tasks, all of them: the most that is alive in the heap, over the output`,
		unit: '×',
		contenders: await alternate({
			[OURS]: async () => ({ value: await peakOverOutput(false) }),
			[SIMPLIFIED]: async () => ({ value: await peakOverOutput(true) }),
		}),
		targets: [{ atMost: 1.5 }, { of: SIMPLIFIED, atMost: 1.5 }],
		note: 'In n8n’s engine, looked at after a garbage collection: at each request for a page, and as the node returns.',
	});
});

/** In an n8n that has fetched one page before: by how much its memory grows at most. */
async function growth(publish: (stage: Stage) => Promise<Published>): Promise<Measured> {
	const stage = await Stage.open();
	const workflow = await publish(stage);
	await replay.record(10);
	await workflow.run();
	await replay.record(TASKS);
	const { memory } = await watchMemory(stage.n8n.pid, async () => { await workflow.start(); });
	await stage.close();
	return { value: growthOf(memory) / MEGABYTE };
}

const ours = (simplify: boolean) => async (stage: Stage): Promise<Published> => {
	const credential = await stage.n8n.createCredential(credentialType, 'Tasks', { ...KEY, baseUrl: replay.baseUrl });
	return await stage.publish('Legal AI', [legalAi('Tasks', credential, { ...GET_ALL, simplify })]);
};

const handBuilt = async (stage: Stage): Promise<Published> =>
	await stage.publish('Hand-built', allTasks({ baseUrl: replay.baseUrl, header: await keyHeader(stage.n8n, KEY.apiKey) }));

async function plainGrowth(): Promise<Measured> {
	const plain = await PlainProgram.start();
	await replay.record(10);
	await plain.run('allTasks', { ...KEY, baseUrl: replay.baseUrl });
	await replay.record(TASKS);
	const { memory } = await watchMemory(plain.pid, async () => await plain.run('allTasks', { ...KEY, baseUrl: replay.baseUrl }));
	plain.stop();
	return { value: growthOf(memory) / MEGABYTE };
}

test('the memory of a whole n8n', async () => {
	results.figure({
		what: `${TASKS.toLocaleString('en-US')} tasks, all of them: by how much n8n's memory grows at most`,
		unit: 'MB',
		contenders: await alternate({
			[OURS]: async () => await growth(ours(false)),
			[SIMPLIFIED]: async () => await growth(ours(true)),
			[HAND_BUILT]: async () => await growth(handBuilt),
			[PLAIN]: plainGrowth,
		}, { rounds: ROUNDS, warmUps: 0 }),
		targets: [{ against: HAND_BUILT, atMost: 1 }],
		note: 'Each run in an n8n that was just started, over the whole execution: garbage, and what n8n needs to store the items, are included.',
	});
});
