import { ExecutionLifecycleHooks } from 'n8n-core';
import type { ExecutionStatus, IRun } from 'n8n-workflow';

import type { StoredExecution } from './database.mts';
import type { Instance } from './instance.mts';
import { savedWorkflow, type ExecuteOptions } from './workflows.mts';

/**
 * Stores an execution as n8n's life-cycle hooks do: after each node if the workflow saves its progress, and when it is over
 * or parked. Its nodes go into the event log. `saved` resolves once the end of the run is stored.
 *
 * @param write runs its argument once the database can be written to, and never in a process that was killed
 */
export function savingHooks(
	stored: StoredExecution,
	{ mode = 'trigger' }: ExecuteOptions,
	{ database, eventLog }: Pick<Instance, 'database' | 'eventLog'>,
	write: (change: () => void) => Promise<void>,
) {
	const { id, workflow, endingCount } = stored;
	const { settings = {} } = workflow;
	// As n8n wakes an execution, it does not say what that is a retry of.
	const retryOf = endingCount > 0 ? undefined : stored.retryOf;
	const hooks = new ExecutionLifecycleHooks(mode, id, savedWorkflow(workflow), retryOf);
	let saved = Promise.resolve();

	eventLog.begin(id);
	hooks.addHandler('nodeExecuteBefore', (name) => {
		eventLog.add(id, name, 'started');
	});
	hooks.addHandler('nodeExecuteAfter', (name) => {
		eventLog.add(id, name, 'finished');
	});

	if (settings.saveExecutionProgress === true) {
		hooks.addHandler('nodeExecuteAfter', async (nodeName, _task, data) => {
			data.resultData.lastNodeExecuted = nodeName;
			await write(() => {
				database.update(id, { status: 'running', data }, ({ status }) => status !== 'success');
			});
		});
	}
	hooks.addHandler('workflowExecuteAfter', async (run) => {
		run.status = finalStatus(run);
		saved = write(() => {
			const { status, waitTill, data } = run;
			const changes = {
				status,
				waitTill: waitTill ?? undefined,
				data,
				endingCount: endingCount + 1,
			};
			// A canceled execution is stored as it was at that moment, whatever its node does then.
			database.update(id, changes, (before) => before.status !== 'canceled');
		});
		await saved;
	});
	return { hooks, saved: () => saved };
}

function finalStatus({ status, waitTill, data }: IRun): ExecutionStatus {
	if (waitTill != null) return 'waiting';
	if (status === 'crashed' || status === 'canceled' || status === 'error') return status;
	return data.resultData.error === undefined ? 'success' : 'error';
}
