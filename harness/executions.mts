import { parse } from 'flatted';
import type {
	ExecutionStatus,
	INodeExecutionData,
	IRunExecutionData,
	ITaskData,
} from 'n8n-workflow';

import { asRecord, asText, isRecord, type JsonRecord, optionalText } from './unknownJson.mts';

export type { ExecutionStatus };

/** The statuses that an execution can have. */
export const executionStatuses: readonly string[] = Object.keys({
	canceled: true,
	crashed: true,
	error: true,
	new: true,
	running: true,
	success: true,
	unknown: true,
	waiting: true,
} satisfies Record<ExecutionStatus, true>);

/** The statuses that an execution keeps. */
export const finalStatuses: readonly ExecutionStatus[] = [
	'success',
	'error',
	'canceled',
	'crashed',
];

/** An execution as n8n lists it. */
export interface ExecutionSummary {
	id: string;
	status: ExecutionStatus;
	mode: string;
}

/** One run of one node. */
export interface NodeRun {
	status: string | undefined;
	/** The items of each output. */
	outputs: readonly (readonly INodeExecutionData[])[];
	/** Hints next to the node's output. */
	hints: readonly unknown[];
	/** How long the node took, in ms. */
	executionTime: number;
}

/** An execution with the output of its nodes. */
export interface Execution extends ExecutionSummary {
	workflowId: string;
	/** Why a node, or the execution, failed: what the editor shows. */
	failure: { message: string; description: string | undefined } | undefined;
	waitTill: string | undefined;
	/** When it last came to an end or parked. */
	stoppedAt: string | undefined;
	/** The runs of each node, by the node's name. */
	runs: Readonly<Record<string, readonly NodeRun[]>>;
	/** The whole stored run data, decoded. */
	stored: JsonRecord;
}

/** The items that a node output in its last run; none if it did not run. */
export function readItems(execution: Execution, nodeName: string, output = 0) {
	return execution.runs[nodeName]?.at(-1)?.outputs[output] ?? [];
}

/** Reads an execution without its data from a response of n8n. */
export function readSummary(value: unknown): ExecutionSummary {
	const execution = asRecord(value, 'An execution');
	return {
		id: String(execution.id),
		status: asText(execution.status, 'The status of an execution') as ExecutionStatus,
		mode: asText(execution.mode, 'The mode of an execution'),
	};
}

/** Reads an execution with its data, which n8n returns as flatted JSON. */
export function readExecution(value: unknown): Execution {
	const execution = asRecord(value, 'An execution');
	const decoded: unknown = parse(asText(execution.data, 'The data of an execution'));
	const stored = isRecord(decoded) ? decoded : {};
	const { runData = {}, error }: Partial<IRunExecutionData['resultData']> = isRecord(
		stored.resultData,
	)
		? stored.resultData
		: {};
	return {
		...readSummary(execution),
		workflowId: asText(execution.workflowId, 'The workflow of an execution'),
		failure: error && { message: error.message, description: optionalText(error.description) },
		waitTill: optionalText(execution.waitTill),
		stoppedAt: optionalText(execution.stoppedAt),
		runs: Object.fromEntries(
			Object.entries(runData).map(([name, runs]) => [name, runs.map(readRun)]),
		),
		stored,
	};
}

function readRun({ data = {}, executionStatus, executionTime, hints = [] }: ITaskData): NodeRun {
	const outputs = Object.values(data).flat();
	return {
		status: executionStatus,
		outputs: outputs.map((items) => items ?? []),
		hints,
		executionTime,
	};
}
