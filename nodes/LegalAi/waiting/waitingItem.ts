import { isFinal, type Question } from '../api/questions';
import type { Outcome } from '../execution/nodeRun';

/** An item whose question is still to be asked. */
export interface UnaskedItem<Input = unknown> {
	/** What to ask; undefined until its turn comes, if the node has woken. */
	input?: Input;
	/** The session that the question continues; it takes one open question at a time. */
	session?: string;
	/** Until when to try, in ms since the epoch; undefined before the first try. */
	giveUpAt?: number;
	/** Whether this run has tried, and the session was busy with a question of others. */
	isPostponed: boolean;
}

/** An item whose question was asked. Times are in ms since the epoch. */
export interface AskedItem {
	question: Question;
	acceptedAt: number;
	/** Until when the answer is waited for: Max Wait counts from when the service accepted the question. */
	deadline: number;
	/** Whether this run has checked the question. */
	isChecked: boolean;
}

export type WaitingItem<Input = unknown> = UnaskedItem<Input> | AskedItem;

/** The items of a run, in the order of the input; those that have failed are over. */
export type WaitingItems<Input = unknown> = Array<Outcome<WaitingItem<Input>>>;

export function isAsked<Input>(item: WaitingItem<Input>): item is AskedItem {
	return 'question' in item;
}

/** The items whose questions were asked and are not answered yet. */
export function openItems(items: WaitingItems): AskedItem[] {
	return valuesOf(items).filter(isAsked).filter(({ question }) => !isFinal(question));
}

/** The items whose questions were not asked yet. */
export function unaskedItems(items: WaitingItems): UnaskedItem[] {
	return valuesOf(items).flatMap((item) => (isAsked(item) ? [] : [item]));
}

/** The open items, within their time, that others of their session wait for. */
export function blockingItems(items: WaitingItems, now: number): AskedItem[] {
	const waiting = new Set<string | null | undefined>(unaskedItems(items).map(({ session }) => session));
	return openItems(items).filter(({ question, deadline }) => waiting.has(question.session_id ?? undefined) && deadline > now);
}

/** The items to ask now: the first of each session, unless a question of the session is still open. */
export function dueItems(items: WaitingItems, now: number): Set<WaitingItem> {
	const busy = new Set<string | null | undefined>(blockingItems(items, now).map(({ question }) => question.session_id));
	const due = new Set<WaitingItem>();
	for (const item of unaskedItems(items)) {
		if (busy.has(item.session)) continue;
		if (item.session !== undefined) busy.add(item.session);
		if (!item.isPostponed) due.add(item);
	}
	return due;
}

function valuesOf<Value>(outcomes: Array<Outcome<Value>>): Value[] {
	return outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value] : []));
}
