import { readItems } from '../harness/executions.mts';
import { legalAi } from '../harness/workflows.mts';
import { allTasks } from './support/handBuilt.mts';
import { PlainProgram } from './support/plainProgram.mts';
import { memoryGrowth } from './support/process.mts';
import { OURS, PLAIN } from './support/figures.mts';
import { openResults } from './support/results.mts';
import { alternate, isQuick } from './support/rounds.mts';
import { type Account, nodeTime, type Published, Stage } from './support/stage.mts';

const SIMPLIFIED = 'Legal AI, simplified';
const HAND_BUILT = 'HTTP Request, Split Out';
const TASKS = isQuick ? 500 : 10_000;
const WHAT = `${TASKS.toLocaleString('en-US')} tasks, all of them`;

const results = openResults('tasks', 'Fetching every task');

/** Fetches every task; the last of the nodes outputs them. */
interface Contender {
	publish: (stage: Stage, account: Account) => Promise<Published>;
	nodes: string[];
}

const ours = (simplify: boolean): Contender => ({
	publish: async (stage, { credential }) => {
		const parameters = { resource: 'task', operation: 'getAll', returnAll: true, simplify };
		return await stage.publish('Legal AI', [legalAi('Tasks', credential, parameters)]);
	},
	nodes: ['Tasks'],
});

const contenders: Readonly<Record<string, Contender>> = {
	[OURS]: ours(false),
	[SIMPLIFIED]: ours(true),
	[HAND_BUILT]: {
		publish: async (stage, account) => await stage.publish('Hand-built', allTasks(account)),
		nodes: ['Pages', 'Split Out'],
	},
};

function seed({ sandbox: { tasks } }: Account, count: number) {
	tasks.clear();
	tasks.seed(count);
}

test('time', async () => {
	const stage = await Stage.open();
	const plain = await PlainProgram.start();
	const account = await stage.account();
	seed(account, TASKS);
	account.sandbox.faults.add({ kind: 'latency', ms: 50, times: Infinity });
	const timed = async ({ publish, nodes }: Contender) => {
		const workflow = await publish(stage, account);
		return async () => {
			await account.renew();
			const execution = await workflow.run();
			expect(readItems(execution, nodes.at(-1) ?? '')).toHaveLength(TASKS);
			return nodeTime(execution, ...nodes);
		};
	};
	const runs = Object.entries(contenders).map(
		async ([name, contender]) => [name, await timed(contender)] as const,
	);
	const { baseUrl, sandbox } = account;
	results.figure({
		what: `${WHAT}, 50 ms of latency`,
		unit: 'ms',
		contenders: await alternate(
			{
				...Object.fromEntries(await Promise.all(runs)),
				[PLAIN]: async () => await plain.run('allTasks', { baseUrl, apiKey: sandbox.apiKey }),
			},
			{ warmUps: 2 },
		),
		targets: [{ against: HAND_BUILT, atMost: 1 }],
		meaning: 'Over a network, getting the pages of a list takes the same time with all of them.',
	});
	plain.stop();
	await stage.close();
});

/** In an n8n that has fetched one page before: by how much its memory grows at most. */
async function measureGrowth({ publish }: Contender) {
	const stage = await Stage.open();
	const account = await stage.account();
	const workflow = await publish(stage, account);
	seed(account, 10);
	await workflow.run();
	seed(account, TASKS);
	const growth = await memoryGrowth(stage.n8n.main.pid, async () => {
		await workflow.start();
	});
	await stage.close();
	return growth;
}

test('memory', async () => {
	const runs = Object.entries(contenders).map(
		([name, contender]) => [name, async () => await measureGrowth(contender)] as const,
	);
	results.figure({
		what: `${WHAT}: growth of n8n’s memory`,
		unit: 'MB',
		contenders: await alternate(Object.fromEntries(runs), { warmUps: 0 }),
		targets: [{ against: HAND_BUILT, atMost: 1 }],
		meaning: 'A long list needs no more memory than with n8n’s own nodes.',
		note: 'Each run is in an n8n that has just been started, and covers the whole execution. Garbage, and the memory that n8n needs to store the items, are included.',
	});
});
