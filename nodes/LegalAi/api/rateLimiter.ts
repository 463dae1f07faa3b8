import { BoundedMap } from './boundedMap';
import { ApiError, type ApiErrorDetails } from './errors';
import { abortableSleep, DEFAULT_RETRY_MS, type RetryOptions } from './retry';

const MINUTE_MS = 60_000;
/** How much of a minute's budget stays unused, so that requests that overtake each other on the way stay within it. */
const SPARED_MS = 1_000;
/** How long a pause is if the service does not say. It doubles with each pause in a row. */
const PAUSE_MS = 1_000;
/** Added to a pause that the service asks for repeatedly. It doubles, too. */
const ADDED_PAUSE_MS = 50;
const LONGEST_OWN_PAUSE_MS = 60_000;
/** How late it may be noticed that a deadline is over. One timer for all: that of n8n 1 can't be taken back. */
const TICK_MS = 5_000;
/** Others may use the same budget: after a 429, this limiter halves its share, then increases it gradually. */
const SMALLEST_SHARE = 1 / 16;
const SHARE_REGAINED = 1 / 25;

/** What waits for its turn belongs to a run of a node. */
export interface Flow {
	/** Whether its turns come before those of others: it has waited for them before. */
	readonly goesFirst?: boolean;
}

/** A request that waits for its turn. */
interface Waiter {
	deadline?: number;
	turnBy?: number;
	proceed: () => void;
	fail: (error: ApiError) => void;
}

/**
 * Paces requests to a limit that refills continuously. Waiting requests take turns, one from each flow (a run of a node),
 * so that a long list does not delay a question.
 */
export class RateLimiter {
	private readonly perMs: number;
	private readonly burst: number;
	private tokens: number;

	/** In ms of the monotonic clock, like all times here. */
	private refilledAt = performance.now();
	private pausedUntil = 0;
	/** Until when the service itself asked to wait. */
	private askedUntil = 0;
	private pausesInRow = 0;

	/** The part of the limit that is left for this process, as far as 429s show. */
	private share = 1;

	/** The service's last message about its limit. */
	private rejection: ApiErrorDetails = {};
	private serving = false;

	/** Waiting requests, by flow. Of those that go first, and of the others, the flow whose turn is next comes first. */
	private readonly flows = new Map<Flow, Set<Waiter>>();

	constructor(perMinute: number) {
		this.perMs = perMinute / MINUTE_MS;
		this.burst = Math.max(1, perMinute - this.perMs * SPARED_MS);
		this.tokens = this.burst;
	}

	/**
	 * Resolves when the caller may send one request.
	 *
	 * @throws {ApiError} of kind `canceled` when the budget's signal ends the wait
	 * @throws {ApiError} of kind `rateLimited`, with what the service said, once it is clear that the turn comes too late: after
	 * the budget's deadline, or, if it has none, in a pause of more than {@link DEFAULT_RETRY_MS}
	 * @throws {ApiError} of kind `outOfTurn` if the turn does not come by the budget's `turnBy`
	 */
	async acquire(
		flow: Flow,
		{ deadline, turnBy, signal }: Pick<RetryOptions, 'deadline' | 'turnBy' | 'signal'>,
	): Promise<void> {
		if (signal?.aborted) throw new ApiError('canceled');
		if (this.flows.size === 0 && this.msToNextToken() === 0) return this.takeToken();
		const ended = new AbortController();
		const turn = new Promise<void>((proceed, fail) => {
			const waiter: Waiter = { deadline, turnBy, proceed, fail };
			this.flows.set(flow, (this.flows.get(flow) ?? new Set()).add(waiter));
			signal?.addEventListener(
				'abort',
				() => this.dismiss(flow, waiter, new ApiError('canceled')),
				{ signal: ended.signal },
			);
		});
		this.dismissLate();
		void this.serve();
		await turn.finally(() => ended.abort());
	}

	/** After a 429: nothing is sent for as long as the service asked, and longer with each 429 in a row; then one request at a time. */
	pause({ details }: Pick<ApiError, 'details'>): void {
		const now = performance.now();
		if (now >= this.pausedUntil) {
			this.pausesInRow++;
			this.share = Math.max(SMALLEST_SHARE, this.share / 2);
		}
		this.rejection = details;
		const { retryAfterMs = 0 } = details;
		const doubled = 2 ** (this.pausesInRow - 1);
		const own = retryAfterMs > 0 ? ADDED_PAUSE_MS * (doubled - 1) : PAUSE_MS * doubled;
		this.askedUntil = Math.max(this.askedUntil, now + retryAfterMs);
		this.pausedUntil = Math.max(
			this.pausedUntil,
			now + retryAfterMs + Math.min(own, LONGEST_OWN_PAUSE_MS),
		);
		this.tokens = 1;
		this.refilledAt = this.pausedUntil;
		this.dismissLate();
	}

	/** After a response other than 429: the next pause is short again. */
	succeeded(): void {
		if (performance.now() >= this.pausedUntil) this.pausesInRow = 0;
	}

	/**
	 * For a request that had to wait for something else after its turn.
	 *
	 * @throws {ApiError} of kind `rateLimited` if the service has responded with 429 meanwhile
	 */
	ensureOpen(): void {
		if (performance.now() < this.pausedUntil) throw this.limitError();
	}

	private get askedMsLeft(): number {
		return Math.max(0, this.askedUntil - performance.now());
	}

	private limitError(): ApiError {
		return new ApiError('rateLimited', { ...this.rejection, retryAfterMs: this.askedMsLeft });
	}

	private outOfTurn(): ApiError {
		const isPaused = performance.now() < this.pausedUntil;
		return new ApiError('outOfTurn', {
			...(isPaused && this.rejection),
			retryAfterMs: this.askedMsLeft,
		});
	}

	private async serve(): Promise<void> {
		if (this.serving) return;
		this.serving = true;
		while (this.flows.size > 0) {
			const waitMs = this.msToNextToken();
			if (waitMs > 0) await abortableSleep(Math.min(waitMs, TICK_MS));
			else this.serveNext();
			this.dismissLate();
		}
		this.serving = false;
	}

	private dismissLate(): void {
		for (const [flow, waiters] of this.flows) {
			for (const waiter of waiters) {
				const now = Date.now();
				const patienceMs = waiter.deadline === undefined ? DEFAULT_RETRY_MS : waiter.deadline - now;
				if (this.askedMsLeft > patienceMs) this.dismiss(flow, waiter, this.limitError());
				else if (this.askedMsLeft > (waiter.turnBy ?? Infinity) - now)
					this.dismiss(flow, waiter, this.outOfTurn());
			}
		}
	}

	private takeToken(): void {
		this.tokens--;
		this.share = Math.min(1, this.share + SHARE_REGAINED);
	}

	private serveNext(): void {
		const flows = [...this.flows];
		const [flow, waiters] = flows.find(([{ goesFirst = false }]) => goesFirst) ?? flows[0] ?? [];
		const [waiter] = waiters ?? [];
		if (flow === undefined || waiters === undefined || waiter === undefined) return;
		this.flows.delete(flow);
		this.flows.set(flow, waiters);
		this.remove(flow, waiter);
		this.takeToken();
		waiter.proceed();
	}

	private dismiss(flow: Flow, waiter: Waiter, error: ApiError): void {
		this.remove(flow, waiter);
		waiter.fail(error);
	}

	private remove(flow: Flow, waiter: Waiter): void {
		const waiters = this.flows.get(flow);
		waiters?.delete(waiter);
		if (waiters?.size === 0) this.flows.delete(flow);
	}

	private msToNextToken(): number {
		const now = performance.now();
		if (now < this.pausedUntil) return this.pausedUntil - now;
		if (now - this.pausedUntil > MINUTE_MS) this.rejection = {};
		const perMs = this.perMs * this.share;
		this.tokens = Math.min(this.burst, this.tokens + (now - this.refilledAt) * perMs);
		this.refilledAt = now;
		return this.tokens >= 1 ? 0 : Math.ceil((1 - this.tokens) / perMs);
	}
}

const NEW_SESSIONS_PER_MINUTE = 60;
const REQUESTS_PER_MINUTE = 400;
const MOST_ACCOUNTS = 1_000;

/** The service's limits ("Limits" in its specification), which apply to an organization. */
export interface ServiceLimits {
	sessions: RateLimiter;
	requests: RateLimiter;
}

const limitsByAccount = new BoundedMap<string, ServiceLimits>(MOST_ACCOUNTS);

/** The limits that all runs of this process share that use the same key at the same address. */
export function serviceLimitsOf(account: string): ServiceLimits {
	const limits = limitsByAccount.get(account) ?? {
		sessions: new RateLimiter(NEW_SESSIONS_PER_MINUTE),
		requests: new RateLimiter(REQUESTS_PER_MINUTE),
	};
	limitsByAccount.set(account, limits);
	return limits;
}
