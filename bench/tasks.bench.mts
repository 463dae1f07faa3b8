import { randomUUID } from 'node:crypto';

import { credentialType } from '../harness/examples.mts';
import { itemsOf } from '../harness/executions.mts';
import { memoryGrowth } from '../harness/memory.mts';
import type { StoredCredential } from '../harness/n8nClient.mts';
import { legalAi } from '../harness/workflows.mts';
import { allTasks } from './support/handBuilt.mts';
import { PlainProgram } from './support/plainProgram.mts';
import { TaskReplay } from './support/replay.mts';
import { OURS, PLAIN, resultsOf } from './support/results.mts';
import { alternate, isQuick, type Measured } from './support/rounds.mts';
import { keyHeader, nodeTime, type Published, Stage } from './support/stage.mts';

const SIMPLIFIED = 'Legal AI, simplified';
const HAND_BUILT = 'HTTP Request, Split Out';
const TASKS = isQuick ? 500 : 10_000;
const WHAT = `${TASKS.toLocaleString('en-US')} tasks, all of them`;
const MEGABYTE = 1024 * 1024;

const results = resultsOf('tasks', 'Fetching every task');

let replay: TaskReplay;
beforeAll(async () => {
	replay = await TaskReplay.start();
});
afterAll(() => {
	replay.close();
});

/** Another key each time: what the node knows of the limits is the key's, and no run is to wait for those before. */
function newKey(): { baseUrl: string; apiKey: string } {
	return { baseUrl: replay.baseUrl, apiKey: `sk-svc-api1-${randomUUID()}` };
}

type Publish = (stage: Stage, credential: StoredCredential) => Promise<Published>;

const ours =
	(simplify: boolean): Publish =>
	async (stage, credential) =>
		await stage.publish('Legal AI', [
			legalAi('Tasks', credential, {
				resource: 'task',
				operation: 'getAll',
				returnAll: true,
				simplify,
			}),
		]);

const handBuilt: Publish = async (stage) =>
	await stage.publish(
		'Hand-built',
		allTasks({ baseUrl: replay.baseUrl, header: await keyHeader(stage.n8n, newKey().apiKey) }),
	);

test.each([
	[0, 'loopback'],
	[50, '50 ms of latency'],
] as const)('time, %i ms of latency', async (latency, words) => {
	const stage = await Stage.open();
	const plain = await PlainProgram.start();
	const credential = await stage.n8n.createCredential(credentialType, 'Tasks', newKey());
	await replay.record(TASKS);
	replay.latency = latency;
	const timed = async (publish: Publish, ...names: string[]): Promise<() => Promise<Measured>> => {
		const workflow = await publish(stage, credential);
		return async () => {
			await stage.n8n.updateCredential(credential, newKey());
			const { execution, busy } = await workflow.run();
			expect(itemsOf(execution, names.at(-1) ?? '')).toHaveLength(TASKS);
			return { value: nodeTime(execution, ...names), busy };
		};
	};
	results.figure({
		what: `${WHAT}, ${words}`,
		unit: 'ms',
		contenders: await alternate(
			{
				[OURS]: await timed(ours(false), 'Tasks'),
				[SIMPLIFIED]: await timed(ours(true), 'Tasks'),
				[HAND_BUILT]: await timed(handBuilt, 'Pages', 'Split Out'),
				[PLAIN]: async () => await plain.run('allTasks', newKey()),
			},
			{ warmUps: 2 },
		),
		targets: [{ against: HAND_BUILT, atMost: latency === 0 ? 0.65 : 1 }],
		meaning:
			latency === 0
				? 'The node works half as long for a page as n8n’s own nodes.'
				: 'Over a network, the pages take their time whoever asks.',
	});
	replay.latency = 0;
	plain.stop();
	await stage.close();
});

/** In an n8n that has fetched one page before: by how much its memory grows at most. */
async function growth(publish: Publish): Promise<Measured> {
	const stage = await Stage.open();
	const workflow = await publish(
		stage,
		await stage.n8n.createCredential(credentialType, 'Tasks', newKey()),
	);
	await replay.record(10);
	await workflow.run();
	await replay.record(TASKS);
	const bytes = await memoryGrowth(stage.n8n.main.pid, async () => {
		await workflow.start();
	});
	await stage.close();
	return { value: bytes / MEGABYTE };
}

test('memory', async () => {
	results.figure({
		what: `${WHAT}: growth of n8n’s memory`,
		unit: 'MB',
		contenders: await alternate(
			{
				[OURS]: async () => await growth(ours(false)),
				[SIMPLIFIED]: async () => await growth(ours(true)),
				[HAND_BUILT]: async () => await growth(handBuilt),
			},
			{ warmUps: 0 },
		),
		targets: [{ against: HAND_BUILT, atMost: 1 }],
		meaning: 'A long list needs no more memory than with n8n’s own nodes.',
		note: 'Each run in an n8n that was just started, over the whole execution: garbage, and what n8n needs to store the items, are included.',
	});
});
