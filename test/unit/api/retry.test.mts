import { sleep } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
	AddressNotAllowedError,
	CanceledError,
	ConnectionError,
	FileTooLargeError,
	FilterIgnoredError,
	InvalidPageError,
	InvalidResponseError,
	OutcomeUnknownError,
	QuestionFailedError,
	QuestionPendingError,
	RateLimitError,
	RejectedError,
	SessionBusyError,
	TlsError,
	type ApiError,
	type ApiErrorDetails,
	type ApiErrorKind,
} from '../../../nodes/LegalAi/api/errors.ts';
import { abortableSleep, isTemporary, withRetries } from '../../../nodes/LegalAi/api/retry.ts';

const MINUTE_MS = 60_000;

const ERRORS: Record<ApiErrorKind, new (details?: ApiErrorDetails) => ApiError> = {
	connectionFailed: ConnectionError,
	tlsFailed: TlsError,
	rateLimited: RateLimitError,
	outcomeUnknown: OutcomeUnknownError,
	invalidResponse: InvalidResponseError,
	invalidPage: InvalidPageError,
	filterIgnored: FilterIgnoredError,
	addressNotAllowed: AddressNotAllowedError,
	fileTooLarge: FileTooLargeError,
	sessionBusy: SessionBusyError,
	rejected: RejectedError,
	questionPending: QuestionPendingError,
	questionFailed: QuestionFailedError,
	canceled: CanceledError,
};

const KINDS = Object.keys(ERRORS) as ApiErrorKind[];

/**
 * How often a request that takes a second and never succeeds is sent in all, and whether its error then says that it
 * may have been accepted. What is waited for is repeated until 5 minutes after the first response.
 */
const SENT: Record<ApiErrorKind, Record<'idempotent' | 'once', { sent: number; maybeAccepted?: true }>> = {
	connectionFailed: { idempotent: { sent: 5 }, once: { sent: 5 } },
	rateLimited: { idempotent: { sent: 302 }, once: { sent: 302 } },
	sessionBusy: { idempotent: { sent: 18 }, once: { sent: 18 } },
	questionPending: { idempotent: { sent: 18 }, once: { sent: 18 } },
	outcomeUnknown: { idempotent: { sent: 5 }, once: { sent: 1, maybeAccepted: true } },
	invalidResponse: { idempotent: { sent: 5 }, once: { sent: 1, maybeAccepted: true } },
	invalidPage: { idempotent: { sent: 1 }, once: { sent: 1 } },
	filterIgnored: { idempotent: { sent: 1 }, once: { sent: 1 } },
	addressNotAllowed: { idempotent: { sent: 1 }, once: { sent: 1 } },
	fileTooLarge: { idempotent: { sent: 1 }, once: { sent: 1 } },
	rejected: { idempotent: { sent: 1 }, once: { sent: 1 } },
	questionFailed: { idempotent: { sent: 1 }, once: { sent: 1 } },
	tlsFailed: { idempotent: { sent: 1 }, once: { sent: 1 } },
	canceled: { idempotent: { sent: 1 }, once: { sent: 1 } },
};

const rows = KINDS.flatMap((kind) =>
	(['idempotent', 'once'] as const).map((manner) => ({ kind, manner, ...SENT[kind][manner] })),
);

beforeEach(() => {
	vi.useFakeTimers();
	// Neither end of the spread.
	vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

/** Sends in vain, and notes when, in ms from the first time. */
async function sendInVain(
	idempotent: boolean,
	budget: Parameters<typeof withRetries>[1],
	errorOf: () => Error,
): Promise<{ error: unknown; sentAt: number[] }> {
	const begun = Date.now();
	const sentAt: number[] = [];
	const outcome = withRetries(idempotent, budget, () => {
		sentAt.push(Date.now() - begun);
		return Promise.reject(errorOf());
	}).catch((error: unknown) => error);
	await vi.runAllTimersAsync();
	return { error: await outcome, sentAt };
}

describe('the retry policy', () => {
	test.each(rows)('sends $kind, $manner, $sent times', async ({ kind, manner, sent, maybeAccepted }) => {
		let times = 0;
		const outcome = withRetries(manner === 'idempotent', {}, async () => {
			times += 1;
			await sleep(1_000);
			throw new ERRORS[kind]();
		}).catch((error: unknown) => error);
		await vi.runAllTimersAsync();

		const error = await outcome;
		expect(error).toBeInstanceOf(ERRORS[kind]);
		expect(error).toHaveProperty('kind', kind);
		expect(error).toHaveProperty('details', maybeAccepted ? { maybeAccepted } : {});
		expect(times).toBe(sent);
	});

	test('backs off twice as long each time', async () => {
		const { sentAt } = await sendInVain(true, {}, () => new ConnectionError());
		expect(sentAt).toEqual([0, 500, 1_500, 3_500, 7_500]);
	});

	test('backs off for as long as the service asks, but no longer than half a minute', async () => {
		const asked = [900, 7_000, 45_000, 0];
		const { sentAt } = await sendInVain(true, {}, () => new OutcomeUnknownError({ retryAfterMs: asked.shift() ?? 0 }));
		expect(sentAt).toEqual([0, 900, 7_900, 37_900, 41_900]);
	});

	test('looks again at a slowing pace, for the last time when the deadline comes', async () => {
		const { sentAt } = await sendInVain(true, { deadline: Date.now() + MINUTE_MS }, () => new QuestionPendingError());
		expect(sentAt).toEqual([0, 2_500, 7_500, 17_500, 37_500, 57_500, 60_000]);
	});

	test.each([17_500, 30_000])('looks no more after the time for looks, %i ms, if that ends before the deadline', async (patience) => {
		const budget = { deadline: Date.now() + MINUTE_MS, pollDeadline: Date.now() + patience };
		const { sentAt } = await sendInVain(true, budget, () => new QuestionPendingError());
		expect(sentAt).toEqual([0, 2_500, 7_500, 17_500]);
	});

	test('looks no more often than it is told', async () => {
		const budget = { deadline: Date.now() + MINUTE_MS, minPollMs: () => 15_000 };
		const { sentAt } = await sendInVain(true, budget, () => new QuestionPendingError());
		expect(sentAt).toEqual([0, 15_000, 30_000, 45_000, 60_000]);
	});

	test('spreads waits by a fifth either way', async () => {
		vi.mocked(Math.random).mockReturnValueOnce(0).mockReturnValueOnce(1);
		const { sentAt } = await sendInVain(true, {}, () => new ConnectionError());
		expect(sentAt.slice(0, 3)).toEqual([0, 400, 400 + 1_200]);
	});

	test('counts each kind of wait for itself: a question that was looked at often still gets its back-offs', async () => {
		const errors = [new QuestionPendingError(), new QuestionPendingError()];
		const { sentAt } = await sendInVain(true, {}, () => errors.shift() ?? new ConnectionError());
		expect(sentAt).toEqual([0, 2_500, 7_500, 8_000, 9_000, 11_000, 15_000]);
	});

	test('gives what the first success gives', async () => {
		const answers = [new ConnectionError(), new RateLimitError(), new SessionBusyError()];
		const outcome = withRetries(false, {}, () => {
			const error = answers.shift();
			return error === undefined ? Promise.resolve('accepted') : Promise.reject(error);
		});
		await vi.runAllTimersAsync();
		expect(await outcome).toBe('accepted');
	});

	test('ends before its deadline', async () => {
		const { error, sentAt } = await sendInVain(true, { deadline: Date.now() + 499 }, () => new ConnectionError());
		expect(error).toBeInstanceOf(ConnectionError);
		expect(sentAt).toEqual([0]);
		expect(vi.getTimerCount()).toBe(0);
	});

	test('lets through what is not an error of a request', async () => {
		const bug = new TypeError('a bug');
		await expect(withRetries(true, {}, () => Promise.reject(bug))).rejects.toBe(bug);
	});

	test('ends at once when it is stopped', async () => {
		const stop = new AbortController();
		const outcome = withRetries(true, { signal: stop.signal }, () => Promise.reject(new ConnectionError()));
		stop.abort();
		await expect(outcome).rejects.toBeInstanceOf(CanceledError);
	});
});

test('trying again later may help with what is repeated, and with nothing else', () => {
	const temporary = KINDS.filter((kind) => isTemporary(new ERRORS[kind]()));
	expect(temporary.sort()).toEqual(
		['connectionFailed', 'invalidResponse', 'outcomeUnknown', 'questionPending', 'rateLimited', 'sessionBusy'],
	);
});

describe('an abortable sleep', () => {
	test('lasts as long as it says', async () => {
		let isOver = false;
		void abortableSleep(1_000, new AbortController().signal).then(() => (isOver = true));
		await vi.advanceTimersByTimeAsync(999);
		expect(isOver).toBe(false);
		await vi.advanceTimersByTimeAsync(1);
		expect(isOver).toBe(true);
	});

	test('does not begin once the signal was given', async () => {
		await expect(abortableSleep(1_000, AbortSignal.abort())).rejects.toBeInstanceOf(CanceledError);
	});
});
