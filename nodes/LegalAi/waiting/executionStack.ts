import type { IExecuteData, IExecuteFunctions, ITaskData, IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../api/boundedMap';
import { isRecord, type JsonRecord } from '../api/json';
import { isToolOfOldAgent, readState, writeState, type ParkedState, type RunState, type WaitState } from '../execution/runState';
import { hints } from '../messages/hints';
import { fillText } from '../messages/template';
import { resumeAddress } from './resumeAddress';

/*
 * The only file that uses an internal of n8n: the stack of what an execution still has to run. n8n's types describe it
 * (IRunExecutionData), but it is not part of the public interface, so every step is checked. The stack of an execution:
 *
 *   while the node runs       [others …]                                  the node's own entry is taken off
 *   while it is parked        [parked, barrier, continuation, others …]
 *   as n8n resumes it         parked: n8n disables its node; it has no data, so it ends without output
 *                             barrier: is disabled and empty, so it does nothing
 *                             continuation: execute() runs again, on the original input, with the state
 *
 * n8n never runs a parked entry again, hence the continuation. The barrier is for retries of an execution that was killed: n8n
 * disables what comes first on the stack, which may no longer be the parked entry. A retry with the workflow as it is now gives
 * all entries of one name the same node, and disables that. So the barrier has a name that no node has: n8n then refuses the
 * retry with the words of this name, instead of outputting the input as the answer.
 */

function stackOf(context: IExecuteFunctions | IWebhookFunctions): unknown[] | undefined {
	const { executionData } = runOf(context);
	const stack = isRecord(executionData) ? executionData.nodeExecutionStack : undefined;
	return Array.isArray(stack) ? stack : undefined;
}

/** The runs that n8n has recorded of this node. */
function runsOf(context: IExecuteFunctions): unknown[] | undefined {
	const { resultData } = runOf(context);
	const runs = isRecord(resultData) && isRecord(resultData.runData) ? resultData.runData[context.getNode().name] : undefined;
	return Array.isArray(runs) ? runs : undefined;
}

function runOf(context: IExecuteFunctions | IWebhookFunctions): JsonRecord {
	const run: unknown = Reflect.get(context, 'runExecutionData');
	return isRecord(run) ? run : {};
}

/**
 * Whether n8n can run this node again after it has parked. Versions that sign the address for resuming let only one of
 * several that resume an execution at once win; with any other, an execution might continue twice.
 */
export function canBeParked(context: IExecuteFunctions): boolean {
	if (isToolOfOldAgent(context) || resumeAddress(context)?.searchParams.has('signature') !== true) return false;
	const [stack, entry] = [stackOf(context), context.getExecuteData()];
	const isChangeable = stack?.includes(entry) === false && Object.isExtensible(stack) && entry === context.getExecuteData();
	return isChangeable && isLive(context);
}

/** Whether n8n itself continues with this stack. In a copy, n8n would not see the changes, and answers would be lost. */
function isLive(context: IExecuteFunctions): boolean {
	const ownContext = context.getContext('node');
	const { executionData } = runOf(context);
	const contexts = isRecord(executionData) && isRecord(executionData.contextData) ? executionData.contextData : {};
	return Object.values(contexts).includes(ownContext);
}

const EMPTY_RUN: ITaskData = { startTime: 0, executionTime: 0, executionIndex: 0, executionStatus: 'waiting', source: [] };

/**
 * Parks the execution. At `wakeAt` (ms since the epoch), or once `webhook()` has returned `workflowData: []`, n8n runs
 * `execute()` again on the same input, with the state on its entry.
 */
export async function park(context: IExecuteFunctions, state: ParkedState, wakeAt: number): Promise<void> {
	const parked = context.getExecuteData();
	const { node, source } = parked;
	// A node object of its own: as n8n resumes, it disables that of the parked entry.
	const continuation: IExecuteData = { ...parked, node: { ...node } };
	writeState(continuation, state);
	const barrier: IExecuteData = {
		node: { ...node, name: fillText(hints.barrierName, { name: node.name }), disabled: true, alwaysOutputData: false },
		data: { main: [] },
		source,
		// No event about a node that is not in the workflow reaches the editor.
		metadata: { nodeWasResumed: true },
	};
	stackOf(context)?.unshift(barrier, continuation);
	writeState(parked, undefined);
	parked.node = { ...node, alwaysOutputData: false };
	parked.data = { main: [] };
	// As it resumes, n8n removes the last run, which it takes for that of the wait. An agent's tool calls have their runs in
	// advance, with what the model wants asked: the last one belongs to another call, unless there is one for n8n to remove.
	if (parked.runIndex !== undefined) runsOf(context)?.push(EMPTY_RUN);
	await context.putExecutionToWait(new Date(wakeAt));
}

/** The IDs of waits after which this process has seen an execution continue. */
const continued = new BoundedMap<string, true>(10_000);

/**
 * Once n8n has woken the node, its execution has not failed. If n8n was killed before, its recovery marks it as failed
 * anyway: it takes an agent that waits for its tool for a crashed one, and all further callbacks would be rejected.
 */
export function noteWoken(context: IExecuteFunctions, { id }: WaitState): void {
	continued.set(id, true);
	const { resultData } = runOf(context);
	if (isRecord(resultData)) Reflect.deleteProperty(resultData, 'error');
}

/** In `webhook()`: the state of the execution that is parked at this node; undefined if this node does not wait there. */
export function readParkedState(context: IWebhookFunctions): ParkedState | undefined {
	return continuationOf(context)?.state;
}

/**
 * In `webhook()`: has the execution continue with a state when it is resumed; false if it has continued since it was stored
 * like this. n8n only makes sure that an execution is parked when it is resumed. By now it may be parked again, and the older
 * state that `webhook()` was given would make it ask again.
 */
export function continueWith(context: IWebhookFunctions, state: ParkedState): boolean {
	const { id } = state.wait;
	const continuation = continuationOf(context);
	if (continuation === undefined || continued.has(id)) return false;
	continued.set(id, true);
	writeState(continuation.entry, state);
	return true;
}

/** The entry that runs once a parked execution is resumed, if it is this node that waits there. */
function continuationOf(context: IWebhookFunctions): { entry: IExecuteData; state: ParkedState } | undefined {
	for (const entry of stackOf(context)?.slice(1) ?? []) {
		if (!isEntry(entry) || entry.node.name !== context.getNode().name) continue;
		const state = readState(entry);
		if (isParked(state)) return { entry, state };
	}
	return undefined;
}

/** When (ms since the epoch) n8n cancels the execution for its timeout; undefined without one. */
export function executionTimeoutAt(context: IExecuteFunctions): number | undefined {
	const additional: unknown = Reflect.get(context, 'additionalData');
	const timestamp = isRecord(additional) ? additional.executionTimeoutTimestamp : undefined;
	return typeof timestamp === 'number' ? timestamp : undefined;
}

function isParked(state: RunState | undefined): state is ParkedState {
	return state?.wait !== undefined;
}

function isEntry(value: unknown): value is IExecuteData {
	return isRecord(value) && isRecord(value.node) && isRecord(value.data);
}
