import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import type { ApiError } from '../api/errors';
import {
	readEntryMemory,
	takeSpareMemory,
	writeEntryMemory,
	type Accepted,
	type AcceptedRecord,
	type EntryMemory,
	type ParkedState,
} from './entryMemory';
import { isToolOfOldAgent } from './nodeSettings';

/**
 * What is not kept on the entry itself, for as long as the process lasts: of a tool that is called many times with one
 * entry, by its call; of a run whose items are out, by its entry, as n8n may run it again all the same.
 */
const memoriesInProcess = new WeakMap<object, EntryMemory>();

/** Requests whose outcome is unknown, by entry (or call) and item: "Retry On Fail" must not send them again. */
const uncertainRequests = new WeakMap<object, Map<number, ApiError>>();

/** What earlier runs of the same node in the same execution have left behind. */
export class RunMemory {
	/** What was kept of the wait, if n8n has woken the node. */
	readonly woken: ParkedState | undefined;

	private readonly executionId: string;

	private readonly entry: IExecuteData;

	private readonly call: object | undefined;

	private readonly accepted: Record<string, Accepted>;

	constructor(context: IExecuteFunctions) {
		this.executionId = context.getExecutionId();
		this.entry = context.getExecuteData();
		this.call = isToolOfOldAgent(context) ? context.getInputData()[0]?.json : undefined;
		const spare = takeSpareMemory(context);
		const stored = this.call === undefined ? (readEntryMemory(this.entry) ?? spare) : undefined;
		const kept = stored ?? memoriesInProcess.get(this.call ?? this.entry);
		const isRetryFromList = kept !== undefined && kept.executionId !== this.executionId;
		this.woken = isRetryFromList ? undefined : kept?.parked;
		this.accepted = Object.fromEntries(
			// Whoever retries an execution wants another answer for what has ended in status error.
			Object.entries(kept?.accepted ?? {}).filter(([, { record }]) => !(isRetryFromList && record.status === 'error')),
		);
		this.keep();
	}

	/**
	 * What the service has accepted for an item; undefined if nothing.
	 *
	 * @throws {ApiError} again, if an earlier try has left open whether it was accepted
	 */
	acceptedFor(itemIndex: number): Accepted | undefined {
		const error = uncertainRequests.get(this.call ?? this.entry)?.get(itemIndex);
		if (error !== undefined) throw error;
		return this.accepted[itemIndex];
	}

	/** Remembers what the service has accepted just now. */
	accept(itemIndex: number, record: AcceptedRecord): void {
		this.accepted[itemIndex] = { at: Date.now(), isSent: true, record };
	}

	/** Remembers how something stands now that the service has accepted before. */
	update(itemIndex: number, record: AcceptedRecord): Accepted {
		const { at = Date.now(), isSent = false } = this.accepted[itemIndex] ?? {};
		return (this.accepted[itemIndex] = { at, isSent, record });
	}

	markUncertain(itemIndex: number, error: ApiError): void {
		const key = this.call ?? this.entry;
		const errors = uncertainRequests.get(key) ?? new Map<number, ApiError>();
		uncertainRequests.set(key, errors.set(itemIndex, error));
	}

	/** Whether an earlier run of the node got anywhere. */
	get isEmpty(): boolean {
		return Object.keys(this.accepted).length === 0;
	}

	/** Everything that this node has sent and the service has accepted, in the order of the items. */
	get sentIds(): Array<{ item: number; id: string }> {
		return Object.entries(this.accepted).flatMap(([item, { isSent, record }]) =>
			isSent ? [{ item: Number(item), id: record.id }] : [],
		);
	}

	/** Once all is out, n8n need not store it, with what has come out beside it. */
	finish(): void {
		memoriesInProcess.set(this.call ?? this.entry, this.memory);
		if (this.call === undefined) writeEntryMemory(this.entry, undefined);
	}

	/** What a parked copy of the entry has to know. */
	toPark(parked: ParkedState): EntryMemory {
		return { ...this.memory, parked };
	}

	private get memory(): EntryMemory {
		return { executionId: this.executionId, accepted: this.accepted };
	}

	private keep(): void {
		if (this.call === undefined) writeEntryMemory(this.entry, this.memory);
		else memoriesInProcess.set(this.call, this.memory);
	}
}
