import { WorkflowOperationError } from 'n8n-workflow';

import { chain, node } from '../../../harness/workflows.mts';
import { scenarios } from '../../scenarios/scenarios.mts';
import { AFTER, asking, answersWhenTold, type Run } from '../../scenarios/stage.mts';
import { readData } from '../../support/engine/database.mts';
import {
	BEFORE,
	type Execution,
	legalAiNode,
	PASS_ON,
	runWorkflow,
	test,
	type Wait,
} from '../../support/fixtures.mts';

async function settleRun(wait: Wait, ending: Promise<Execution>): Promise<Run> {
	const { n8n, clock } = wait;
	const execution = await clock.settle(ending);
	const { status, error, runData } = execution;
	return {
		status,
		error: error?.message,
		outputs: (runData[AFTER] ?? []).map(({ data }) =>
			(data?.main?.[0] ?? []).map(({ json }) => json),
		),
		pairs: execution.readItems('Ask').map(({ pairedItem }) => pairedItem),
		wake: () => settleRun(wait, execution.wake()),
		resumed: () => settleRun(wait, execution.resumed()),
		wakeTwice: async () => {
			await wait.whileBusy(execution);
			const last = n8n.endings.entries.findLast(({ id }) => id === execution.id);
			return await settleRun(wait, Promise.resolve(last ?? execution));
		},
		// As n8n stops one that waits: it is over, with an error, and everything else stays as it is stored.
		stop: async () => {
			const { database } = n8n;
			const data = readData(database.get(execution.id));
			data.resultData.error = new WorkflowOperationError('The execution was cancelled manually');
			database.update(execution.id, { data, status: 'canceled', waitTill: undefined });
			Object.assign(execution.run, { status: 'canceled' });
			return await settleRun(wait, Promise.resolve(execution));
		},
		// Another process loads the code anew: that takes real time, in which the stopped clock must not move.
		killInCheck: async () =>
			await settleRun(wait, Promise.resolve(await wait.killInCheck(execution))),
		killParked: wait.restart,
		retry: () => settleRun(wait, execution.retry()),
	};
}

test.for(Object.entries(scenarios))('%s', async ([, scenario], { service, n8n, wait }) => {
	service.settings.answer = answersWhenTold;
	await scenario({
		service,
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
			return settleRun(wait, runWorkflow(workflow, { service, n8n, items: input }));
		},
	});
});
