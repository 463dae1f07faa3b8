import { BoundedMap } from './boundedMap';
import { ApiError, type ApiErrorDetails, type ApiErrorKind } from './errors';
import { abortableSleep, DEFAULT_RETRY_MS, type RetryOptions } from './retry';
import { SERVICE_LIMITS } from './serviceLimits';

const MINUTE_MS = 60_000;
/** How much of a minute's budget stays unused, so that requests that overtake each other on the way stay within it. */
const SPARED_MS = 1_000;
/** How long a pause is if the service does not say. */
const PAUSE_MS = 1_000;
/** How late a waiting request may notice that the service has asked for a pause, or that one before it has ended. */
const TICK_MS = 1_000;
/** Others may use the same budget: after a 429, this limiter halves its share, then increases it with each turn. */
const SMALLEST_SHARE = 1 / 64;
const SHARE_REGAINED = 1 / 25;

/** Paces requests to a limit that refills continuously, up to what it allows in a minute. */
export class RateLimiter {
	private readonly perMs: number;
	private readonly burst: number;
	/** How many requests may be sent now. */
	private tokens: number;

	/** Until when tokens were counted, in ms of the monotonic clock. It lies ahead while the service wants no requests. */
	private countedUntil = performance.now();

	/** The part of the limit that is left for this process, as far as 429s show. */
	private share = 1;

	/** The service's last message about its limit, as long as the share is smaller because of it. */
	private rejection: ApiErrorDetails = {};

	/** The places of waiting requests, in their order: each run of a node has every place once, so that runs take turns. */
	private readonly queue: Array<{ place: number }> = [];
	private readonly lastPlaces = new WeakMap<object, number>();
	private servedPlace = 0;

	constructor(perMinute: number) {
		this.perMs = perMinute / MINUTE_MS;
		this.burst = Math.max(1, perMinute - this.perMs * SPARED_MS);
		this.tokens = this.burst;
	}

	/**
	 * Resolves when the caller may send one request.
	 *
	 * @param run whose requests take turns with those of others, so that a long list does not delay a question
	 * @throws {ApiError} of kind `canceled` when the budget's signal ends the wait
	 * @throws {ApiError} of kind `rateLimited`, with what the service said, once it is clear that the turn comes too late: after
	 * the budget's deadline, or, if it has none, in a pause of more than {@link DEFAULT_RETRY_MS}
	 * @throws {ApiError} of kind `outOfTurn` if the turn does not come by the budget's `turnBy`
	 */
	async acquire(
		run: object,
		{ deadline, turnBy = Infinity, signal }: Pick<RetryOptions, 'deadline' | 'turnBy' | 'signal'>,
	): Promise<void> {
		const place = Math.max(this.servedPlace, this.lastPlaces.get(run) ?? 0) + 1;
		const waiting = { place };
		this.lastPlaces.set(run, place);
		this.queue.push(waiting);
		this.queue.sort((one, other) => one.place - other.place);
		try {
			for (;;) {
				const waitMs = this.msToTurn(this.queue.indexOf(waiting));
				if (waitMs === 0) break;
				const now = Date.now();
				const patienceMs = deadline === undefined ? DEFAULT_RETRY_MS : deadline - now;
				if (this.pauseMs > patienceMs) throw this.errorOf('rateLimited');
				if (this.pauseMs > turnBy - now) throw this.errorOf('outOfTurn');
				await abortableSleep(Math.min(waitMs, TICK_MS, Math.max(1, patienceMs)), signal);
			}
		} finally {
			this.queue.splice(this.queue.indexOf(waiting), 1);
		}
		this.servedPlace = place;
		this.tokens--;
		this.share = Math.min(1, this.share + SHARE_REGAINED);
	}

	/** After a 429: nothing is sent for as long as the service asked, then less than before, so that each pause in a row is longer. */
	pause({ details }: Pick<ApiError, 'details'>): void {
		if (this.pauseMs === 0) this.share = Math.max(SMALLEST_SHARE, this.share / 2);
		const until = performance.now() + (details.retryAfterMs || PAUSE_MS);
		this.countedUntil = Math.max(this.countedUntil, until);
		this.tokens = 0;
		this.rejection = details;
	}

	private get pauseMs(): number {
		return Math.max(0, this.countedUntil - performance.now());
	}

	private errorOf(kind: ApiErrorKind): ApiError {
		if (this.share === 1) return new ApiError(kind);
		// Without the time, the request would queue again, and again.
		return new ApiError(kind, { ...this.rejection, retryAfterMs: this.pauseMs });
	}

	/** How long it takes until there is a token for the request that so many are before. */
	private msToTurn(before: number): number {
		const now = performance.now();
		const perMs = this.perMs * this.share;
		const refilled = Math.max(0, now - this.countedUntil) * perMs;
		this.tokens = Math.min(this.burst, this.tokens + refilled);
		this.countedUntil = Math.max(this.countedUntil, now);
		const missing = before + 1 - this.tokens;
		return missing > 0 ? this.pauseMs + Math.ceil(missing / perMs) : 0;
	}
}

/** The service's limits, which apply to an organization. */
export interface ServiceLimits {
	sessions: RateLimiter;
	requests: RateLimiter;
}

/** Without it, each execution would begin with a whole minute's requests, and many at once would be told to wait. */
const limitsByAccount = new BoundedMap<string, ServiceLimits>(1_000);

/** The limits that all runs of this process share that use the same key at the same address. */
export function serviceLimitsOf(account: string): ServiceLimits {
	const limits = limitsByAccount.get(account) ?? {
		sessions: new RateLimiter(SERVICE_LIMITS.newSessionsPerMinute),
		requests: new RateLimiter(SERVICE_LIMITS.requestsPerMinute),
	};
	limitsByAccount.set(account, limits);
	return limits;
}
