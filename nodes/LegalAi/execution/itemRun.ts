import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { LegalAiClient } from '../api/client';
import { ApiError } from '../api/errors';
import type { UploadJob } from '../files/upload';
import type { CountedHint } from '../messages/hints';
import { errorOfFailedItem, failedItemJson, toNodeError } from './nodeError';
import { processMemory, type AcceptedRecord, type RunState } from './runState';

/** What an operation works with. */
export interface Services {
	context: IExecuteFunctions;
	/**
	 * The API, shared by all items so that they keep to the service's limits together.
	 *
	 * @throws what is wrong with the credential, if it can't be used
	 */
	readonly client: LegalAiClient;
	/** Shows a sentence beside the node's output, once a run. */
	hint: (message: string) => void;
	/** Counts an item; the output has a sentence on how many there were. */
	count: (hint: CountedHint) => void;
	/** Does something once a run, however many items need it; if it throws, it throws for all of them. */
	once: (key: string, act: () => Promise<void>) => Promise<void>;
}

/** One item's turn. */
export interface ItemRun extends Services {
	itemIndex: number;
	item: INodeExecutionData;
	/**
	 * Sends a request at most once, even if n8n runs the node again: what the service accepted before is returned again, and
	 * an error that leaves open whether it did is thrown again. `content` is what the request is about, as JSON.
	 */
	acceptOnce: <T extends AcceptedRecord>(
		content: unknown,
		request: () => Promise<T>,
		revive: (record: AcceptedRecord) => T,
		notes?: readonly string[],
	) => Promise<T>;
	/** What was noted when it was accepted; empty before that. */
	readonly notes: readonly string[];
	/** The files that were uploaded for the item, also in earlier runs of the node; to be added to. */
	readonly uploads: UploadJob[];
}

/** An item's turn in a run, whose services it has. */
export function itemRunOf(run: Services & { readonly state: RunState }, itemIndex: number): ItemRun {
	const { context, hint, count, once } = run;
	const { accepted, failed } = run.state;
	return {
		context,
		hint,
		count,
		once,
		get client() {
			return run.client;
		},
		itemIndex,
		item: context.getInputData()[itemIndex] ?? { json: {} },
		get notes() {
			return accepted[itemIndex]?.notes ?? [];
		},
		get uploads() {
			return (run.state.uploads[itemIndex] ??= []);
		},
		acceptOnce: async (content, request, revive, notes) => {
			const inProcess = processMemory(context, itemIndex, content);
			const before = accepted[itemIndex] ?? inProcess.accepted;
			const failure = failed[itemIndex] ?? inProcess.failed;
			if (before !== undefined) return revive((accepted[itemIndex] = { ...before }).record);
			if (failure?.maybeAccepted) throw errorOfFailedItem(context.getNode(), failure.json, itemIndex);
			const record = await request().catch((error: unknown) => {
				if (error instanceof ApiError && error.details.maybeAccepted) {
					const json = failedItemJson(toNodeError(context.getNode(), error, itemIndex));
					inProcess.failed = failed[itemIndex] = { json, maybeAccepted: true };
				}
				throw error;
			});
			const acceptedItem = { record, acceptedAt: Date.now(), isOwn: true, notes };
			accepted[itemIndex] = acceptedItem;
			inProcess.accepted = { ...acceptedItem };
			return record;
		},
	};
}
