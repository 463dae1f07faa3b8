import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { credentialType } from '../test/support/n8n/examples.mts';
import { itemsOf } from '../test/support/n8n/executions.mts';
import type { StoredCredential } from '../test/support/n8n/n8nClient.mts';
import { legalAi, node } from '../test/support/n8n/workflows.mts';
import { allTasks } from './support/handBuilt.mts';
import { PlainProgram } from './support/plainProgram.mts';
import { TaskReplay } from './support/replay.mts';
import { OURS, PLAIN, resultsOf } from './support/results.mts';
import { alternate, amounts, isQuick, type Measured, median } from './support/rounds.mts';
import { keyHeader, nodeTime, type Published, Stage } from './support/stage.mts';

const HAND_BUILT = 'HTTP Request, Split Out';
const FIVE_LINES = 'five-line node';

const results = resultsOf('sweep', 'Fetching every task');
const TASKS = isQuick ? 500 : 10_000;
const WHAT = `${TASKS.toLocaleString('en-US')} tasks, all of them`;

let stage: Stage;
let plain: PlainProgram;
let replay: TaskReplay;
let credential: StoredCredential;
let workflows: Record<'ours' | 'simplified' | 'handBuilt' | 'fiveLines', Published>;

beforeAll(async () => {
	stage = await Stage.open({ N8N_CUSTOM_EXTENSIONS: fileURLToPath(new URL('./support/fiveLines', import.meta.url)) });
	plain = await PlainProgram.start();
	replay = await TaskReplay.start();
	credential = await stage.n8n.createCredential(credentialType, 'Tasks', newKey());
	const access = { baseUrl: replay.baseUrl, header: await keyHeader(stage.n8n, newKey().apiKey) };
	const getAll = { resource: 'task', operation: 'getAll', returnAll: true };
	const { id, name } = credential;
	workflows = {
		ours: await stage.publish('Legal AI', [legalAi('Tasks', credential, { ...getAll, simplify: false })]),
		simplified: await stage.publish('Simplified', [legalAi('Tasks', credential, getAll)]),
		handBuilt: await stage.publish('Hand-built', allTasks(access)),
		fiveLines: await stage.publish('Five lines', [
			node('Tasks', 'CUSTOM.fiveLines', {}, { credentials: { legalAiApi: { id, name } } }),
		]),
	};
});
afterAll(async () => {
	plain.stop();
	replay.close();
	await stage.close();
});

/** Another key each time: what the node knows of the limits is the key's, and no run is to wait for those before. */
function newKey(): { baseUrl: string; apiKey: string } {
	return { baseUrl: replay.baseUrl, apiKey: `sk-svc-api1-${randomUUID()}` };
}

/** The contenders over so many tasks, each giving the time that its nodes took. */
async function contenders(count: number, latency = 0): Promise<Record<string, () => Promise<Measured>>> {
	await replay.record(count);
	replay.latency = latency;
	const timed = (workflow: Published, ...names: string[]) => async (): Promise<Measured> => {
		await stage.n8n.updateCredential(credential, newKey());
		const { execution, busy } = await workflow.run();
		expect(itemsOf(execution, names.at(-1) ?? '')).toHaveLength(count);
		return { value: nodeTime(execution, ...names), busy };
	};
	return {
		[OURS]: timed(workflows.ours, 'Tasks'),
		'Legal AI, simplified': timed(workflows.simplified, 'Tasks'),
		[HAND_BUILT]: timed(workflows.handBuilt, 'Pages', 'Split Out'),
		[FIVE_LINES]: timed(workflows.fiveLines, 'Tasks'),
		[PLAIN]: async () => await plain.run('allTasks', newKey()),
	};
}

test('every task, loopback', async () => {
	results.figure({
		what: `${WHAT}, loopback: the nodes' own time`,
		unit: 'ms',
		contenders: await alternate(await contenders(TASKS), { warmUps: 2 }),
		targets: [
			{ against: HAND_BUILT, atMost: 0.65 },
			{ against: FIVE_LINES, atMost: 1.15 },
		],
	});
});

test('every task, 50 ms of latency', async () => {
	results.figure({
		what: `${WHAT}, 50 ms of latency: the nodes' own time`,
		unit: 'ms',
		contenders: await alternate(await contenders(TASKS, 50)),
		targets: [{ against: PLAIN, atMost: 1.05 }, { of: FIVE_LINES, against: PLAIN, atMost: 1.05 }],
		note: 'The five-line node calls n8n’s request helper in a loop and does nothing else: what it takes beyond the plain program is n8n’s.',
	});
});

test('1 to 10,000 tasks', async () => {
	const points = [];
	for (const count of amounts(1, 10, 100, 1_000, 10_000)) {
		const samples = await alternate(await contenders(count));
		for (const [contender, { values }] of Object.entries(samples)) points.push({ contender, x: count, y: median(values) });
	}
	results.curve({ what: "Fetching every task: the nodes' own time", x: 'tasks', y: 'ms', points });
});
