import {
	createRunExecutionData,
	type ExecuteWorkflowOptions,
	type IExecuteWorkflowInfo,
	type IRun,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { readData, type StoredExecution } from './database.mts';
import type { N8nProcess } from './process.mts';
import { createWorkflow } from './workflows.mts';

/** Runs a sub-workflow for its caller, until it is over or parked. */
export async function executeSubWorkflow(
	n8nProcess: N8nProcess,
	caller: StoredExecution,
	{ id }: IExecuteWorkflowInfo,
	_additionalData: IWorkflowExecuteAdditionalData,
	{ inputData, parentExecution }: ExecuteWorkflowOptions,
) {
	const workflow = caller.options.workflows?.find((other) => other.id === id);
	if (workflow === undefined) throw new Error('Workflow does not exist.');
	const live = createWorkflow(workflow, caller.options);
	const start = Object.values(live.nodes).find(
		({ name }) => live.getParentNodes(name).length === 0,
	);
	if (start === undefined) throw new Error('The workflow has no node to start with');
	const main = [inputData ?? [{ json: {} }]];
	const data = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [
				{ node: start, data: { main }, metadata: { parentExecution }, source: null },
			],
		},
		parentExecution,
	});
	const begun = await n8nProcess.begin({
		workflow,
		options: { ...caller.options, mode: 'integrated' },
		data,
	});
	const run = await begun.over;
	if (run.data.resultData.error !== undefined) throw run.data.resultData.error;
	return { executionId: begun.id, data: readOutput(run), waitTill: run.waitTill ?? null };
}

/** A sub-workflow that was parked and is now over: its caller continues with its output. */
export async function handToCaller(n8nProcess: N8nProcess, run: IRun) {
	const { parentExecution } = run.data;
	if (parentExecution === undefined || run.status === 'waiting') return;
	const caller = n8nProcess.n8n.database.find(parentExecution.executionId);
	if (caller?.status !== 'waiting') return;
	const data = readData(caller);
	const entry = data.executionData?.nodeExecutionStack[0];
	if (entry === undefined) return;
	entry.data = { main: readOutput(run) };
	await n8nProcess.patch(caller.id, data);
	await n8nProcess.wake(caller.id);
}

/** The output of the node that ran last. */
function readOutput({ data: { resultData } }: IRun) {
	const runs = resultData.runData[resultData.lastNodeExecuted ?? ''];
	return runs?.at(-1)?.data?.main ?? [null];
}
