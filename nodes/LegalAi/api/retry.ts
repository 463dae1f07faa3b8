import { sleep } from 'n8n-workflow';

import { ApiFailure, type FailureKind } from './failure';
import type { Slots } from './slots';

type Verdict = 'report' | 'retry' | 'wait';

/**
 * Whether sending a request twice does no harm: reads, updates and uploads are `repeatable`; asking a
 * question and creating a task must happen `once`.
 */
export type Repetition = 'once' | 'repeatable';

/** The one retry policy of both nodes. `wait` honours the service's Retry-After, `retry` backs off. */
const POLICY: Record<FailureKind, Record<Repetition, Verdict>> = {
	unreached: { repeatable: 'retry', once: 'retry' },
	throttled: { repeatable: 'wait', once: 'wait' },
	interrupted: { repeatable: 'retry', once: 'report' },
	unreadable: { repeatable: 'retry', once: 'report' },
	unlistable: { repeatable: 'report', once: 'report' },
	refused: { repeatable: 'report', once: 'report' },
	unanswered: { repeatable: 'report', once: 'report' },
	untrusted: { repeatable: 'report', once: 'report' },
	cancelled: { repeatable: 'report', once: 'report' },
};

const MAX_RETRIES = 4;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

const DEFAULT_PATIENCE_MS = 5 * 60_000;

/** How HTTP writes a date. Left to itself, `Date.parse` finds one in almost any text with a number in it. */
const WEEKDAY_FIRST = /^\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/** What ends the repeating of a request. */
export interface Patience {
	/** In ms since the epoch, the user's own limit; without it, 5 minutes from when its turn comes. */
	deadline?: number;
	signal?: AbortSignal;
}

/**
 * Waits, and ends at once when the execution is stopped.
 *
 * @throws {ApiFailure} `cancelled`
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	await sleep(ms, signal).catch(() => undefined);
	if (signal?.aborted) throw new ApiFailure('cancelled');
}

/** The wait before the next try, in ms: doubling from `firstMs` up to `longestMs`, spread by jitter of ±20 %. */
export function backoff(attempt: number, firstMs: number, longestMs: number): number {
	return Math.min(firstMs * 2 ** attempt, longestMs) * (0.8 + 0.4 * Math.random());
}

/**
 * The turnstile that the requests of one execution share. As long as the service does not say 429,
 * everyone passes. Once it does, they go single file: one asks again when the service said, the others
 * wait behind it instead of hammering on.
 */
export class Turnstile {
	private queue: Promise<void> = Promise.resolve();

	private waiting = 0;

	private opensAt = 0;

	private readonly slots: Slots;

	/** @param slots bound what is under way at once; a wait takes none of them */
	constructor(slots: Slots) {
		this.slots = slots;
	}

	/** Sends a request through: `send` is called again for each 429, until the patience ends. */
	async pass<T>(send: () => Promise<T>, patience: Patience): Promise<T> {
		if (this.isOpen()) {
			const sent = await this.sendOnce(send, 0, patience.deadline ?? Date.now() + DEFAULT_PATIENCE_MS);
			if (sent !== undefined) return sent.value;
		}

		this.waiting++;
		const turn = this.queue.then(async () => await this.sendUntilAccepted(send, patience));
		this.queue = turn.then(
			() => undefined,
			() => undefined,
		);
		try {
			return await turn;
		} finally {
			this.waiting--;
		}
	}

	private isOpen(): boolean {
		return this.waiting === 0 && this.opensAt <= Date.now();
	}

	private async sendUntilAccepted<T>(send: () => Promise<T>, patience: Patience): Promise<T> {
		const deadline = patience.deadline ?? Date.now() + DEFAULT_PATIENCE_MS;
		for (let tries = 1; ; tries++) {
			const wait = Math.max(0, this.opensAt - Date.now());
			if (Date.now() + wait > deadline) throw new ApiFailure('throttled', { status: 429, retryAfterMs: wait });
			await pause(wait, patience.signal);
			const sent = await this.sendOnce(send, tries, deadline);
			if (sent !== undefined) return sent.value;
		}
	}

	/**
	 * Sends, once there is a slot. Undefined where that was a 429, for which it then is closed, and where it was
	 * closed while a first try waited for its slot.
	 */
	private async sendOnce<T>(send: () => Promise<T>, tries: number, deadline: number): Promise<{ value: T } | undefined> {
		return await this.slots.run(async () => {
			if (tries === 0 && !this.isOpen()) return undefined;
			const attempt = await attemptTo(send);
			if ('value' in attempt) return attempt;
			this.closeFor(attempt.failure, tries, deadline);
			return undefined;
		});
	}

	/**
	 * Closes for as long as a 429 asks, and at least a growing while. Throws on whatever is no 429, and where
	 * that is longer than this request's patience.
	 */
	private closeFor(failure: ApiFailure, tries: number, deadline: number): void {
		if (POLICY[failure.kind].once !== 'wait') throw failure;
		const askedMs = failure.facts.retryAfterMs ?? 0;
		const wait = tries === 0 && askedMs > 0 ? askedMs : Math.max(askedMs, backoff(tries, 1000, LONGEST_BACKOFF_MS));
		this.opensAt = Math.max(this.opensAt, Date.now() + wait);
		if (this.opensAt > deadline) throw failure;
	}
}

type Attempt<T> = { value: T } | { failure: ApiFailure };

/** Sends once. What is no failure of a request goes its way. */
async function attemptTo<T>(send: () => Promise<T>): Promise<Attempt<T>> {
	return await send().then(
		(value) => ({ value }),
		async (error: unknown) => (error instanceof ApiFailure ? { failure: error } : await Promise.reject(error)),
	);
}

/**
 * Sends a request, repeated where the policy allows: at most 4 times, with growing waits and not past the
 * patience's deadline. `send` throws {@link ApiFailure}; 429 is the {@link Turnstile}'s business.
 */
export async function withRetries<T>(
	repetition: Repetition,
	patience: Patience,
	send: () => Promise<T>,
): Promise<T> {
	for (let retries = 0; ; retries++) {
		const attempt = await attemptTo(send);
		if ('value' in attempt) return attempt.value;

		const { failure } = attempt;
		const askedMs = Math.min(failure.facts.retryAfterMs ?? 0, LONGEST_BACKOFF_MS);
		const wait = Math.max(askedMs, backoff(retries, FIRST_BACKOFF_MS, LONGEST_BACKOFF_MS));
		const repeat = POLICY[failure.kind][repetition] === 'retry' && retries < MAX_RETRIES;
		if (!repeat || Date.now() + wait > (patience.deadline ?? Infinity)) {
			const unsure = repetition === 'once' && ['interrupted', 'unreadable'].includes(failure.kind);
			throw unsure ? failure.with({ mayHaveBeenAccepted: true }) : failure;
		}
		await pause(wait, patience.signal);
	}
}

/** Reads a Retry-After header, in seconds or as a date, as ms from now; undefined where it is neither. */
export function parseRetryAfter(header: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
	const date = WEEKDAY_FIRST.test(header) ? Date.parse(header) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
