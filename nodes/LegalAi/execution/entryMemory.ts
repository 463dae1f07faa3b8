import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import { isRecord, type JsonRecord } from '../api/json';

/** What is known at the service for an item. */
export interface Accepted {
	/** Since when, in ms since the epoch. */
	at: number;
	/** Whether this node has sent it, rather than found it there. */
	isSent: boolean;
	/** Its ID, and whatever else the operation needs to go on. */
	record: AcceptedRecord;
}

export type AcceptedRecord = IDataObject & { id: string };

/** What is kept of a wait while the execution is parked. */
export interface ParkedState {
	/** How many of the looks that were planned are over: the more, the longer until the next. */
	round: number;
	/** When the next look is planned (ms since the epoch). */
	nextLook?: number;
	/** Whether a callback has resumed the execution, which is no reason to look at the other questions. */
	isCalledBack?: boolean;
	/** Until when (ms since the epoch) to ask for items whose sessions others keep busy, by item index. */
	giveUpAt: Record<string, number>;
	/** The IDs of questions whose sessions have more to be asked: their answers resume the execution at once. */
	holding: string[];
	/** The output JSON of items that have failed, by item index. */
	failures: Record<string, IDataObject>;
	/** Whether callbacks came in whose signature did not fit. */
	hasBadSignatures: boolean;
	/** No wake after this may be planned (ms since the epoch): n8n would cancel the execution for its time-out. */
	lastWake?: number;
	/** Whether that time has come, so that nothing but a callback is waited for. */
	isPastLastWake?: boolean;
}

/**
 * What is kept on an entry of n8n's stack, so that nothing which the service has accepted is sent again when n8n runs
 * the node again: because it wakes up, because of "Retry On Fail", or because the execution is retried from the list.
 */
export interface EntryMemory {
	/** Another execution's ID tells a retry from the list. */
	executionId: string;
	/** By item index. */
	accepted: Record<string, Accepted>;
	/** Only while parked. */
	parked?: ParkedState;
}

/** What is kept while the execution is parked. */
export type ParkedMemory = EntryMemory & Required<Pick<EntryMemory, 'parked'>>;

/** n8n stores an entry's metadata, and what a node keeps in its context, with the execution. */
const KEY = 'legalAi';

/** What an entry remembers; undefined if that is nothing, or nothing of ours. */
export function readEntryMemory(entry: IExecuteData | undefined): EntryMemory | undefined {
	return readMemory(entry?.metadata === undefined ? undefined : Reflect.get(entry.metadata, KEY));
}

/** Keeps what a parked entry remembers a second time, for an n8n that stores no metadata which it does not know. */
export function keepSpareMemory(context: IExecuteFunctions, memory: EntryMemory): void {
	context.getContext('node')[KEY] = memory;
}

/** What was kept for the run that begins; undefined if nothing. It is for this one alone. */
export function takeSpareMemory(context: IExecuteFunctions): EntryMemory | undefined {
	const spare = context.getContext('node');
	const memory = readMemory(spare[KEY]);
	Reflect.deleteProperty(spare, KEY);
	return memory;
}

function readMemory(kept: unknown): EntryMemory | undefined {
	if (!isRecord(kept) || typeof kept.executionId !== 'string' || !isRecord(kept.accepted)) return undefined;
	return {
		executionId: kept.executionId,
		accepted: valuesOf(kept.accepted, isAccepted),
		...(isRecord(kept.parked) ? { parked: readParkedState(kept.parked) } : {}),
	};
}

/** Makes an entry remember this, and nothing else of ours. */
export function writeEntryMemory(entry: IExecuteData, memory: EntryMemory | undefined): void {
	const metadata = { ...entry.metadata };
	if (memory === undefined) Reflect.deleteProperty(metadata, KEY);
	else Object.assign(metadata, { [KEY]: memory });
	entry.metadata = metadata;
}

function isAccepted(value: unknown): value is Accepted {
	return isRecord(value) && typeof value.at === 'number' && typeof value.isSent === 'boolean' && isRecord(value.record) && typeof value.record.id === 'string';
}

function isItemJson(value: unknown): value is IDataObject {
	return isRecord(value);
}

/** The entries of a record that are what they should be. */
function valuesOf<Value>(record: JsonRecord, isValue: (value: unknown) => value is Value): Record<string, Value> {
	return Object.fromEntries(Object.entries(record).flatMap(([key, value]) => (isValue(value) ? [[key, value]] : [])));
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number';
}

function readParkedState({ round, nextLook, isCalledBack, giveUpAt, holding, failures, hasBadSignatures, lastWake, isPastLastWake }: JsonRecord): ParkedState {
	return {
		round: typeof round === 'number' ? round : 0,
		...(typeof nextLook === 'number' ? { nextLook } : {}),
		...(isCalledBack === true ? { isCalledBack } : {}),
		giveUpAt: isRecord(giveUpAt) ? valuesOf(giveUpAt, isNumber) : {},
		holding: Array.isArray(holding) ? holding.filter((id) => typeof id === 'string') : [],
		failures: isRecord(failures) ? valuesOf(failures, isItemJson) : {},
		hasBadSignatures: hasBadSignatures === true,
		...(typeof lastWake === 'number' ? { lastWake } : {}),
		...(isPastLastWake === true ? { isPastLastWake } : {}),
	};
}
