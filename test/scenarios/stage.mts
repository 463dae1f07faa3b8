import type { ExecutionStatus, IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { Sandbox, SandboxSettings } from '../sandbox/sandbox.mts';

/** The name of the last node of a scenario's workflow: it passes on what comes out. */
export const AFTER = 'After';

/** What a scenario runs: nodes in a row that ask `<name> <item index>` for each item, and wait. */
export interface Asking {
	/** How many items come in; default 1. */
	items?: number;
	/** Default: one node, `Ask`. */
	names?: readonly string[];
	/** The same for each node. */
	parameters?: INodeParameters;
	settings?: Partial<INode>;
}

/** An n8n to run scenarios in, and the service that its nodes ask. It answers `Answer to <question>` when it is told. */
export interface Stage {
	service: Sandbox;
	/** Runs a workflow until it is parked or over. */
	start: (asking?: Asking) => Promise<Run>;
}

/** An execution that is parked or over, as it is then. */
export interface Run {
	status: ExecutionStatus;
	error: string | undefined;
	/** The JSON of the items that came out of the last node, one list for each time that it ran. */
	outputs: readonly (readonly IDataObject[])[];
	/** The input item that each output item of `Ask` belongs to. */
	pairs: readonly unknown[];
	/** What becomes of it once its next check is due. */
	wake(): Promise<Run>;
	/** What becomes of it once a callback has resumed it. */
	resumed(): Promise<Run>;
	/** What becomes of it if n8n has no free slot when its next check is due: it is woken twice then, with one state. */
	wakeTwice(): Promise<Run>;
	/** Somebody stops it while it is parked; what n8n has of it then. */
	stop(): Promise<Run>;
	/** n8n is killed while this execution is woken, as soon as that has sent its check, and started again. */
	killInCheck(): Promise<Run>;
	/** n8n is killed while this execution is parked, and started again. */
	killParked(): Promise<void>;
	/** What becomes of a retry with the original workflow. */
	retry(): Promise<Run>;
}

/** The parameters of a node that asks and waits. */
export function asking(name: string, more: INodeParameters = {}): INodeParameters {
	return {
		resource: 'question',
		operation: 'askAndWait',
		question: `=${name} {{ $itemIndex }}`,
		...more,
	};
}

/** Answers that come when a scenario completes their questions. */
export const answersWhenTold: SandboxSettings['answer'] = ({ text }) => ({
	status: 'completed',
	answer: `Answer to ${text}`,
	after: Infinity,
});
