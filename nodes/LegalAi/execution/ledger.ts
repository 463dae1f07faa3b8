import type { IDataObject } from 'n8n-workflow';

import { type AcceptedRecord, type ApiFailure, BoundedMap, isRecord } from '../api';
import type { Rejection } from '../callbacks/callback';
import type { UploadJob } from '../files/upload';
import { invalidInput, serviceMessages } from '../messages';

/** What every entry may have. All times are in ms since the epoch. */
interface Sending {
	/** The files that were uploaded for the item. */
	readonly uploads?: readonly UploadJob[];
	/** The session that it continues; it takes one open question at a time. */
	readonly session?: string;
	/** What tells it from all else that was sent: see `sent.ts`. */
	readonly sentAs?: string;
}

/** An item that is sent once it has its turn: after another of its session, or once the limits allow. */
export interface InTurn extends Sending {
	readonly state: 'inTurn';
	readonly askUntil: number;
	/** No try before this. */
	readonly turnAt: number;
}

/** An item that may have been accepted: it is never sent again. */
interface Uncertain extends Sending {
	readonly state: 'uncertain';
	readonly error: ApiFailure;
}

/** An item that the service has, answered or not. */
export interface Accepted extends Sending {
	readonly state: 'accepted';
	/** The latest that is known of it. */
	readonly record: AcceptedRecord;
	readonly acceptedAt: number;
	/** The ID of the run in which it was. */
	readonly acceptedIn: string;
	/** Until when its answer is waited for; undefined once nothing is waited for. */
	readonly answerBy?: number;
	/** The ID of the run that checked it last. */
	readonly checkedIn?: string;
	/** Whether this node has sent it, rather than found it at the service. */
	readonly isOwn: boolean;
	/** What the operation noted when it was sent, for when its item is output: recomputing it could evaluate an expression. */
	readonly notes?: readonly string[];
}

/** An item that has failed, whatever it was before. */
interface Failed extends Sending {
	readonly state: 'failed';
	/** `error` and `details` of its output item. */
	readonly error: IDataObject;
	readonly before: Exclude<Entry, Failed>;
}

/** What has become of an item; `new` if nothing was sent for it. */
export type Entry = (Sending & { readonly state: 'new' }) | InTurn | Uncertain | Accepted | Failed;

/** When a parked execution continues; all times are in ms since the epoch. */
export interface Plan {
	/** The ID of the run that has parked the execution. */
	readonly id: string;
	/** When n8n wakes the node. */
	readonly wakeAt: number;
	/** When the node checks for answers; undefined if it wakes for another reason. */
	readonly checkAt?: number;
	/** How many of the planned checks are over: the more, the longer until the next. */
	readonly round: number;
	/** After this, n8n would cancel the execution for its timeout when it wakes. */
	readonly lastWakeAt?: number;
	/** Whether that time has come, so that only a callback can still bring an answer. */
	readonly isPastLastWake: boolean;
	/** What was wrong with the signature of callbacks that have arrived; undefined if nothing was. */
	readonly rejected?: Rejection['signature'];
	/** Whether a callback has resumed the execution: no reason to check the other items. */
	readonly isCalledBack: boolean;
}

/** A ledger as n8n stores it: the JSON of an item. */
export type KeptLedger = {
	version: typeof VERSION;
	/** Another execution's ID tells a retry from the list of executions. */
	executionId: string;
	/** A hash of the node's parameters and its credential: an edited node sends something else, or to another organization. */
	parameters: string;
	/** By item index. */
	entries: Entry[];
	/** What the execution is parked for. */
	plan?: Plan;
};

/** Changes with the shape of what is kept: CONTRIBUTING.md says when it may, and how. */
const VERSION = 2;

type FieldTypes = Record<string, 'number' | 'object' | 'string'>;

/** What entries have at least, by their state, and of which type that is. */
const ENTRY_TYPES: Partial<Record<string, FieldTypes>> = {
	new: {},
	inTurn: { askUntil: 'number', turnAt: 'number' },
	uncertain: { error: 'object' },
	accepted: { record: 'object', acceptedAt: 'number', acceptedIn: 'string' },
	failed: { error: 'object', before: 'object' },
} satisfies Record<Entry['state'], FieldTypes>;

/**
 * A ledger that n8n has stored.
 *
 * @throws {InvalidInputError} with what the service had accepted, if another version of this package keeps it in another way
 */
export function readKeptLedger(value: unknown): KeptLedger {
	if (isKeptLedger(value)) return value;
	const ids: string[] = [];
	JSON.stringify(value, (name, inner: unknown) => {
		if (name === 'record' && isRecord(inner)) ids.push(String(inner.id));
		return inner;
	});
	throw invalidInput(serviceMessages.otherVersion, { ids: ids.join(', ') });
}

function isKeptLedger(value: unknown): value is KeptLedger {
	if (!isRecord(value) || value.version !== VERSION || !Array.isArray(value.entries)) return false;
	return typeof value.executionId === 'string' && value.entries.every(isEntry);
}

function isEntry(value: unknown): value is Entry {
	if (!isRecord(value)) return false;
	const types = ENTRY_TYPES[String(value.state)];
	if (types === undefined || (value.before !== undefined && !isEntry(value.before))) return false;
	return Object.entries(types).every(([name, type]) =>
		type === 'object' ? isRecord(value[name]) : typeof value[name] === type,
	);
}

/**
 * What this process has seen become of items, by {@link Sending.sentAs}. n8n may continue an execution with a state that it read
 * before the latest was stored, and stores nothing for a callback that does not resume it.
 */
const memory = new BoundedMap<string, Entry>(5_000);

/**
 * What has become of each item: the only record of it. It lasts from one run of the node to the next on the same input, so that
 * nothing which the service has accepted is sent again, whatever n8n runs the node again for.
 */
export class Ledger {
	/** With all changes that are made later. */
	readonly kept: KeptLedger;
	/** Whether this execution is a retry of another one, from the list of executions. */
	readonly isRetry: boolean;

	constructor(kept: KeptLedger, isRetry = false) {
		this.kept = kept;
		this.isRetry = isRetry;
	}

	/**
	 * The ledger that a run begins with: as it was if n8n has woken the node; with what the service has, or may have, accepted if
	 * n8n runs the node again for another reason; and empty in a retry of a node that was edited.
	 */
	static begin(
		kept: KeptLedger | undefined,
		{
			executionId,
			parameters,
			itemCount,
		}: Pick<KeptLedger, 'executionId' | 'parameters'> & { itemCount: number },
	): Ledger {
		const isRetry = kept !== undefined && kept.executionId !== executionId;
		if (kept?.plan !== undefined && !isRetry) return new Ledger(kept);
		const isSame = kept !== undefined && (!isRetry || kept.parameters === parameters);
		const entries = Array.from({ length: itemCount }, (_, item): Entry => {
			return beganAgain((isSame && kept.entries[item]) || { state: 'new' });
		});
		return new Ledger({ version: VERSION, executionId, parameters, entries }, isRetry);
	}

	/** By item index. */
	get entries(): readonly Entry[] {
		return this.kept.entries;
	}

	/** What this node has sent, rather than found, and the service has accepted. */
	get ownAccepted(): Array<{ item: number; id: string }> {
		return this.entries.flatMap((entry, item) => {
			const accepted = acceptedOf(entry);
			return accepted?.isOwn ? [{ item, id: accepted.record.id }] : [];
		});
	}

	get plan(): Plan | undefined {
		return this.kept.plan;
	}

	entryOf(item: number): Entry {
		return this.kept.entries[item] ?? { state: 'new' };
	}

	/** The item has to wait for its turn. */
	queue(item: number, turn: Omit<InTurn, 'state' | 'turnAt'> & { turnAt?: number }): void {
		this.write(item, { turnAt: 0, ...turn, state: 'inTurn' });
	}

	/** The service has what the item sends. */
	accept(
		item: number,
		accepted: Omit<Accepted, 'state' | keyof Sending> & Pick<Sending, 'sentAs'>,
	): AcceptedRecord {
		this.write(item, { ...accepted, state: 'accepted' });
		return accepted.record;
	}

	/** What is newer about an item that was accepted. */
	update(item: number, change: Partial<Pick<Accepted, 'record' | 'answerBy' | 'checkedIn'>>): void {
		const entry = this.entryOf(item);
		if (entry.state === 'accepted') this.write(item, { ...entry, ...change });
	}

	/**
	 * The item is being sent: wherever it is stored before the outcome is known, e.g. as the execution is canceled, it may have been
	 * accepted. Returns what puts it back if it certainly was not.
	 */
	beginSending(item: number): () => void {
		const before = this.entryOf(item);
		this.write(item, { state: 'uncertain', error: { kind: 'sendingInterrupted', details: {} } });
		return () => this.write(item, before);
	}

	/** The service may have accepted the item. */
	doubt(item: number, { kind, details }: Uncertain['error'], sentAs?: string): void {
		this.write(item, { state: 'uncertain', error: { kind, details }, sentAs });
	}

	/** The item has failed. What is known of it stays. */
	fail(item: number, error: IDataObject): void {
		const entry = this.entryOf(item);
		if (entry.state !== 'failed') this.write(item, { state: 'failed', error, before: entry });
	}

	/** The item is to be sent again, although the service has accepted it before. */
	reopen(item: number): void {
		this.write(item, { state: 'new', uploads: undefined });
	}

	/** Which of the item's files a next try need not upload again. */
	keepUploads(item: number, uploads: readonly UploadJob[]): void {
		this.write(item, { ...this.entryOf(item), uploads });
	}

	/** What the process knows of the item, if that is newer than what n8n has stored. */
	recall(item: number, sentAs = this.entryOf(item).sentAs): Entry {
		const known = sentAs === undefined ? undefined : memory.get(sentAs);
		if (known !== undefined && isNewer(known, this.entryOf(item))) this.kept.entries[item] = known;
		return this.entryOf(item);
	}

	recallAll(): void {
		for (const item of this.kept.entries.keys()) this.recall(item);
	}

	/**
	 * The run is over, and n8n stores what it has: of answers, the process keeps no more. Who needs one again asks the service for it.
	 *
	 * @param unanswered a record without its answer
	 */
	release(unanswered: (record: AcceptedRecord) => AcceptedRecord): void {
		for (const entry of this.entries) {
			const accepted = acceptedOf(entry);
			if (accepted?.sentAs !== undefined && accepted.answerBy === undefined) {
				const record = unanswered(accepted.record);
				memory.set(accepted.sentAs, { ...accepted, record, answerBy: 0 });
			}
		}
	}

	private write(item: number, entry: Entry): void {
		const { uploads, session } = this.entryOf(item);
		this.kept.entries[item] = { uploads, session, ...entry };
		if (entry.sentAs !== undefined) memory.set(entry.sentAs, this.entryOf(item));
	}
}

/** Whether the process knows more of an item than n8n has stored: that it was sent, or its answer. */
function isNewer(known: Entry, stored: Entry): boolean {
	if (isOpen(stored)) return known.state === 'accepted' && known.answerBy === undefined;
	return stored.state === 'new' || stored.state === 'inTurn';
}

/** What is left of an entry when the node begins again: what has failed may be tried again, unless it was accepted. */
function beganAgain(entry: Entry): Entry {
	if (entry.state === 'failed') return beganAgain(entry.before);
	if (entry.state === 'accepted' || entry.state === 'uncertain') return entry;
	return { state: 'new' };
}

/** What the service has accepted of an item, whether or not the item has failed since; undefined if nothing. */
export function acceptedOf(entry: Entry): Accepted | undefined {
	const { state } = entry;
	if (state === 'failed') return acceptedOf(entry.before);
	return state === 'accepted' ? entry : undefined;
}

/** Whether an item's answer has not arrived yet, waited for or no longer. */
export function isOpen(entry: Entry): entry is Accepted & { answerBy: number } {
	return entry.state === 'accepted' && entry.answerBy !== undefined;
}
