import { readData, type Database } from './database.mts';
import type { NewExecution } from './process.mts';
import { createWorkflow, type ExecuteOptions, type WorkflowJson } from './workflows.mts';

/**
 * What a retry from the list of executions starts with: the stack that the execution ended with, in a new execution.
 *
 * @param current the workflow as it is now, for "Retry with currently saved workflow"; otherwise the one that ran
 * @throws if there is nothing to retry
 */
export function createRetry(
	database: Database,
	id: string,
	options: ExecuteOptions,
	current?: WorkflowJson,
): NewExecution {
	const stored = database.get(id);
	const data = readData(stored);
	if (stored.status === 'success')
		throw new Error('The execution succeeded, so it cannot be retried.');
	if (data.executionData === undefined)
		throw new Error('The execution was aborted, so it cannot be retried.');

	const { lastNodeExecuted, runData } = data.resultData;
	if (lastNodeExecuted !== undefined) {
		delete data.resultData.error;
		const runs = runData[lastNodeExecuted];
		if (runs?.at(-1)?.error !== undefined) runs.pop();
	}
	const workflow = { ...(current ?? stored.workflow), active: false };
	if (current !== undefined) {
		const live = createWorkflow(current, options);
		for (const entry of data.executionData.nodeExecutionStack) {
			const node = live.getNode(entry.node.name);
			if (node === null)
				throw new Error(`Could not find the node "${entry.node.name}" in workflow.`);
			entry.node = node;
		}
	}
	const signal = new AbortController().signal;
	return { workflow, options: { ...stored.options, mode: 'retry', signal }, retryOf: id, data };
}
