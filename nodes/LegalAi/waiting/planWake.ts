import type { WaitState } from '../execution/runState';
import { blockingItems, isAsked, openItems, unaskedItems, type WaitingItem, type WaitingItems } from './waitingItem';

const MINUTE_MS = 60_000;

/**
 * How long to wait before each check, in minutes; the last one stays. Most answers take 2 to 5 minutes: where no callback brings
 * them, checks are as frequent as n8n allows until minute 6.
 */
const INTERVALS = { callback: [2, 3, 5, 8, 13, 21, 30], polling: [0, 0, 0, 0, 0, 2, 3, 5, 8, 13, 21, 30] };

/** n8n looks for executions to wake once a minute: a shorter wait may come late, so it gains nothing. */
const SHORTEST_WAIT_MS = 65_000;

/** The shortest waits are spread over this. */
const SPREAD_MS = 10_000;

/** While a node runs, n8n rejects callbacks. A run that is shorter than this hardly misses one. */
const SHORT_RUN_MS = 10_000;

/** A check asks for every open question: the more there are, the less often it runs. */
const MS_PER_QUESTION = 1_000;

/** n8n cancels an execution that wakes after its timeout; the last wake keeps this distance. */
const BEFORE_TIMEOUT_MS = 10_000;

/** n8n may wake an execution this much too early; a node that runs earlier was resumed for another reason. */
const EARLY_WAKE_MS = 5_000;

/** What the next wake depends on, beside the items; all times in ms since the epoch. */
export interface WakeSituation {
	/** See {@link WaitState.id}. */
	id: string;
	/** What was planned before; undefined in the first run. */
	previous: WaitState | undefined;
	/** Whether answers come by callback; otherwise only checks find them. */
	isCalledBack: boolean;
	runBeganAt: number;
	now: number;
	/** When n8n cancels the execution, which counts from its start; undefined without a timeout. */
	timeoutAt: number | undefined;
	/** Between 0 and 1: spreads checks, so that many executions do not come back at the same moment. */
	jitter: number;
}

/** When the node stops waiting for the last answer or turn. */
export function waitEndsAt(items: WaitingItems): number {
	const deadlines = openItems(items).map(({ answerDeadline }) => answerDeadline);
	return Math.max(...deadlines, ...unaskedItems(items).map(({ askUntil = 0 }) => askUntil));
}

/** Whether callbacks may have come in vain while the node was running. */
export function mayHaveMissedCallbacks({ runBeganAt, now }: Pick<WakeSituation, 'runBeganAt' | 'now'>): boolean {
	return now - runBeganAt >= SHORT_RUN_MS;
}

/** What to store while the execution is parked: when to wake, and what is waited for. Undefined if the wait is over. */
export function planWake(items: WaitingItems, situation: WakeSituation): WaitState | undefined {
	const { id, previous, isCalledBack, runBeganAt, now, timeoutAt, jitter } = situation;
	const endsAt = waitEndsAt(items);
	if (endsAt <= now) return undefined;
	const open = openItems(items);
	const blocking = blockingItems(items, now);

	// A planned check is not postponed by what happens before it.
	const pendingCheckAt = previous !== undefined && previous.nextCheckAt > now + EARLY_WAKE_MS ? previous.nextCheckAt : Infinity;
	const hasNewQuestion = open.some(({ accepted }) => accepted.acceptedAt >= runBeganAt);
	const isCheckOver = pendingCheckAt === Infinity;
	const round = previous === undefined || hasNewQuestion ? 0 : previous.round + (isCheckOver ? 1 : 0);
	const intervals = INTERVALS[isCalledBack ? 'callback' : 'polling'];
	const isSoon = hasNewQuestion && mayHaveMissedCallbacks(situation);
	const minutes = isSoon ? 0 : (intervals[Math.min(round, intervals.length - 1)] ?? 0);
	const shortest = Math.max(SHORTEST_WAIT_MS + SPREAD_MS * jitter, isSoon ? 0 : open.length * MS_PER_QUESTION);
	const interval = Math.max(shortest, minutes * MINUTE_MS * (0.9 + 0.2 * jitter));

	const lastWakeAt = previous === undefined ? timeoutAt && timeoutAt - BEFORE_TIMEOUT_MS : previous.lastWakeAt;
	const isPastLastWake = lastWakeAt !== undefined && now >= lastWakeAt;
	const somethingEndsAt = Math.min(endsAt, ...blocking.map(({ answerDeadline }) => answerDeadline));
	const nextCheckAt = isPastLastWake
		? somethingEndsAt
		: Math.min(now + interval, pendingCheckAt, somethingEndsAt, lastWakeAt ?? Infinity);
	return {
		id,
		round,
		nextCheckAt,
		...(lastWakeAt !== undefined && { lastWakeAt }),
		isPastLastWake,
		answerDeadlines: byItem(items, (item) => (isAsked(item) ? item.answerDeadline : undefined)),
		turns: byItem(items, (item) => (isAsked(item) ? undefined : { session: item.session, askUntil: item.askUntil })),
		blockingIds: blocking.map(({ accepted }) => accepted.record.id),
		rejected: previous?.rejected,
		isCalledBack: false,
	};
}

/** What is picked of the items that have not failed, by item index. */
function byItem<Value>(items: WaitingItems, pick: (item: WaitingItem) => Value | undefined): Record<string, Value> {
	return Object.fromEntries(
		items.flatMap((outcome, itemIndex) => {
			const picked = 'value' in outcome ? pick(outcome.value) : undefined;
			return picked === undefined ? [] : [[itemIndex, picked]];
		}),
	);
}
