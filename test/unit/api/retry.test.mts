import { sleep } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { ApiError, type ApiErrorKind } from '../../../nodes/LegalAi/api/errors.ts';
import { withRetries, type RetryOptions } from '../../../nodes/LegalAi/api/retry.ts';

const KINDS = Object.keys({
	connectionFailed: true,
	tlsFailed: true,
	rateLimited: true,
	outcomeUnknown: true,
	invalidResponse: true,
	responseTooLarge: true,
	redirected: true,
	invalidPage: true,
	filterIgnored: true,
	addressNotAllowed: true,
	blockedByN8n: true,
	fileTooLarge: true,
	sessionBusy: true,
	rejected: true,
	questionFailed: true,
	canceled: true,
} satisfies Record<ApiErrorKind, true>) as ApiErrorKind[];

/** What is sent more than once: how often, if each try takes a second. All else is sent once. */
const REPEATED: Partial<Record<ApiErrorKind, Record<'idempotent' | 'nonIdempotent', number>>> = {
	connectionFailed: { idempotent: 5, nonIdempotent: 5 },
	// Until 5 minutes after the first response. The limiter, which is not there, does the waiting.
	rateLimited: { idempotent: 302, nonIdempotent: 302 },
	outcomeUnknown: { idempotent: 5, nonIdempotent: 1 },
	invalidResponse: { idempotent: 5, nonIdempotent: 1 },
};

const MAYBE_ACCEPTED: ApiErrorKind[] = ['outcomeUnknown', 'invalidResponse', 'responseTooLarge', 'redirected'];

const read: RetryOptions = { idempotent: true };

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
async function sendInVain(options: RetryOptions, errorOf: () => Error): Promise<{ error: unknown; sentAt: number[] }> {
	const begun = Date.now();
	const sentAt: number[] = [];
	const outcome = withRetries(options, () => {
		sentAt.push(Date.now() - begun);
		return Promise.reject(errorOf());
	}).catch((error: unknown) => error);
	await vi.runAllTimersAsync();
	return { error: await outcome, sentAt };
}

describe('the retry policy', () => {
	test.each(
		KINDS.flatMap((kind) => (['idempotent', 'nonIdempotent'] as const).map((column) => ({ kind, column, sent: REPEATED[kind]?.[column] ?? 1 }))),
	)('sends $kind, $column, $sent times', async ({ kind, column, sent }) => {
		let times = 0;
		const outcome = withRetries({ idempotent: column === 'idempotent' }, async () => {
			times += 1;
			await sleep(1_000);
			throw new ApiError(kind);
		}).catch((error: unknown) => error);
		await vi.runAllTimersAsync();

		const maybeAccepted = column === 'nonIdempotent' && MAYBE_ACCEPTED.includes(kind);
		expect(await outcome).toMatchObject({ kind });
		expect(await outcome).toMatchObject({ kind, details: maybeAccepted ? { maybeAccepted } : {} });
		expect(times).toBe(sent);
	});

	test('backs off twice as long each time, spread by a fifth either way', async () => {
		const { sentAt } = await sendInVain(read, () => new ApiError('connectionFailed'));
		expect(sentAt).toEqual([0, 500, 1_500, 3_500, 7_500]);
		vi.mocked(Math.random).mockReturnValueOnce(0).mockReturnValueOnce(1);
		const spread = await sendInVain(read, () => new ApiError('connectionFailed'));
		expect(spread.sentAt.slice(0, 3)).toEqual([0, 400, 400 + 1_200]);
	});

	test('waits for as long as the service asks, which counts as no failure, and longer each time that it asks again', async () => {
		const asked = [100_000, 100, 100, 100, 100, 100, 100];
		const { sentAt } = await sendInVain(read, () => new ApiError('outcomeUnknown', { retryAfterMs: asked.shift() ?? 0 }));
		const waits = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
		expect(waits).toEqual([100_000, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000]);
	});

	test('does not wait beyond the deadline for what the service asks', async () => {
		const { sentAt } = await sendInVain({ ...read, deadline: Date.now() + 60_000 }, () => new ApiError('outcomeUnknown', { retryAfterMs: 60_001 }));
		expect(sentAt).toEqual([0]);
	});

	test.each(['rejected', 'rateLimited'] as const)('takes what took 25 seconds to fail for accepted, if the service goes on with it, and never repeats it: %s', async (kind) => {
		const options = { idempotent: false, acceptedAfterMs: 25_000 };
		const late = await sendInVain(options, () => new ApiError(kind, { responseMs: 25_000 }));
		expect(late.error).toMatchObject({ details: { maybeAccepted: true } });
		expect(late.sentAt).toEqual([0]);
		const early = await sendInVain({ ...options, deadline: Date.now() - 1 }, () => new ApiError(kind, { responseMs: 24_999 }));
		expect(early.error).not.toHaveProperty('details.maybeAccepted');
	});

	test('ends before its deadline', async () => {
		const { error, sentAt } = await sendInVain({ ...read, deadline: Date.now() + 499 }, () => new ApiError('connectionFailed'));
		expect(error).toMatchObject({ kind: 'connectionFailed' });
		expect(sentAt).toEqual([0]);
		expect(vi.getTimerCount()).toBe(0);
	});

	test('lets through what is not an error of a request', async () => {
		const bug = new TypeError('a bug');
		await expect(withRetries(read, () => Promise.reject(bug))).rejects.toBe(bug);
	});

	test('ends at once when it is stopped', async () => {
		const stop = new AbortController();
		const outcome = withRetries({ ...read, signal: stop.signal }, () => Promise.reject(new ApiError('connectionFailed')));
		stop.abort();
		await expect(outcome).rejects.toMatchObject({ kind: 'canceled' });
	});
});
