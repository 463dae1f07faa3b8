import { isFinal, readQuestion, type Question } from '../api/questions';
import type { Outcome } from '../execution/nodeRun';
import type { AcceptedItem, RunState, WaitState } from '../execution/runState';

/** An item whose question is still to be asked. */
export interface UnaskedItem {
	/** The session that the question continues; it takes one open question at a time. */
	session?: string;
	/** Until when to try, in ms since the epoch; undefined before the first try. */
	askUntil?: number;
	/** Whether this run has tried, and the session was busy with a question of others. */
	isPostponed: boolean;
}

/** An item whose question was asked. */
export interface AskedItem {
	/** The very object that the state of the run holds: what is newer about the question is written here alone. */
	accepted: AcceptedItem & { record: Question };
	/** In ms since the epoch: Max Wait counts from when the service accepted the question. */
	answerDeadline: number;
	/** Whether this run has checked the question. */
	isChecked: boolean;
}

export type WaitingItem = UnaskedItem | AskedItem;

/** The items of a run, in the order of the input; those that have failed are over. */
export type WaitingItems = Array<Outcome<WaitingItem>>;

export function isAsked(item: WaitingItem): item is AskedItem {
	return 'accepted' in item;
}

/** An item as it is right after its question was accepted, or known from an earlier run. */
export function askedItem(accepted: AcceptedItem, answerDeadline: number): AskedItem {
	const record = readQuestion(accepted.record, String(accepted.record.assistant_id));
	return { accepted: Object.assign(accepted, { record }), answerDeadline, isChecked: false };
}

/** The items as they were when the execution was parked, with the answers that callbacks have brought since. */
export function parkedItems({ accepted, failed }: RunState, { answerDeadlines, turns }: WaitState): WaitingItems {
	const count = Object.keys({ ...accepted, ...failed, ...turns }).length;
	return Array.from({ length: count }, (_, itemIndex) => {
		const failure = failed[itemIndex];
		const asked = accepted[itemIndex];
		if (failure !== undefined) return { failure };
		if (asked === undefined) return { value: { ...turns[itemIndex], isPostponed: false } };
		return { value: askedItem(asked, answerDeadlines[itemIndex] ?? asked.acceptedAt) };
	});
}

/** The items whose questions were asked and are not answered yet. */
export function openItems(items: WaitingItems): AskedItem[] {
	return valuesOf(items).filter(isAsked).filter(({ accepted }) => !isFinal(accepted.record));
}

/** The items whose questions were not asked yet. */
export function unaskedItems(items: WaitingItems): UnaskedItem[] {
	return valuesOf(items).flatMap((item) => (isAsked(item) ? [] : [item]));
}

/** The open items whose answers are still waited for. */
export function awaitedItems(items: WaitingItems, now: number): AskedItem[] {
	return openItems(items).filter(({ answerDeadline }) => answerDeadline > now);
}

/** The awaited items that others of their session wait for. */
export function blockingItems(items: WaitingItems, now: number): AskedItem[] {
	const sessions = new Set<string | null | undefined>(unaskedItems(items).map(({ session }) => session));
	return awaitedItems(items, now).filter(({ accepted }) => sessions.has(accepted.record.session_id ?? undefined));
}

/** The items to ask now: the first of each session, unless a question of the session is still open. */
export function dueItems(items: WaitingItems, now: number): Set<WaitingItem> {
	const busy = new Set<string | null | undefined>(blockingItems(items, now).map(({ accepted }) => accepted.record.session_id));
	const due = new Set<WaitingItem>();
	for (const item of unaskedItems(items)) {
		if (busy.has(item.session)) continue;
		if (item.session !== undefined) busy.add(item.session);
		if (!item.isPostponed) due.add(item);
	}
	return due;
}

function valuesOf(items: WaitingItems): WaitingItem[] {
	return items.flatMap((item) => ('value' in item ? [item.value] : []));
}
