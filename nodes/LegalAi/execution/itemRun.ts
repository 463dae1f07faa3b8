import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type AcceptedRecord, ApiError, type LegalAiClient } from '../api';
import type { UploadJob } from '../files/upload';
import type { CountedHint } from '../messages';
import { inputItemOf } from '../parameters';
import { acceptedOf, type Ledger } from './ledger';
import type { Sent } from './sent';

/** What an operation works with. */
export interface Services {
	readonly context: IExecuteFunctions;
	/** The API, shared by all items. Throws what is wrong with the credential, if it can't be used. */
	readonly client: LegalAiClient;
	/** Shows a sentence beside the node's output, once a run. */
	readonly hint: (message: string) => void;
	/** Counts an item; the output has a sentence on how many there were, and about what. */
	readonly count: (hint: CountedHint, names?: readonly string[]) => void;
	/** Does something once a run, however many items need it; if it throws, it throws for all of them. */
	readonly once: (key: string, act: () => Promise<void>) => Promise<void>;
}

/** The run that an item is part of. */
interface Run extends Services {
	readonly id: string;
	readonly ledger: Ledger;
	/** Undefined if what is sent can't be told from what was sent before. */
	readonly sent: Sent | undefined;
}

/** One item's turn. */
export interface ItemRun extends Services {
	itemIndex: number;
	item: INodeExecutionData;
	/**
	 * Sends a request at most once, even if n8n runs the node again: what the service accepted before is returned again, and
	 * an error that leaves open whether it did is thrown again. `content` is what the request is about, as JSON. `send` calls
	 * `beforeSending` immediately before anything goes out.
	 */
	sendOnce: (
		content: unknown,
		send: (beforeSending: () => Promise<void>) => Promise<AcceptedRecord>,
		notes?: readonly string[],
	) => Promise<AcceptedRecord>;
	/** Notes what was found at the service: it stays with the item, whatever fails later. */
	found: (record: AcceptedRecord) => void;
	/** What was noted when it was accepted; empty before that. */
	readonly notes: readonly string[];
	/** The files that were uploaded for the item, also in earlier runs of the node. */
	readonly uploads: readonly UploadJob[];
	keepUploads: (uploads: readonly UploadJob[]) => void;
}

/** An item's turn in a run, whose services it has. */
export function itemRunOf(run: Run, itemIndex: number): ItemRun {
	const { context, hint, count, once, ledger, sent } = run;
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
		found: (record) =>
			void ledger.accept(itemIndex, {
				record,
				acceptedAt: Date.now(),
				acceptedIn: run.id,
				checkedIn: run.id,
				isOwn: false,
			}),
		get notes() {
			return acceptedOf(ledger.entryOf(itemIndex))?.notes ?? [];
		},
		get uploads() {
			return ledger.entryOf(itemIndex).uploads ?? [];
		},
		keepUploads: (uploads) => ledger.keepUploads(itemIndex, uploads),
		sendOnce: async (content, send, notes) => {
			let sentAs = sent?.idOf(content);
			const known = ledger.recall(itemIndex, sentAs);
			if (known.state === 'accepted' || known.state === 'uncertain') sent?.count(content);
			if (known.state === 'accepted') return known.record;
			if (known.state === 'uncertain') throw new ApiError(known.error.kind, known.error.details);

			let putBack: (() => void) | undefined;
			let takeBack: (() => Promise<void>) | undefined;
			const beforeSending = async (): Promise<void> => {
				if (putBack !== undefined) return;
				putBack = ledger.beginSending(itemIndex);
				sentAs = sent?.idOf(content);
				takeBack = await sent?.note(content);
			};
			const record = await send(beforeSending).catch(async (error: unknown) => {
				if (!(error instanceof ApiError) || error.kind === 'canceled') throw error;
				if (error.details.maybeAccepted) ledger.doubt(itemIndex, error, sentAs);
				else {
					putBack?.();
					await takeBack?.();
				}
				throw error;
			});
			return ledger.accept(itemIndex, {
				record,
				acceptedAt: Date.now(),
				acceptedIn: run.id,
				isOwn: true,
				notes,
				sentAs,
			});
		},
	};
}
