import { sleep } from 'n8n-workflow';

import { ApiError, CanceledError, type ApiErrorKind } from './errors';

/**
 * What to do after an error: tell the caller, wait a little longer each time, wait until the rate limit allows it,
 * or look again at a slow pace until the deadline.
 */
type RetryAction = 'report' | 'backOff' | 'awaitLimit' | 'poll';

/**
 * The one retry policy. Reads, updates and uploads may be sent twice; asking a question and creating a task may not.
 * A session that is busy and a question that is pending are no faults, but queues to wait in.
 */
const RETRY_POLICY: Record<ApiErrorKind, { idempotent: RetryAction; once: RetryAction }> = {
	connectionFailed: { idempotent: 'backOff', once: 'backOff' },
	rateLimited: { idempotent: 'awaitLimit', once: 'awaitLimit' },
	sessionBusy: { idempotent: 'poll', once: 'poll' },
	questionPending: { idempotent: 'poll', once: 'poll' },
	outcomeUnknown: { idempotent: 'backOff', once: 'report' },
	invalidResponse: { idempotent: 'backOff', once: 'report' },
	invalidPage: { idempotent: 'report', once: 'report' },
	filterIgnored: { idempotent: 'report', once: 'report' },
	addressNotAllowed: { idempotent: 'report', once: 'report' },
	fileTooLarge: { idempotent: 'report', once: 'report' },
	rejected: { idempotent: 'report', once: 'report' },
	questionFailed: { idempotent: 'report', once: 'report' },
	tlsFailed: { idempotent: 'report', once: 'report' },
	canceled: { idempotent: 'report', once: 'report' },
};

const MAX_BACK_OFFS = 4;
const BACK_OFF_MS = { first: 500, longest: 30_000 };
/** The API's own guidance: start at 2 to 3 seconds and back off exponentially. */
const POLL_MS = { first: 2_500, longest: 20_000 };

/** How long a request may be repeated from its first try on, unless told otherwise, in ms. */
const DEFAULT_PATIENCE_MS = 5 * 60_000;

/** What ends the repeating of a request. */
export interface RetryBudget {
	/** In ms since the epoch; default: 5 minutes after the first response. */
	deadline?: number;
	/** No poll begins after this, in ms since the epoch. */
	pollDeadline?: number;
	/** Ends waits at once. */
	signal?: AbortSignal;
	/** At least so many ms until the next poll, by what is still to be polled. */
	minPollMs?: () => number;
}

/**
 * Sends a request until it succeeds, the policy says to report its error, or the budget ends. `send` throws
 * {@link ApiError}, and waits for the rate limiter by itself.
 *
 * @throws {ApiError} with `maybeAccepted` if the request must not be repeated and may have been carried out
 */
export async function withRetries<T>(idempotent: boolean, budget: RetryBudget, send: () => Promise<T>): Promise<T> {
	const tries: Record<RetryAction, number> = { report: 0, backOff: 0, awaitLimit: 0, poll: 0 };
	let deadline = budget.deadline;
	for (;;) {
		const attempt = await attemptTo(send);
		if ('value' in attempt) return attempt.value;

		const { error } = attempt;
		deadline ??= Date.now() + DEFAULT_PATIENCE_MS;
		const action = RETRY_POLICY[error.kind][idempotent ? 'idempotent' : 'once'];
		const waitMs = waitBefore(action, tries[action]++, error, budget, deadline);
		if (waitMs === undefined || Date.now() + waitMs > deadline) throw reported(error, idempotent);
		await abortableSleep(waitMs, budget.signal);
	}
}

/** Sends once. What is not an error of a request is not ours to handle. */
async function attemptTo<T>(send: () => Promise<T>): Promise<{ value: T } | { error: ApiError }> {
	return await send().then(
		(value) => ({ value }),
		(error: unknown) => {
			if (error instanceof ApiError) return { error };
			throw error;
		},
	);
}

/** Whether trying again later may help. */
export function isTemporary({ kind }: ApiError): boolean {
	return RETRY_POLICY[kind].idempotent !== 'report';
}

/** How long to wait before the next try, in ms; undefined if there is none. The rate limiter does its own waiting. */
function waitBefore(
	action: RetryAction,
	tries: number,
	error: ApiError,
	budget: RetryBudget,
	deadline: number,
): number | undefined {
	switch (action) {
		case 'report':
			return undefined;
		case 'awaitLimit':
			return 0;
		case 'poll':
			return waitBeforePoll(Math.max(backOff(tries, POLL_MS), budget.minPollMs?.() ?? 0), deadline, budget);
		case 'backOff':
			if (tries >= MAX_BACK_OFFS) return undefined;
			return Math.max(Math.min(error.details.retryAfterMs ?? 0, BACK_OFF_MS.longest), backOff(tries, BACK_OFF_MS));
	}
}

/** The last poll comes as the time is over, neither before nor after. */
function waitBeforePoll(intervalMs: number, deadline: number, { pollDeadline = Infinity }: RetryBudget): number | undefined {
	const now = Date.now();
	const waitMs = Math.min(intervalMs, deadline - now);
	return waitMs <= 0 || now + waitMs > pollDeadline ? undefined : waitMs;
}

/** Whoever may send a request again knows by that what became of it; all others have to look. */
function reported(error: ApiError, idempotent: boolean): ApiError {
	const { idempotent: ifIdempotent, once } = RETRY_POLICY[error.kind];
	return !idempotent && ifIdempotent !== once ? error.add({ maybeAccepted: true }) : error;
}

/** Doubles from `first` up to `longest`, spread by ±20 % so that many do not come back at the same moment; in ms. */
function backOff(tries: number, { first, longest }: { first: number; longest: number }): number {
	return Math.min(first * 2 ** tries, longest) * (0.8 + 0.4 * Math.random());
}

/**
 * Waits, and ends at once when the signal does.
 *
 * @throws {CanceledError}
 */
export async function abortableSleep(ms: number, signal?: AbortSignal): Promise<void> {
	await sleep(ms, signal).catch(() => undefined);
	if (signal?.aborted) throw new CanceledError();
}
