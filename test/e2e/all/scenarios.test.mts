import { afterAll, beforeAll, beforeEach, test } from 'vitest';

import { finalStatuses, type Execution } from '../../../harness/executions.mts';
import { startN8n, type N8n } from '../../../harness/n8n.mts';
import type { StoredCredential } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { chain, legalAi, node, questions, webhook } from '../../../harness/workflows.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { scenarios } from '../../scenarios/scenarios.mts';
import { AFTER, answersWhenTold, asking, type Run } from '../../scenarios/stage.mts';
import { openService } from '../service.mts';
import { wakeNow } from '../storedExecutions.mts';
import { wakingEveryTwoSeconds } from '../wakingSoon.mts';

let n8n: N8n;
let sandbox: Sandbox;
let credential: StoredCredential;
beforeAll(async () => {
	n8n = await startN8n({ environment: { ...wakingEveryTwoSeconds, N8N_EVENTBUS_RECOVERY_MODE: 'simple' } });
	({ sandbox, credential } = await openService(n8n, { answer: answersWhenTold }));
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await sandbox.close();
	await n8n.close();
});

/** The next ending of an execution, over or parked: a parked one is planned for another time than before. */
async function next({ id, waitTill }: Execution): Promise<Run> {
	const ending = await until(`execution ${id} to end or park again`, async () => {
		const execution = await n8n.execution(id);
		const isParked = execution.status === 'waiting' && execution.waitTill !== waitTill && new Date(execution.waitTill ?? 0) > new Date();
		return isParked || finalStatuses.includes(execution.status) ? execution : undefined;
	});
	return runOf(ending);
}

function runOf(execution: Execution): Run {
	const { id, status, failure, runs, workflowId } = execution;
	const wake = async (): Promise<Run> => {
		wakeNow(n8n, id);
		return await next({ ...execution, waitTill: undefined });
	};
	return {
		status,
		error: failure?.message,
		outputs: (runs[AFTER] ?? []).map(({ outputs: [items = []] }) => items.map(({ json }) => json)),
		pairs: (runs.Ask?.at(-1)?.outputs[0] ?? []).map(({ pairedItem }) => pairedItem),
		wake,
		resumed: async () => await next(execution),
		killInCheck: async () => {
			const hanging = sandbox.faults.add({ kind: 'hang', match: ({ method }) => method === 'GET' });
			wakeNow(n8n, id);
			await sandbox.waitForRequest(({ method }) => method === 'GET');
			await restart();
			hanging.remove();
			return await next(execution);
		},
		killParked: restart,
		retry: async () => {
			const known = await n8n.executions(workflowId);
			await n8n.retry(execution);
			return runOf(await n8n.waitForNextExecution(workflowId, known, ['waiting', ...finalStatuses]));
		},
	};
}

async function restart(): Promise<void> {
	await n8n.kill();
	await n8n.restart();
}

test.each(Object.entries(scenarios))('%s', async (scenarioName, scenario) => {
	await scenario({
		sandbox,
		start: async ({ items = 1, names = ['Ask'], parameters, settings } = {}) => {
			const path = [scenarioName, ...names].join('-').replaceAll(/\W+/g, '-');
			const nodes = names.map((name) => legalAi(name, credential, asking(name, parameters), settings));
			const workflow = await n8n.publish(
				chain(path, [webhook(path), questions(items), ...nodes, node(AFTER, 'n8n-nodes-base.noOp', {})]),
			);
			await n8n.callWebhook(path);
			return runOf(await n8n.waitForNextExecution(workflow.id, [], ['waiting', ...finalStatuses]));
		},
	});
});
