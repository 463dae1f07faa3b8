import type {
	IExecuteData,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
	ITaskData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { BoundedMap, isRecord, type JsonRecord } from '../api';
import { resumeAddress } from '../callbacks/resumeAddress';
import { fillText, hints } from '../messages';
import type { KeptLedger, Ledger, Plan } from './ledger';
import {
	executionIdOf,
	isInEngine2,
	isRunByOtherNode,
	readLedger,
	writeLedger,
} from './ledgerStorage';

/*
 * The only file that changes internals of n8n, above all the stack of what an execution still has to run. n8n's types describe it
 * (IRunExecutionData), but it is not part of the public interface, so its shape is checked. The stack of an execution:
 *
 *   while the node runs       [others …]                                  the node's own entry is taken off
 *   while it is parked        [parked, barrier, continuation, others …]
 *   as n8n resumes it         parked: n8n disables its node; it has no data, so it ends without output
 *                             barrier: is disabled and empty, so it does nothing
 *                             continuation: execute() runs again, on the original input, with the ledger
 *
 * n8n never runs a parked entry again, hence the continuation. The barrier is for retries of an execution that was killed: n8n
 * disables what comes first on the stack, which may no longer be the parked entry. A retry with the workflow as it is now gives
 * all entries of one name the same node, and disables that. So the barrier has a name that no node has: n8n then refuses the
 * retry with the words of this name, instead of outputting the input as the answer.
 */

/** What is used here of n8n's `IRunExecutionData`. */
interface Run {
	executionData: Pick<
		NonNullable<IRunExecutionData['executionData']>,
		'contextData' | 'nodeExecutionStack'
	>;
	resultData: Pick<IRunExecutionData['resultData'], 'error' | 'runData'>;
	resumeToken?: unknown;
}

/** Undefined if this n8n keeps something else there. */
function runOf(context: IExecuteFunctions | IWebhookFunctions): Run | undefined {
	const run: unknown = Reflect.get(context, 'runExecutionData');
	return isRun(run) ? run : undefined;
}

function isRun(run: unknown): run is Run {
	if (!isRecord(run) || !isRecord(run.executionData) || !isRecord(run.resultData)) return false;
	const { contextData, nodeExecutionStack } = run.executionData;
	return (
		isRecord(contextData) && Array.isArray(nodeExecutionStack) && isRecord(run.resultData.runData)
	);
}

/** Where an execution can be parked: what {@link park} changes. */
export interface ParkingPlace {
	readonly context: IExecuteFunctions;
	readonly run: Run;
	readonly entry: IExecuteData;
}

/**
 * Undefined if n8n can't run this node again after it has parked. Only versions that sign the address for resuming let one of several
 * that resume an execution at once win. An evaluation takes a node that has parked, also in a sub-workflow, for one that is done.
 */
export function findParkingPlace(context: IExecuteFunctions): ParkingPlace | undefined {
	const isEvaluated = [context.getMode(), additionalDataOf(context).rootExecutionMode].includes(
		'evaluation',
	);
	if (isEvaluated || executionIdOf(context) === undefined || isInEngine2(context)) return undefined;
	if (resumeAddress(context)?.searchParams.has('signature') !== true) return undefined;
	return placeOf(context);
}

/** Undefined if this n8n keeps the entry of the node, or what its execution has to run, in another way. */
function placeOf(context: IExecuteFunctions): ParkingPlace | undefined {
	const run = runOf(context);
	if (run === undefined || isRunByOtherNode(context)) return undefined;
	const entry = context.getExecuteData();
	const ownContext = context.getContext('node');
	const { contextData, nodeExecutionStack: stack } = run.executionData;
	// In a copy of the run or of the entry, n8n would not see the changes, and answers would be lost.
	const isLive =
		Object.values(contextData).includes(ownContext) && entry === context.getExecuteData();
	return isLive && Object.isExtensible(stack) && !stack.includes(entry)
		? { context, run, entry }
		: undefined;
}

/**
 * Runs the node so that a retry goes on with it if the execution is canceled meanwhile, with what its ledger has. n8n stores a canceled
 * execution at once, without the entry that it has taken off; and with "Continue on Fail", an error would have it store the input as
 * the output. So the entry is back on the stack when n8n stores it, and the node outputs nothing.
 */
export async function runToBeRetried<Output>(
	context: IExecuteFunctions,
	act: () => Promise<Output>,
): Promise<Output | null> {
	const place = placeOf(context);
	const canceled = context.getExecutionCancelSignal();
	if (place === undefined || canceled === undefined) return await act();
	const { run, entry } = place;
	const putBack = (): void => {
		run.executionData.nodeExecutionStack.unshift({ ...entry });
		entry.node = { ...entry.node, alwaysOutputData: false };
	};
	if (canceled.aborted) putBack();
	canceled.addEventListener('abort', putBack);
	const output = await act()
		.catch((error: unknown) => {
			if (!canceled.aborted) throw error;
			return null;
		})
		.finally(() => {
			canceled.removeEventListener('abort', putBack);
		});
	return canceled.aborted ? null : output;
}

const EMPTY_RUN: ITaskData = {
	startTime: 0,
	executionTime: 0,
	executionIndex: 0,
	executionStatus: 'waiting',
	source: [],
};

/** Parks the execution. At `wakeAt`, or when a callback resumes it, n8n runs `execute()` again on the same input. */
export async function park(
	place: ParkingPlace,
	ledger: Ledger,
	plan: Plan,
	output: INodeExecutionData[],
): Promise<void> {
	const { context, run, entry: parked } = place;
	const { node, source } = parked;
	context.getExecutionCancelSignal()?.throwIfAborted();
	// Before anything is changed: if n8n refuses, the node fails with what was accepted.
	await context.putExecutionToWait(new Date(plan.wakeAt));
	// A node object of its own: as n8n resumes, it disables that of the parked entry.
	const continuation: IExecuteData = { ...parked, node: { ...node } };
	writeLedger(continuation, { ...ledger.kept, plan });
	const barrier: IExecuteData = {
		node: {
			...node,
			name: fillText(hints.barrierName, { name: node.name }),
			disabled: true,
			alwaysOutputData: false,
		},
		data: { main: [] },
		source,
		// No event about a node that is not in the workflow reaches the editor.
		metadata: { nodeWasResumed: true },
	};
	run.executionData.nodeExecutionStack.unshift(barrier, continuation);
	parked.node = { ...node, alwaysOutputData: false };
	parked.data = { main: [] };
	// As it resumes, n8n removes the last run, which it takes for that of the wait. An agent's tool calls have their runs in
	// advance, with what the model wants asked: the last one belongs to another call, unless there is one for n8n to remove.
	if (parked.runIndex !== undefined)
		run.resultData.runData[node.name]?.push({ ...EMPTY_RUN, data: { main: [output] } });
}

/** The IDs of waits after which this process has seen an execution continue. */
const continued = new BoundedMap<string, true>(10_000);

/**
 * An execution that runs this node has not failed, whatever n8n has kept: the retry of one that was stopped by hand keeps the error of
 * that, which n8n would throw once it has woken the node; and if n8n was killed while an agent waited for its tool, its recovery takes
 * the agent for a crashed one, and all further callbacks would be rejected.
 *
 * @param plan what n8n has woken the node for
 */
export function noteRunning(context: IExecuteFunctions, plan: Plan | undefined): void {
	if (plan !== undefined) continued.set(plan.id, true);
	delete runOf(context)?.resultData.error;
}

/** The entry that runs once a parked execution is resumed. */
export interface Continuation {
	readonly entry: IExecuteData;
	readonly kept: KeptLedger;
	readonly plan: Plan;
}

/** In `webhook()`: where the execution that is parked at this node continues; undefined if it is not. */
export function readContinuation(context: IWebhookFunctions): Continuation | undefined {
	for (const entry of runOf(context)?.executionData.nodeExecutionStack ?? []) {
		const kept = readLedger(entry);
		if (kept?.plan !== undefined) return { entry, kept, plan: kept.plan };
	}
	return undefined;
}

/**
 * In `webhook()`: has the execution continue by this plan when it is resumed; false if it has continued since it was stored like this,
 * and may be parked again: the older ledger that `webhook()` was given would make it ask again.
 */
export function continueFrom({ entry, kept }: Continuation, plan: Plan): boolean {
	if (continued.has(plan.id)) return false;
	continued.set(plan.id, true);
	writeLedger(entry, { ...kept, plan });
	return true;
}

/** When (ms since the epoch) n8n cancels the execution for its timeout; undefined without one. */
export function executionTimeoutAt(context: IExecuteFunctions): number | undefined {
	const timestamp = additionalDataOf(context).executionTimeoutTimestamp;
	return typeof timestamp === 'number' ? timestamp : undefined;
}

/**
 * What an execution shares with all retries of it, and theirs: the token that n8n makes for resuming it. n8n 1 has none: there, the ID
 * of the execution that this one is a retry of. Undefined without either. Engine 2.0 makes a token for each step.
 */
export function lineageOf(context: IExecuteFunctions): string | undefined {
	const token = runOf(context)?.resumeToken;
	if (typeof token === 'string' && !isInEngine2(context)) return token;
	const { hooks } = additionalDataOf(context);
	return isRecord(hooks) && typeof hooks.retryOf === 'string' ? hooks.retryOf : undefined;
}

function additionalDataOf(context: IExecuteFunctions): JsonRecord {
	const additional: unknown = Reflect.get(context, 'additionalData');
	return isRecord(additional) ? additional : {};
}
