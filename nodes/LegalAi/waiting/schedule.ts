const MINUTE_MS = 60_000;

/** How long to wait before each look, in minutes; the last one stays. */
const INTERVALS = [2, 3, 5, 8, 13, 21, 30];

/** n8n looks for executions to wake once a minute: a shorter wait may come late, and so gains nothing. */
const SHORTEST_MS = 65_000;

/** A round looks at every open question: the more there are, the rarer it is. */
const MS_PER_QUESTION = 1_000;

/** n8n cancels an execution that wakes after its time-out; the last look keeps this distance. */
const BEFORE_TIMEOUT_MS = 10_000;

/** What the time of the next look depends on; all times in ms since the epoch. */
export interface WaitSituation {
	now: number;
	/** How many of the looks that were planned are over. */
	round: number;
	/** The look that was planned, if it is still to come: it is not put off. */
	planned: number | undefined;
	/** How many questions are open. */
	open: number;
	/** When the wait is over. */
	deadline: number;
	/** Whether nothing else can resume the execution at the moment at which it wakes; else it may wake once only. */
	wakesSafely: boolean;
	/** After this, n8n would cancel the execution when it wakes. */
	executionTimeout: number | undefined;
	/** Between 0 and 1: spreads looks, so that many executions do not come back at the same moment. */
	jitter: number;
}

/** When to wake up next, and whether n8n would cancel the execution then: until the deadline, only a callback may come. */
export function nextWake(situation: WaitSituation): { at: number; isPastLastWake: boolean } {
	const { now, round, planned = Infinity, open, deadline, wakesSafely, executionTimeout, jitter } = situation;
	const lastWake = executionTimeout === undefined ? Infinity : executionTimeout - BEFORE_TIMEOUT_MS;
	if (now >= lastWake) return { at: deadline, isPastLastWake: true };
	if (!wakesSafely) return { at: Math.min(deadline, lastWake), isPastLastWake: false };
	const minutes = INTERVALS[Math.min(round, INTERVALS.length - 1)] ?? 0;
	const interval = Math.max(SHORTEST_MS, minutes * MINUTE_MS * (0.9 + 0.2 * jitter), open * MS_PER_QUESTION);
	return { at: Math.min(now + interval, planned, deadline, lastWake), isPastLastWake: false };
}
