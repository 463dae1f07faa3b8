import { sleep } from 'n8n-workflow';

import { ApiError, ERROR_KINDS, type ApiErrorDetails } from './errors';

const MAX_FAILURES = 4;
const BACK_OFF = { first: 500, longest: 30_000 };

/** How often to ask whether a question is answered, in ms: the API's own guidance is to start at 2 to 3 seconds and back off exponentially. */
export const CHECK_INTERVAL_MS = { first: 2_500, longest: 20_000 };

/** By default, how long a request may be repeated after its first response, and how long a pause it waits for. */
export const DEFAULT_RETRY_MS = 5 * 60_000;

/** How a request may be repeated. */
export interface RetryOptions {
	/** Whether sending it twice does no harm; default true. */
	idempotent?: boolean;
	/** No try begins after this, in ms since the epoch; default: 5 minutes after the first response. */
	deadline?: number;
	/** Until when a turn within the service's limits is waited for, in ms since the epoch; default: as long as it takes. */
	turnBy?: number;
	/** Ends waits immediately. */
	signal?: AbortSignal;
	/** What its error says about it. */
	details?: ApiErrorDetails;
}

/**
 * The one retry policy. Sends a request until it succeeds, its kind of error is to be reported, or the service asks to wait longer
 * than there is time. `send` gets the deadline that applies. A wait that the service asks for does not count as a failure.
 *
 * @throws {ApiError} with `maybeAccepted` if the request must not be repeated and may have been carried out
 */
export async function withRetries<T>(
	options: RetryOptions,
	send: (options: RetryOptions) => Promise<T>,
): Promise<T> {
	const { idempotent = true, signal, details = {} } = options;
	let { deadline } = options;
	let failures = 0;
	for (let tries = 0; ; tries++) {
		if (signal?.aborted) throw new ApiError('canceled');
		const attempt = await send({ ...options, deadline }).then(
			(value) => ({ value }),
			(reason: unknown) => ({ reason }),
		);
		if ('value' in attempt) return attempt.value;
		if (!(attempt.reason instanceof ApiError)) throw attempt.reason;
		const error = attempt.reason.with(details);
		const { retryAfterMs = 0, maybeAccepted } = error.details;
		const { then: action, mayBeDone } = ERROR_KINDS[error.kind];
		if (maybeAccepted || (!idempotent && mayBeDone)) throw error.with({ maybeAccepted: true });
		deadline ??= Date.now() + DEFAULT_RETRY_MS;
		if (action === 'backOff' && retryAfterMs === 0) failures++;
		const waitMs = Math.max(retryAfterMs, action === 'backOff' ? backOffMs(tries, BACK_OFF) : 0);
		if (action === undefined || failures > MAX_FAILURES || Date.now() + waitMs > deadline)
			throw error;
		if (action === 'backOff') await abortableSleep(waitMs, signal);
	}
}

/** Doubles from `first` up to `longest`, varied by ±20 % so that many do not retry at the same moment; in ms. */
export function backOffMs(
	tries: number,
	{ first, longest }: { first: number; longest: number },
): number {
	return Math.min(first * 2 ** tries, longest) * (0.8 + 0.4 * Math.random());
}

/**
 * Waits, or ends early when the signal aborts. The `sleep` of n8n 1 takes no signal.
 *
 * @throws {ApiError} of kind `canceled`
 */
export async function abortableSleep(ms: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) throw new ApiError('canceled');
	await new Promise<void>((resolve) => {
		const wake = (): void => {
			signal?.removeEventListener('abort', wake);
			resolve();
		};
		signal?.addEventListener('abort', wake);
		void sleep(ms, signal).then(wake, wake);
	});
	if (signal?.aborted) throw new ApiError('canceled');
}
