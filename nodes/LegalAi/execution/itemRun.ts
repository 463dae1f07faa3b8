import type { INodeExecutionData } from 'n8n-workflow';

import { ApiError } from '../api/errors';
import type { UploadJob } from '../files/upload';
import { inputItemOf } from './itemScope';
import type { NodeRun } from './nodeRun';
import { processMemory, type AcceptedRecord } from './runState';

/** What an operation works with. */
export type Services = Pick<NodeRun, 'context' | 'client' | 'hint' | 'count' | 'once'>;

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
export function itemRunOf(run: NodeRun, itemIndex: number): ItemRun {
	const { context, hint, count, once } = run;
	const { accepted, uncertain, uploads } = run.state;
	return {
		context,
		hint,
		count,
		once,
		get client() {
			return run.client;
		},
		itemIndex,
		item: inputItemOf(context, itemIndex),
		get notes() {
			return accepted[itemIndex]?.notes ?? [];
		},
		get uploads() {
			return (uploads[itemIndex] ??= []);
		},
		acceptOnce: async (content, request, revive, notes) => {
			const inProcess = processMemory(context, run.client.account, itemIndex, content);
			const before = accepted[itemIndex] ?? inProcess.accepted;
			const unclear = uncertain[itemIndex] ?? inProcess.uncertain;
			if (before !== undefined) return revive((accepted[itemIndex] = { ...before }).record);
			if (unclear !== undefined) throw new ApiError(unclear.kind, unclear.details);
			const record = await request().catch((error: unknown) => {
				if (error instanceof ApiError && error.details.maybeAccepted) {
					inProcess.uncertain = uncertain[itemIndex] = { kind: error.kind, details: error.details };
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
