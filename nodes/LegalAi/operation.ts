import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { LegalAiClient } from './api/client';

/** One run of the Legal AI node. */
export interface Run {
	context: IExecuteFunctions;
	/** The API, shared by all items so that they heed the service's limits together. */
	client: LegalAiClient;
	/** Ends waits when the execution is stopped, or when another item has ended the run. */
	signal: AbortSignal;
	/** When the run began, in ms since the epoch. */
	startedAt: number;
	/**
	 * Makes an item's output. Whatever goes wrong becomes the item's own output with "Continue on Fail", and ends
	 * the run without it.
	 */
	settle: (itemIndex: number, attempt: () => Promise<INodeExecutionData[]>) => Promise<INodeExecutionData[]>;
	/** Shows a sentence beside the node's output, once a run. */
	hint: (message: string) => void;
}

/** What an item asks for, read and checked, before anything is sent for any item. */
export interface Work {
	/**
	 * Works of one lane go one after the other, in the order of their items; others go side by side. Without
	 * it, the work has a lane of its own.
	 */
	lane?: string;
	/** Does it, and gives the output items (they are paired with the input item by the run). */
	perform: () => Promise<INodeExecutionData[]>;
}

/** An operation of the node: what the editor shows of it, and what it does with an item. */
export interface Operation {
	/** Its entry in the list of operations. */
	option: INodePropertyOptions;
	/** Its own fields; the node shows them for this operation alone. */
	fields: INodeProperties[];
	/** Reads and checks one item's parameters; sends nothing. Throws where the person has to change something. */
	plan: (run: Run, itemIndex: number) => Work | Promise<Work>;
	/** Sees all output items once every input item is through, and may change them. */
	finish?: (run: Run, output: INodeExecutionData[]) => Promise<INodeExecutionData[]>;
}

/** A resource of the API: its entry in the list of resources, and its operations by name, the first one preselected. */
export interface Resource {
	option: INodePropertyOptions;
	operations: Record<string, Operation>;
}
