import { WorkflowOperationError } from 'n8n-workflow';

import { chain, node } from '../../../harness/workflows.mts';
import { scenarios } from '../../scenarios/scenarios.mts';
import { AFTER, asking, answersWhenTold, type Run } from '../../scenarios/stage.mts';
import { readData } from '../../support/engine/database.mts';
import {
	BEFORE,
	type Execution,
	legalAiNode,
	onStoppedClock,
	PASS_ON,
	runWorkflow,
	settle,
} from '../../support/wait/onStoppedClock.mts';

const world = await onStoppedClock();
const { sandbox } = world;

async function runOf(ending: Promise<Execution>): Promise<Run> {
	const execution = await settle(ending);
	const { status, error, runData } = execution;
	return {
		status,
		error: error?.message,
		outputs: (runData[AFTER] ?? []).map(({ data }) =>
			(data?.main?.[0] ?? []).map(({ json }) => json),
		),
		pairs: execution.itemsOf('Ask').map(({ pairedItem }) => pairedItem),
		wake: () => runOf(execution.wake()),
		resumed: () => runOf(execution.resumed()),
		wakeTwice: async () => {
			await world.whileBusy(execution);
			const last = world.n8n.endings.entries.findLast(({ id }) => id === execution.id);
			return await runOf(Promise.resolve(last ?? execution));
		},
		// As n8n stops one that waits: it is over, with an error, and everything else stays as it is stored.
		stop: async () => {
			const { database } = world.n8n;
			const data = readData(database.get(execution.id));
			data.resultData.error = new WorkflowOperationError('The execution was cancelled manually');
			database.update(execution.id, { data, status: 'canceled', waitTill: undefined });
			Object.assign(execution.run, { status: 'canceled' });
			return await runOf(Promise.resolve(execution));
		},
		// Another process loads the code anew: that takes real time, in which the stopped clock must not move.
		killInCheck: async () => await runOf(Promise.resolve(await world.killInCheck(execution))),
		killParked: world.restart,
		retry: () => runOf(execution.retry()),
	};
}

test.each(Object.entries(scenarios))('%s', async (_name, scenario) => {
	sandbox.settings.answer = answersWhenTold;
	await scenario({
		sandbox,
		start: ({ items = 1, names = ['Ask'], parameters, settings } = {}) => {
			const nodes = names.map((name) =>
				legalAiNode({
					parameters: asking(name, parameters),
					node: { ...settings, id: name, name },
				}),
			);
			const workflow = chain('Scenario', [
				node(BEFORE, PASS_ON, {}),
				...nodes,
				node(AFTER, PASS_ON, {}),
			]);
			const input = Array.from({ length: items }, () => ({ json: {} }));
			return runOf(runWorkflow(workflow, { sandbox, n8n: world.n8n, items: input }));
		},
	});
});
