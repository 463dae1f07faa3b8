import type { IExecuteData, IExecuteFunctions, ITaskData, IWebhookFunctions } from 'n8n-workflow';

import { isRecord, type JsonRecord } from '../api/json';
import { keepSpareMemory, readEntryMemory, writeEntryMemory, type EntryMemory, type ParkedMemory } from '../execution/entryMemory';

/**
 * The one place that reaches for what n8n keeps to itself: what an execution has still to run. n8n's types know its
 * shape (IRunExecutionData), but no public way leads there, so every step is checked.
 */
function stackOf(context: IExecuteFunctions | IWebhookFunctions): unknown[] | undefined {
	const { executionData } = runOf(context);
	const stack = isRecord(executionData) ? executionData.nodeExecutionStack : undefined;
	return Array.isArray(stack) ? stack : undefined;
}

/** The runs that n8n has noted of this node. */
function runsOf(context: IExecuteFunctions): unknown[] | undefined {
	const { resultData } = runOf(context);
	const runs = isRecord(resultData) && isRecord(resultData.runData) ? resultData.runData[context.getNode().name] : undefined;
	return Array.isArray(runs) ? runs : undefined;
}

function runOf(context: IExecuteFunctions | IWebhookFunctions): JsonRecord {
	const run: unknown = Reflect.get(context, 'runExecutionData');
	return isRecord(run) ? run : {};
}

/** Whether n8n lets this node be run again after it has parked. */
export function canWake(context: IExecuteFunctions): boolean {
	const [stack, entry] = [stackOf(context), context.getExecuteData()];
	return stack?.includes(entry) === false && Object.isExtensible(stack) && entry === context.getExecuteData() && isLive(context);
}

/** Whether this is what n8n itself goes on with. Of a copy, n8n would never see what changes, and the answers would be lost. */
function isLive(context: IExecuteFunctions): boolean {
	const ownContext = context.getContext('node');
	const { executionData } = runOf(context);
	const contexts = isRecord(executionData) && isRecord(executionData.contextData) ? executionData.contextData : {};
	return Object.values(contexts).includes(ownContext);
}

const EMPTY_RUN: ITaskData = { startTime: 0, executionTime: 0, executionIndex: 0, executionStatus: 'waiting', source: [] };

/**
 * Parks the execution. At `at`, or once `webhook()` has returned `workflowData: []`, n8n runs `execute()` again on the
 * same input, with `memory` on its entry. n8n never runs a parked entry of its stack again, so that one is made to end
 * without output, and a copy of it comes next.
 */
export async function parkAndWake(context: IExecuteFunctions, memory: EntryMemory, at: Date): Promise<void> {
	const entry = context.getExecuteData();
	const { node, source } = entry;
	// A node of its own: on resuming, n8n marks the parked entry's node as disabled.
	const copy: IExecuteData = { ...entry, node: { ...node } };
	writeEntryMemory(copy, memory);
	keepSpareMemory(context, memory);
	const ending = { ...node, alwaysOutputData: false };
	// n8n puts the parked entry in front of these two only after it has stored the progress of the workflow. If it is
	// killed in between, it disables, on a retry, what then comes first: not the copy, whose input would come out.
	stackOf(context)?.unshift({ node: { ...ending, disabled: true }, data: { main: [] }, source }, copy);
	entry.node = ending;
	entry.data = { main: [] };
	// On resuming, n8n takes the last run away, which it takes for that of the wait. Calls of an agent's tool have their runs
	// in advance, with what the model wants asked: the last is another call's, unless there is one for n8n to take.
	if (entry.runIndex !== undefined) runsOf(context)?.push(EMPTY_RUN);
	await context.putExecutionToWait(at);
}

/**
 * Once n8n has woken the node, its execution has not failed. If n8n was killed before, its recovery says so all the same:
 * it takes an agent that waits for its tool for one that crashed, and would turn away all callbacks from then on.
 */
export function dropError(context: IExecuteFunctions): void {
	const { resultData } = runOf(context);
	if (isRecord(resultData)) Reflect.deleteProperty(resultData, 'error');
}

/** The copy that runs once a parked execution is resumed, if it is this node that waits there. */
function parkedCopy(context: IWebhookFunctions): { entry: IExecuteData; memory: ParkedMemory } | undefined {
	for (const entry of stackOf(context)?.slice(1) ?? []) {
		if (!isEntry(entry) || entry.node.name !== context.getNode().name) continue;
		const memory = readEntryMemory(entry);
		if (isParked(memory)) return { entry, memory };
	}
	return undefined;
}

/**
 * In `webhook()`: what the parked execution remembers. Changes of it are stored if the execution is resumed.
 *
 * @returns undefined if this node does not wait there
 */
export function readParkedMemory(context: IWebhookFunctions): ParkedMemory | undefined {
	return parkedCopy(context)?.memory;
}

/** In `webhook()`: has the execution remember this when it is resumed. */
export function writeParkedMemory(context: IWebhookFunctions, memory: EntryMemory): void {
	const copy = parkedCopy(context);
	if (copy !== undefined) writeEntryMemory(copy.entry, memory);
}

/** In `webhook()`: the entry that is parked itself, as n8n resumes it. */
export function parkedEntry(context: IWebhookFunctions): IExecuteData | undefined {
	const entry: unknown = stackOf(context)?.[0];
	return isEntry(entry) ? entry : undefined;
}

/** In `webhook()`: makes an entry the next to run. */
export function runNext(context: IWebhookFunctions, entry: IExecuteData): void {
	stackOf(context)?.splice(1, 0, entry);
}

/** Until when (ms since the epoch) n8n lets an execution wake up: undefined without an execution time-out. */
export function executionTimeout(context: IExecuteFunctions): number | undefined {
	const additional: unknown = Reflect.get(context, 'additionalData');
	const timestamp = isRecord(additional) ? additional.executionTimeoutTimestamp : undefined;
	return typeof timestamp === 'number' ? timestamp : undefined;
}

function isParked(memory: EntryMemory | undefined): memory is ParkedMemory {
	return memory?.parked !== undefined;
}

function isEntry(value: unknown): value is IExecuteData {
	return isRecord(value) && isRecord(value.node) && isRecord(value.data);
}
