import { sleep } from 'n8n-workflow';

import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { type Budget, withRetries } from '../../../nodes/LegalAi/api/retry.ts';

const read = { isIdempotent: true };

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
async function sendInVain(options: Budget, createError: () => Error, tryMs = 0) {
	const begun = Date.now();
	const sentAt: number[] = [];
	const outcome = withRetries(options, async () => {
		sentAt.push(Date.now() - begun);
		if (tryMs > 0) await sleep(tryMs);
		throw createError();
	}).catch((error: unknown) => error);
	await vi.runAllTimersAsync();
	return { error: await outcome, sentAt };
}

describe('the retry policy', () => {
	test('backs off twice as long each time, spread by a fifth either way', async () => {
		const { sentAt } = await sendInVain(read, () => new ApiError('connectionFailed'));
		expect(sentAt).toEqual([0, 500, 1_500, 3_500, 7_500]);
		vi.mocked(Math.random).mockReturnValueOnce(0).mockReturnValueOnce(1);
		const spread = await sendInVain(read, () => new ApiError('connectionFailed'));
		expect(spread.sentAt.slice(0, 3)).toEqual([0, 400, 400 + 1_200]);
	});

	test('waits as long as the service asks, if that is longer', async () => {
		const asked = [100_000, 100];
		const { sentAt } = await sendInVain(
			read,
			() => new ApiError('outcomeUnknown', { retryAfterMs: asked.shift() ?? 0 }),
		);
		expect(sentAt).toEqual([0, 100_000, 101_000, 103_000, 107_000]);
	});

	test('does not count a pause of the rate limits as a failure, and leaves its length to them', async () => {
		let pauses = 10;
		const { sentAt } = await sendInVain(
			read,
			() => new ApiError(pauses-- > 0 ? 'rateLimited' : 'rejected', { retryAfterMs: 1_000 }),
		);
		expect(sentAt).toEqual(Array(11).fill(0));
	});

	test('passes on a fault of the node as it is', async () => {
		const fault = new TypeError('odd');
		expect((await sendInVain(read, () => fault)).error).toBe(fault);
	});

	test.each<[string, number, ApiError]>([
		['backing off', 499, new ApiError('connectionFailed')],
		[
			'a pause that the service asks for',
			60_000,
			new ApiError('outcomeUnknown', { retryAfterMs: 60_001 }),
		],
	])('ends at once if %s would last beyond its deadline', async (_what, patience, expected) => {
		const { error, sentAt } = await sendInVain(
			{ ...read, deadline: Date.now() + patience },
			() => expected,
		);
		expect(error).toMatchObject({ kind: expected.kind });
		expect(sentAt).toEqual([0]);
		expect(vi.getTimerCount()).toBe(0);
	});
});

describe('after a try that failed, and before any pause, it is said that it certainly was not carried out,', () => {
	const question = { isIdempotent: false };

	test.each([
		['unless it was', question, new ApiError('outcomeUnknown'), 0],
		['unless it was canceled meanwhile', question, new ApiError('canceled'), 0],
		['if no connection was made', question, new ApiError('connectionFailed'), 5],
		['if it never left n8n', question, new ApiError('neverSent'), 5],
		['if it was rejected', question, new ApiError('rejected', { status: 422 }), 1],
		['if it was redirected whole (307)', question, new ApiError('redirected', { status: 307 }), 1],
		['if it was redirected whole (308)', question, new ApiError('redirected', { status: 308 }), 1],
		['unless it was redirected (303)', question, new ApiError('redirected', { status: 303 }), 0],
	])('%s', async (_when, budget, error, wanted) => {
		let certain = 0;
		const afterCertainFailure = () => Promise.resolve(void certain++);
		await sendInVain({ ...budget, afterCertainFailure }, () => error);
		expect(certain).toBe(wanted);
	});

	test('also if the run is stopped in the pause', async () => {
		const stop = new AbortController();
		const events: string[] = [];
		const budget = {
			...question,
			signal: stop.signal,
			afterCertainFailure: () => Promise.resolve(void events.push('taken back')),
			beforeRetry: () => void events.push('pause'),
		};
		const outcome = withRetries(budget, () => Promise.reject(new ApiError('connectionFailed')));
		const error = outcome.catch((thrown: unknown) => thrown);
		await vi.advanceTimersByTimeAsync(100);
		stop.abort();
		expect(await error).toMatchObject({ kind: 'canceled' });
		expect(events).toEqual(['taken back', 'pause']);
	});
});
