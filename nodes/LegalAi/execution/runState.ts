import { createHash } from 'crypto';
import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import { BoundedMap } from '../api/boundedMap';
import type { ApiError } from '../api/errors';
import { isRecord } from '../api/json';
import type { Rejection } from '../callbacks/callback';
import type { UploadJob } from '../files/upload';

/** A question or a task that the service has accepted, as far as the operation needs it to continue. */
export type AcceptedRecord = IDataObject & { id: string };

/** What the service has accepted for an item. */
export interface AcceptedItem {
	record: AcceptedRecord;
	/** In ms since the epoch. */
	acceptedAt: number;
	/** Whether this node has sent it, rather than found it at the service. */
	isOwn: boolean;
	/** What the operation noted when it was sent, for when its item is output: recomputing it could evaluate an expression. */
	notes?: readonly string[];
}

/** An error after which the service may still have accepted the request: it is never sent again. */
type Uncertainty = Pick<ApiError, 'kind' | 'details'>;

/** What is kept of a wait while the execution is parked; all times are in ms since the epoch. */
export interface WaitState {
	/** Unique each time that the execution is parked. */
	id: string;
	/** How many of the planned checks are over: the more, the longer until the next. */
	round: number;
	/** When n8n wakes the node to check. */
	nextCheckAt: number;
	/** After this, n8n would cancel the execution for its timeout when it wakes. */
	lastWakeAt?: number;
	/** Whether that time has come, so that only a callback can still bring an answer. */
	isPastLastWake: boolean;
	/** Until when each accepted question is waited for, by item index. */
	answerDeadlines: Record<string, number>;
	/** The items that are still to be asked, each after the open question of its session, by item index. */
	turns: Record<string, { session?: string; askUntil?: number }>;
	/** The IDs of open questions whose sessions have more to be asked: their answers resume the execution at once. */
	blockingIds: string[];
	/** What was wrong with the signature of callbacks that have arrived; undefined if nothing was. */
	rejected?: Rejection['signature'];
	/** Whether a callback has resumed the execution: no reason to check the other questions. */
	isCalledBack: boolean;
}

/**
 * What a node remembers between its runs on the same input, so that nothing which the service has accepted is sent again
 * when n8n runs the node again: because it wakes up, because of "Retry On Fail", or because the execution is retried.
 */
export interface RunState {
	version: typeof VERSION;
	/** Another execution's ID tells a retry from the list of executions. */
	executionId: string;
	/** A hash of the node's parameters and its credential: an edited node asks another question, or another organization. */
	parameters: string;
	/** By item index, as everything here. */
	accepted: Record<string, AcceptedItem>;
	uncertain: Record<string, Uncertainty>;
	/** The JSON that items are output with which have failed. */
	failed: Record<string, IDataObject>;
	uploads: Record<string, UploadJob[]>;
	/** What the execution is parked for; a run that n8n has woken reads it as its `wokenFrom`. */
	wait?: WaitState;
}

/** Changes with the shape of what is kept. */
const VERSION = 1;

/** The name of the state in the metadata of n8n's stack entry, which n8n stores with the execution. */
const KEY = 'legalAi';

/** What is not kept on the entry: the state of a tool's call, and that of an entry whose items are output. */
const statesInProcess = new WeakMap<object, RunState>();

/**
 * Keeps the state from one run of the node to the next, with all changes that are made of it later: on n8n's entry, or by the
 * call of a tool that another node runs many times with one entry. Once everything is output, n8n need not store it; it is
 * still found if n8n runs the node again immediately.
 */
export function keepState(context: IExecuteFunctions, state: RunState, isOutput = false): void {
	const { entry, call } = ownersOf(context);
	statesInProcess.set(call ?? entry, state);
	if (call === undefined) writeState(entry, isOutput ? undefined : state);
}

function ownersOf(context: IExecuteFunctions): { entry: IExecuteData; call: object | undefined } {
	const call = isRunByOtherNode(context) ? context.getInputData()[0]?.json : undefined;
	return { entry: context.getExecuteData(), call };
}

/**
 * Whether a node is a tool that another node runs itself, many times with its own entry of the stack: AI Agent 2, n8n's MCP
 * trigger, and what n8n puts in an agent's place to execute the step of a tool alone. AI Agent 3 has n8n run it like any
 * other node.
 */
export function isRunByOtherNode(context: Pick<IExecuteFunctions, 'getNode' | 'getExecuteData'>): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

/** What the process knows of an item. */
type ItemMemory = { accepted?: AcceptedItem; uncertain?: Uncertainty };

const memories = new BoundedMap<string, ItemMemory>(10_000);

/**
 * What this process has seen become of an item, for a run that begins with an older state: n8n may continue an execution with a
 * state that it read before the latest was stored, and then runs once more whatever comes after. It is the same if the same
 * node, in the same of its runs, has the same content for an item, and the same key for the same service (`account`): a
 * credential can be another one for each user. The calls of a tool that another node runs all look the same, as do those of
 * n8n's Agents, which run a tool outside any execution.
 */
export function processMemory(context: IExecuteFunctions, account: string, itemIndex: number, content: unknown): ItemMemory {
	const executionId: string | undefined = context.getExecutionId();
	if (executionId === undefined || isRunByOtherNode(context)) return {};
	const { $runIndex: runIndex } = context.getWorkflowDataProxy(0);
	const key = hashOf([executionId, account, context.getNode().name, runIndex, itemIndex, content]);
	const memory = memories.get(key) ?? {};
	memories.set(key, memory);
	return memory;
}

/**
 * The state that a run begins with: all of it if n8n has woken the node; what the service has, or may have, accepted if
 * n8n runs the node again for another reason; and nothing in a retry of a node that was edited.
 */
export function beginState(context: IExecuteFunctions): { state: RunState; isRetry: boolean } {
	const executionId = context.getExecutionId();
	// The options say how to wait and what to output, and nothing about what is asked.
	const { parameters: fields, credentials } = context.getNode();
	const parameters = hashOf([{ ...fields, options: undefined }, credentials]);
	const { entry, call } = ownersOf(context);
	const kept = call === undefined ? (readState(entry) ?? statesInProcess.get(entry)) : statesInProcess.get(call);
	const isRetry = kept !== undefined && kept.executionId !== executionId;
	if (kept?.wait !== undefined && !isRetry) return { state: kept, isRetry };
	const isKept = kept !== undefined && (!isRetry || kept.parameters === parameters);
	const { accepted, uncertain } = isKept ? kept : { accepted: {}, uncertain: {} };
	// An execution may be retried when uploads are no longer kept.
	const uploads = kept === undefined || isRetry ? {} : kept.uploads;
	return { state: { version: VERSION, executionId, parameters, accepted, uncertain, failed: {}, uploads }, isRetry };
}

/** The state on an entry of n8n's stack; undefined if there is none. */
export function readState(entry: IExecuteData): RunState | undefined {
	const state: unknown = entry.metadata === undefined ? undefined : Reflect.get(entry.metadata, KEY);
	return isRunState(state) ? state : undefined;
}

/** Puts the state on an entry of n8n's stack, or takes it away. */
export function writeState(entry: IExecuteData, state: RunState | undefined): void {
	const metadata = { ...entry.metadata, [KEY]: state };
	if (state === undefined) Reflect.deleteProperty(metadata, KEY);
	entry.metadata = metadata;
}

/** Nothing but this node writes there, so the version tells the shape. */
function isRunState(value: unknown): value is RunState {
	return isRecord(value) && value.version === VERSION;
}

function hashOf(content: unknown): string {
	return createHash('sha256').update(JSON.stringify(content)).digest('base64').slice(0, 16);
}
