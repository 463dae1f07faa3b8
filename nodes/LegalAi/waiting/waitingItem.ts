import { isFinal, readQuestion, type Question } from '../api/questions';
import type { Accepted } from '../execution/entryMemory';
import type { Outcome } from '../execution/nodeRun';

const MINUTE_MS = 60_000;

/** An item whose question is still to be asked. */
export interface UnaskedItem<Input = unknown, Options = unknown> {
	options: Options;
	input: Input;
	/** The session that the question goes on with; it takes one open question at a time. */
	session: string | undefined;
	/** Until when to ask, in ms since the epoch; undefined before the first try. */
	giveUpAt: number | undefined;
	/** Whether this run has tried, and others keep the session busy. */
	isPostponed: boolean;
}

/** An item whose question was asked. */
export interface AskedItem<Options = unknown> {
	options: Options;
	question: Question;
	/** When the service accepted the question, in ms since the epoch. */
	acceptedAt: number;
	/** In ms since the epoch: Max Wait counts from when the service accepted the question. */
	deadline: number;
	/** Whether this run has looked at the question. */
	isLookedAt: boolean;
}

export type WaitingItem<Input = unknown, Options = unknown> = UnaskedItem<Input, Options> | AskedItem<Options>;

/** An item whose question the service has accepted, as the node remembers it. */
export function askedItem<Options>({ at, record }: Accepted, options: Options, maxWait: number): AskedItem<Options> {
	return {
		options,
		question: readQuestion(record, String(record.assistant_id)),
		acceptedAt: at,
		deadline: at + maxWait * MINUTE_MS,
		isLookedAt: false,
	};
}

export function isAsked<Input, Options>(item: WaitingItem<Input, Options>): item is AskedItem<Options> {
	return 'question' in item;
}

/** The items whose questions were asked and are not answered yet. */
export function openOf(outcomes: Array<Outcome<WaitingItem>>): AskedItem[] {
	return valuesOf(outcomes).filter(isAsked).filter(({ question }) => !isFinal(question));
}

/** The items whose questions were not asked yet. */
export function unaskedOf(outcomes: Array<Outcome<WaitingItem>>): UnaskedItem[] {
	return valuesOf(outcomes).flatMap((item) => (isAsked(item) ? [] : [item]));
}

/** The open items that others of their session wait for. */
export function holdersOf(outcomes: Array<Outcome<WaitingItem>>): AskedItem[] {
	const waiting = new Set(unaskedOf(outcomes).map(({ session }) => session));
	return openOf(outcomes).filter(({ question, deadline }) => waiting.has(question.session_id ?? undefined) && deadline > Date.now());
}

/** The items to ask for now: of each session the first, unless a question of it is waited for. */
export function dueOf(outcomes: Array<Outcome<WaitingItem>>): Set<WaitingItem> {
	const taken = new Set<string | null | undefined>(holdersOf(outcomes).map(({ question }) => question.session_id));
	const due = new Set<WaitingItem>();
	for (const item of unaskedOf(outcomes)) {
		if (taken.has(item.session)) continue;
		if (item.session !== undefined) taken.add(item.session);
		if (!item.isPostponed) due.add(item);
	}
	return due;
}

function valuesOf<Value>(outcomes: Array<Outcome<Value>>): Value[] {
	return outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value] : []));
}
