import type { WaitState } from '../execution/runState';
import { blockingItems, isAsked, openItems, unaskedItems, type WaitingItem, type WaitingItems } from './waitingItem';

const MINUTE_MS = 60_000;

/** How long to wait before each check, in minutes; the last one stays. */
const INTERVALS = [2, 3, 5, 8, 13, 21, 30];

/** n8n looks for executions to wake once a minute: a shorter wait may come late, so it gains nothing. */
const SHORTEST_WAIT_MS = 65_000;

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
	runBeganAt: number;
	now: number;
	/** When n8n cancels the execution, which counts from its start; undefined without a timeout. */
	timeoutAt: number | undefined;
	/** Between 0 and 1: spreads checks, so that many executions do not come back at the same moment. */
	jitter: number;
}

/** When the node stops waiting for the last answer or turn. */
export function waitEndsAt(items: WaitingItems): number {
	const deadlines = openItems(items).map(({ deadline }) => deadline);
	return Math.max(...deadlines, ...unaskedItems(items).map(({ giveUpAt = 0 }) => giveUpAt));
}

/** What to store while the execution is parked: when to wake, and what is waited for. Undefined if the wait is over. */
export function planWake(items: WaitingItems, situation: WakeSituation): WaitState | undefined {
	const { id, previous, runBeganAt, now, timeoutAt, jitter } = situation;
	const endsAt = waitEndsAt(items);
	if (endsAt <= now) return undefined;
	const [open, blocking] = [openItems(items), blockingItems(items, now)];

	// A planned check is not postponed by what happens before it.
	const pendingCheckAt = previous !== undefined && previous.nextCheckAt > now + EARLY_WAKE_MS ? previous.nextCheckAt : Infinity;
	const hasNewQuestion = open.some(({ acceptedAt }) => acceptedAt >= runBeganAt);
	const isCheckOver = pendingCheckAt === Infinity;
	const round = previous === undefined || hasNewQuestion ? 0 : previous.round + (isCheckOver ? 1 : 0);
	const minutes = INTERVALS[Math.min(round, INTERVALS.length - 1)] ?? 0;
	const interval = Math.max(SHORTEST_WAIT_MS, minutes * MINUTE_MS * (0.9 + 0.2 * jitter), open.length * MS_PER_QUESTION);

	const lastWakeAt = previous === undefined ? timeoutAt && timeoutAt - BEFORE_TIMEOUT_MS : previous.lastWakeAt;
	const isPastLastWake = lastWakeAt !== undefined && now >= lastWakeAt;
	const somethingEndsAt = Math.min(endsAt, ...blocking.map(({ deadline }) => deadline));
	const nextCheckAt = isPastLastWake
		? somethingEndsAt
		: Math.min(now + interval, pendingCheckAt, somethingEndsAt, lastWakeAt ?? Infinity);
	return {
		id,
		round,
		nextCheckAt,
		...(lastWakeAt !== undefined && { lastWakeAt }),
		isPastLastWake,
		deadlines: byItem(items, (item) => (isAsked(item) ? item.deadline : undefined)),
		turns: byItem(items, (item) => (isAsked(item) ? undefined : { session: item.session, giveUpAt: item.giveUpAt })),
		blockingIds: blocking.map(({ question }) => question.id),
		hasBadSignatures: previous?.hasBadSignatures ?? false,
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
