import { getEventListeners } from 'node:events';

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { RateLimiter, serviceLimitsOf } from '../../../nodes/LegalAi/api/rateLimiter.ts';
import type { RetryOptions } from '../../../nodes/LegalAi/api/retry.ts';

type RetryBudget = Pick<RetryOptions, 'deadline' | 'signal'>;

const SECOND = 1_000;
const MINUTE = 60_000;
/** One of 60 a minute comes each second; a second's worth is spared. */
const PER_MINUTE = 60;
const AT_ONCE = 59;

/** What the service answers if it is over its limit. */
const tooMany = (retryAfterMs?: number): ApiError =>
	new ApiError('rateLimited', { status: 429, serviceMessage: 'Too many.', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });

beforeEach(() => {
	vi.useFakeTimers({ now: 1_760_000_000_000 });
});

afterEach(() => {
	vi.useRealTimers();
});

/** A limiter, and what became of each request that asked for its turn: when, in ms from the beginning. */
function startLimiter(perMinute = PER_MINUTE): {
	limiter: RateLimiter;
	ask: (name: string, flow: object, budget?: RetryBudget) => void;
	served: [name: string, at: number][];
	failed: [name: string, error: unknown, at: number][];
} {
	const begun = Date.now();
	const limiter = new RateLimiter(perMinute);
	const served: [string, number][] = [];
	const failed: [string, unknown, number][] = [];
	const ask = (name: string, flow: object, budget: RetryBudget = {}): void => {
		limiter.acquire(flow, budget).then(
			() => served.push([name, Date.now() - begun]),
			(error: unknown) => failed.push([name, error, Date.now() - begun]),
		);
	};
	return { limiter, ask, served, failed };
}

/** A limiter without anything left. */
async function startEmpty(): Promise<ReturnType<typeof startLimiter>> {
	const started = startLimiter();
	const flow = {};
	for (let count = 0; count < AT_ONCE; count++) started.ask('early', flow);
	await vi.advanceTimersByTimeAsync(0);
	expect(started.served.splice(0)).toHaveLength(AT_ONCE);
	return started;
}

describe('the pace', () => {
	test('is a minute of requests at once, short of a second, then one at a time', async () => {
		const { ask, served } = await startEmpty();
		const flow = {};
		for (const name of ['a', 'b', 'c']) ask(name, flow);
		await vi.advanceTimersByTimeAsync(10 * SECOND);
		expect(served).toEqual([['a', 1 * SECOND], ['b', 2 * SECOND], ['c', 3 * SECOND]]);
	});

	test('saves up what nobody used, and no more than at the beginning', async () => {
		const { ask, served } = await startEmpty();
		await vi.advanceTimersByTimeAsync(10 * MINUTE);
		const flow = {};
		for (let count = 0; count < AT_ONCE + 2; count++) ask('late', flow);
		await vi.advanceTimersByTimeAsync(MINUTE);
		const waits = served.map(([, at]) => at - 10 * MINUTE);
		expect(waits).toEqual([...Array.from({ length: AT_ONCE }, () => 0), 1 * SECOND, 2 * SECOND]);
	});

	test('never exceeds what the service allows, whoever asks when, even if requests overtake each other on their way', async () => {
		const request = fc.record({ afterMs: fc.oneof(fc.constant(0), fc.nat(3 * SECOND), fc.nat(MINUTE)), flow: fc.nat(3), travelMs: fc.nat(SECOND) });
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(60, 400), fc.array(request, { minLength: 50, maxLength: 600 }), async (perMinute, requests) => {
				const { ask, served } = startLimiter(perMinute);
				const flows = [{}, {}, {}, {}];
				for (const { afterMs, flow } of requests) {
					if (afterMs > 0 && afterMs % 3 === 0) await vi.advanceTimersByTimeAsync(afterMs);
					ask('request', flows[flow] ?? {});
				}
				await vi.advanceTimersByTimeAsync(15 * MINUTE);
				expect(served).toHaveLength(requests.length);

				const arrivals = served.map(([, at], index) => at + (requests[index]?.travelMs ?? 0)).sort((a, b) => a - b);
				expect(fewestLeft(arrivals, perMinute)).toBeGreaterThanOrEqual(-1e-6);
			}),
			{ numRuns: 40 },
		);
	});
});

/** How little of its limit the service had left at the worst moment: it refills continuously, up to a minute's worth. */
function fewestLeft(arrivals: readonly number[], perMinute: number): number {
	let left = perMinute;
	let fewest = left;
	for (const [index, at] of arrivals.entries()) {
		const before = arrivals[index - 1] ?? at;
		left = Math.min(perMinute, left + ((at - before) * perMinute) / MINUTE) - 1;
		fewest = Math.min(fewest, left);
	}
	return fewest;
}

describe('who waits', () => {
	test('is served in turns, one from each flow', async () => {
		const { ask, served } = await startEmpty();
		const [sweep, question, other] = [{}, {}, {}];
		for (const name of ['s1', 's2', 's3']) ask(name, sweep);
		for (const name of ['q1', 'q2']) ask(name, question);
		ask('o1', other);
		await vi.advanceTimersByTimeAsync(10 * SECOND);
		expect(served.map(([name]) => name)).toEqual(['s1', 'q1', 'o1', 's2', 'q2', 's3']);
	});

	test('leaves at once when stopped, and takes no turn along', async () => {
		const { ask, served, failed } = await startEmpty();
		const [stopped, going] = [{}, {}];
		const stop = new AbortController();
		for (const name of ['a', 'b', 'c']) ask(name, stopped, { signal: stop.signal });
		ask('d', going);
		await vi.advanceTimersByTimeAsync(SECOND);
		stop.abort();
		await vi.advanceTimersByTimeAsync(0);
		expect(failed).toEqual([['b', expect.objectContaining({ kind: 'canceled' }), SECOND], ['c', expect.objectContaining({ kind: 'canceled' }), SECOND]]);
		await vi.advanceTimersByTimeAsync(10 * SECOND);
		expect(served).toEqual([['a', SECOND], ['d', 2 * SECOND]]);
	});

	test('may have a deadline in a year', async () => {
		const { ask, served } = await startEmpty();
		ask('a', {}, { deadline: Date.now() + 366 * 24 * 60 * MINUTE });
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(served).toEqual([['a', SECOND]]);
		expect(vi.getTimerCount()).toBe(0);
	});

	test('keeps nothing on the signal, and no timer, once it has given up', async () => {
		const { ask, failed } = await startEmpty();
		const stop = new AbortController();
		ask('a', {}, { signal: stop.signal, deadline: Date.now() + 0.5 * SECOND });
		await vi.advanceTimersByTimeAsync(SECOND);
		expect(failed).toHaveLength(1);
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
		expect(vi.getTimerCount()).toBe(0);
	});

	test('has a deadline waits until then and at most 5 seconds longer, and the next one gets the turn', async () => {
		const { ask, served, failed } = await startEmpty();
		const flow = {};
		ask('a', flow);
		ask('b', flow, { deadline: Date.now() + 1.5 * SECOND });
		ask('c', flow);
		await vi.advanceTimersByTimeAsync(10 * SECOND);
		expect(failed).toEqual([['b', expect.objectContaining({ kind: 'rateLimited', details: { retryAfterMs: 0 } }), 2 * SECOND]]);
		expect(served).toEqual([['a', SECOND], ['c', 2 * SECOND]]);
	});

	test('can not have a turn in time learns at once what the service said, and how long it still asks to wait', async () => {
		const { limiter, ask, served, failed } = await startEmpty();
		const flow = {};
		ask('before the pause', flow, { deadline: Date.now() + 39 * SECOND });
		ask('patient', flow, { deadline: Date.now() + 41 * SECOND });
		limiter.pause(tooMany(40 * SECOND));
		ask('in the pause', flow, { deadline: Date.now() + 20 * SECOND });
		await vi.advanceTimersByTimeAsync(10 * SECOND);
		ask('later', flow, { deadline: Date.now() + 20 * SECOND });
		await vi.advanceTimersByTimeAsync(MINUTE);
		const error = (retryAfterMs: number): unknown =>
			expect.objectContaining({ kind: 'rateLimited', details: { status: 429, serviceMessage: 'Too many.', retryAfterMs } });
		expect(failed).toEqual([
			['before the pause', error(40 * SECOND), 0],
			['in the pause', error(40 * SECOND), 0],
			['later', error(30 * SECOND), 10 * SECOND],
		]);
		expect(served).toEqual([['patient', 40 * SECOND]]);
	});

	test('has no deadline waits for a pause of 5 minutes, and not for a longer one', async () => {
		const { limiter, ask, served, failed } = startLimiter();
		limiter.pause(tooMany(5 * MINUTE));
		ask('a', {});
		await vi.advanceTimersByTimeAsync(5 * MINUTE);
		expect(served).toEqual([['a', 5 * MINUTE]]);
		limiter.pause(tooMany(5 * MINUTE + SECOND));
		ask('b', {});
		await vi.advanceTimersByTimeAsync(0);
		expect(failed).toEqual([['b', expect.objectContaining({ kind: 'rateLimited' }), 5 * MINUTE]]);
	});
});

describe('a pause', () => {
	test('lasts as long as the service asks, and then goes one after the other at half the pace, which is regained bit by bit', async () => {
		const { limiter, ask, served } = startLimiter();
		const flow = {};
		limiter.pause(tooMany(7 * SECOND));
		for (let count = 0; count < 60; count++) ask('waiting', flow);
		await vi.advanceTimersByTimeAsync(2 * MINUTE);
		expect(served[0]?.[1]).toBe(7 * SECOND);
		const gaps = served.slice(1).map(([, at], index) => at - (served[index]?.[1] ?? NaN));
		expect(gaps[0]).toBeGreaterThan(1.8 * SECOND);
		expect(gaps[0]).toBeLessThan(2 * SECOND);
		for (const [index, gap] of gaps.entries()) expect(gap).toBeLessThanOrEqual((gaps[index - 1] ?? gap) + 1);
		expect(gaps.at(-1)).toBe(SECOND);
	});

	test('after another halves the pace again, to a sixteenth at the least', async () => {
		const { limiter, ask, served } = startLimiter();
		for (let count = 0; count < 8; count++) {
			limiter.pause(tooMany(SECOND));
			limiter.pause(tooMany(SECOND));
			await vi.advanceTimersByTimeAsync(SECOND);
			limiter.succeeded();
		}
		const flow = {};
		for (const name of ['a', 'b']) ask(name, flow);
		await vi.advanceTimersByTimeAsync(MINUTE);
		const [first, second] = served.map(([, at]) => at);
		expect((second ?? NaN) - (first ?? NaN)).toBeGreaterThan(8 * SECOND);
		expect((second ?? NaN) - (first ?? NaN)).toBeLessThan(16 * SECOND);
	});

	test('is told of, in the words of the service, to who has had a turn before it', async () => {
		const { limiter } = startLimiter();
		expect(() => { limiter.ensureOpen(); }).not.toThrow();
		limiter.pause(tooMany(5 * SECOND));
		const details = { status: 429, serviceMessage: 'Too many.', retryAfterMs: 5 * SECOND };
		expect(() => { limiter.ensureOpen(); }).toThrow(expect.objectContaining({ kind: 'rateLimited', details }));
		await vi.advanceTimersByTimeAsync(5 * SECOND);
		expect(() => { limiter.ensureOpen(); }).not.toThrow();
	});

	test('lasts for 15 minutes if the service asks for that and the user allows it, whatever becomes of the clock', async () => {
		const { limiter, ask, served } = startLimiter();
		limiter.pause(tooMany(15 * MINUTE));
		ask('a', {}, { deadline: Date.now() + 15 * MINUTE });
		vi.setSystemTime(Date.now() - 180 * MINUTE);
		await vi.advanceTimersByTimeAsync(15 * MINUTE - 1);
		expect(served).toHaveLength(0);
		await vi.advanceTimersByTimeAsync(1);
		expect(served).toHaveLength(1);
	});

	test('is not cut short by a later, shorter one', async () => {
		const { limiter, ask, served } = startLimiter();
		limiter.pause(tooMany(10 * SECOND));
		limiter.pause(tooMany(2 * SECOND));
		ask('a', {});
		await vi.advanceTimersByTimeAsync(MINUTE);
		expect(served).toEqual([['a', 10 * SECOND]]);
	});

	test.each([
		[undefined, [1, 2, 4, 8, 16, 32, 60, 60]],
		[0, [1, 2, 4, 8, 16, 32, 60, 60]],
		[1, [1, 1.05, 1.15, 1.35, 1.75, 2.55, 4.15, 7.35, 13.75, 26.55, 52.15, 61, 61]],
		[60, [60, 60.05, 60.15, 60.35]],
	])('is longer with each in a row, if the service asks for %s seconds each time, and begins anew after a success', async (asked, lengths) => {
		const { limiter } = startLimiter();
		const pauseUntilTurn = async (): Promise<number> => {
			const begun = Date.now();
			limiter.pause(tooMany(asked === undefined ? undefined : asked * SECOND));
			limiter.pause(tooMany(asked === undefined ? undefined : asked * SECOND));
			limiter.succeeded();
			const turn = limiter.acquire({}, {}).then(() => (Date.now() - begun) / SECOND);
			await vi.runAllTimersAsync();
			return await turn;
		};
		for (const length of lengths) expect(await pauseUntilTurn()).toBeCloseTo(length, 2);
		limiter.succeeded();
		expect(await pauseUntilTurn()).toBeCloseTo(lengths[0] ?? NaN, 2);
	});
});

test('all runs that use the same key share its limits, and no others', () => {
	expect(serviceLimitsOf('a')).toBe(serviceLimitsOf('a'));
	expect(serviceLimitsOf('a')).not.toBe(serviceLimitsOf('b'));
});
