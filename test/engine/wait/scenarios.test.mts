import type { INode } from 'n8n-workflow';
import { afterAll, afterEach, beforeEach, test } from 'vitest';

import { chain, node } from '../../../harness/workflows.mts';
import { startSandbox } from '../../sandbox/sandbox.mts';
import { scenarios } from '../../scenarios/scenarios.mts';
import { AFTER, asking, answersWhenTold, type Run } from '../../scenarios/stage.mts';
import { BEFORE, Instance, legalAiNode, PASS_ON, runWorkflow, type Execution } from '../../support/engine/engine.mts';
import { freshNodes } from '../freshNodes.mts';

const sandbox = await startSandbox({ answer: answersWhenTold });
afterAll(() => sandbox.close());

let n8n: Instance;
beforeEach(async () => {
	await sandbox.reset();
	n8n = await Instance.start();
});
afterEach(() => n8n.close());

const passOn = (name: string): INode => node(name, PASS_ON, {});

function runOf(execution: Execution): Run {
	const { status, error, runData } = execution;
	return {
		status,
		error: error?.message,
		outputs: (runData[AFTER] ?? []).map(({ data }) => (data?.main?.[0] ?? []).map(({ json }) => json)),
		pairs: execution.itemsOf('Ask').map(({ pairedItem }) => pairedItem),
		wake: async () => runOf(await execution.wake()),
		resumed: async () => runOf(await execution.resumed()),
		killInCheck: async () => {
			const hanging = sandbox.faults.add({ kind: 'hang', match: ({ method }) => method === 'GET' });
			void execution.wake();
			await sandbox.waitForRequest(({ method }) => method === 'GET');
			await restart();
			hanging.remove();
			return runOf(await execution.resumed());
		},
		killParked: restart,
		retry: async () => runOf(await execution.retry()),
	};
}

/** Nothing that the process knew is known to the next one. */
async function restart(): Promise<void> {
	n8n.kill();
	n8n.restart(freshNodes());
	await Promise.resolve();
}

test.each(Object.entries(scenarios))('%s', async (_name, scenario) => {
	await scenario({
		sandbox,
		start: async ({ items = 1, names = ['Ask'], parameters, settings } = {}) => {
			const nodes = names.map((name) => legalAiNode({ parameters: asking(name, parameters), node: { ...settings, id: name, name } }));
			const workflow = chain('Scenario', [passOn(BEFORE), ...nodes, passOn(AFTER)]);
			const input = Array.from({ length: items }, () => ({ json: {} }));
			return runOf(await runWorkflow({ ...workflow, nodes: [...workflow.nodes] }, { sandbox, n8n, items: input, startNode: BEFORE }));
		},
	});
});
