import { getEventListeners } from 'node:events';

import fc from 'fast-check';

import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { mapConcurrently } from '../../../nodes/LegalAi/api/mapConcurrently.ts';
import { RateLimiter, serviceLimitsOf } from '../../../nodes/LegalAi/api/rateLimiter.ts';
import type { RetryOptions } from '../../../nodes/LegalAi/api/retry.ts';
import { like } from '../../support/matchers.mts';

type RetryBudget = Pick<RetryOptions, 'deadline' | 'signal'>;

const SECOND = 1_000;
const MINUTE = 60_000;
/** One of 60 a minute comes each second; a second's worth is spared. */
const PER_MINUTE = 60;
const AT_ONCE = 59;

/** What the service answers if it is over its limit. */
const tooMany = (retryAfterMs?: number) =>
	new ApiError('rateLimited', { status: 429, serviceMessage: 'Too many.', retryAfterMs });

/** A service whose limit refills continuously, up to a minute's worth. It takes a request, or says in how many ms it will. */
function startService(perMinute: number, begun = 0): (now: number) => number {
	const msPerRequest = MINUTE / perMinute;
	let left = perMinute;
	let refilledAt = begun;
	return (now) => {
		left = Math.min(perMinute, left + (now - refilledAt) / msPerRequest);
		refilledAt = now;
		// A millionth may be missing by rounding.
		if (left < 1 - 1e-6) return (1 - left) * msPerRequest;
		left -= 1;
		return 0;
	};
}

beforeEach(() => {
	vi.useFakeTimers({ now: 1_760_000_000_000 });
});

afterEach(() => {
	vi.useRealTimers();
});

/** A limiter, and what became of each request that asked for its turn: when, in ms from the beginning. By default, all are of one flow. */
function startLimiter(perMinute = PER_MINUTE) {
	const begun = Date.now();
	const limiter = new RateLimiter(perMinute);
	const served: [string, number][] = [];
	const failed: [string, unknown, number][] = [];
	const ask = (name: string, budget: RetryBudget = {}, flow: object = limiter) => {
		limiter.acquire(flow, budget).then(
			() => served.push([name, Date.now() - begun]),
			(error: unknown) => failed.push([name, error, Date.now() - begun]),
		);
	};
	return { limiter, ask, served, failed };
}

/** A limiter without anything left. */
async function startEmpty() {
	const started = startLimiter();
	for (let count = 0; count < AT_ONCE; count++) started.ask('early');
	await vi.advanceTimersByTimeAsync(0);
	expect(started.served.splice(0)).toHaveLength(AT_ONCE);
	return started;
}

describe('the pace of requests', () => {
	test("begins with almost a minute's requests at once, then lets one through at a time, and starts over after a quiet time", async () => {
		const { ask, served } = await startEmpty();
		await vi.advanceTimersByTimeAsync(10 * MINUTE);
		for (let count = 0; count < AT_ONCE + 2; count++) ask('late');
		await vi.advanceTimersByTimeAsync(MINUTE);
		const waits = served.map(([, at]) => at - 10 * MINUTE);
		expect(waits).toEqual([...Array.from({ length: AT_ONCE }, () => 0), 1 * SECOND, 2 * SECOND]);
	});

	test("never exceeds the service's limit, even if requests overtake each other on their way", async () => {
		const request = fc.record({
			afterMs: fc.oneof(fc.constant(0), fc.nat(3 * SECOND), fc.nat(MINUTE)),
			flow: fc.nat(3),
			travelMs: fc.nat(SECOND),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(60, 400),
				fc.array(request, { minLength: 50, maxLength: 200 }),
				async (perMinute, requests) => {
					const { ask, served } = startLimiter(perMinute);
					const flows = [{}, {}, {}, {}];
					for (const { afterMs, flow } of requests) {
						if (afterMs > 0 && afterMs % 3 === 0) await vi.advanceTimersByTimeAsync(afterMs);
						ask('request', {}, flows[flow]);
					}
					await vi.advanceTimersByTimeAsync(15 * MINUTE);
					expect(served).toHaveLength(requests.length);

					const arrivals = served
						.map(([, at], index) => at + (requests[index]?.travelMs ?? 0))
						.sort((a, b) => a - b);
					const msUntilAccepted = startService(perMinute);
					expect(arrivals.filter((at) => msUntilAccepted(at) > 0)).toEqual([]);
				},
			),
			{ numRuns: 15 },
		);
	});

	test.each([
		[2, 300, 0.08],
		[4, 100, 0.2],
	])(
		'adapts if %i processes share the limit, so that they use all of it and few requests are rejected',
		async (processes, each, mostRejected) => {
			const begun = Date.now();
			const msUntilAccepted = startService(PER_MINUTE, begun);
			let rejected = 0;
			/** Sends many, some at a time. */
			const sendMany = async () => {
				const limiter = new RateLimiter(PER_MINUTE);
				const flow = {};
				const send = async () => {
					await limiter.acquire(flow, {});
					const waitMs = msUntilAccepted(Date.now());
					if (waitMs === 0) return;
					// In the first burst, nobody can know that there are others.
					if (Date.now() > begun) rejected++;
					limiter.pause(tooMany(Math.ceil(waitMs / SECOND) * SECOND));
					await send();
				};
				await mapConcurrently(Array.from({ length: each }), 10, send);
			};
			const sent = Promise.all(Array.from({ length: processes }, sendMany)).then(
				() => Date.now() - begun,
			);
			const total = processes * each;
			await vi.advanceTimersByTimeAsync(2 * total * SECOND);
			expect(rejected).toBeLessThanOrEqual(mostRejected * total);
			expect(await sent).toBeLessThanOrEqual((1.2 * (total - PER_MINUTE) * MINUTE) / PER_MINUTE);
		},
	);
});

describe('a request that waits for its turn', () => {
	test('takes turns with the requests of other flows', async () => {
		const { ask, served } = await startEmpty();
		const [sweep, question, other] = [{}, {}, {}];
		for (const name of ['s1', 's2', 's3']) ask(name, {}, sweep);
		for (const name of ['q1', 'q2']) ask(name, {}, question);
		ask('o1', {}, other);
		await vi.advanceTimersByTimeAsync(10 * SECOND);
		expect(served.map(([name]) => name)).toEqual(['s1', 'q1', 'o1', 's2', 'q2', 's3']);
	});

	test('ends at once when it is stopped, and uses up no turn', async () => {
		const { ask, served, failed } = await startEmpty();
		const stop = new AbortController();
		for (const name of ['a', 'b', 'c']) ask(name, { signal: stop.signal });
		ask('d', {}, {});
		await vi.advanceTimersByTimeAsync(SECOND);
		stop.abort();
		await vi.advanceTimersByTimeAsync(0);
		const canceled: unknown = like({ kind: 'canceled' });
		expect(failed).toEqual([
			['b', canceled, SECOND],
			['c', canceled, SECOND],
		]);
		await vi.advanceTimersByTimeAsync(10 * SECOND);
		expect(served).toEqual([
			['a', SECOND],
			['d', 2 * SECOND],
		]);
	});

	test('fails soon after its deadline, leaves no timer behind, and passes its turn to the next one', async () => {
		const { ask, served, failed } = await startEmpty();
		const { signal } = new AbortController();
		ask('a');
		ask('b', { deadline: Date.now() + 1.5 * SECOND, signal });
		ask('c');
		await vi.advanceTimersByTimeAsync(10 * SECOND);
		expect(failed).toEqual([['b', like({ kind: 'rateLimited', details: {} }), 1.5 * SECOND + 1]]);
		expect(served).toEqual([
			['a', SECOND],
			['c', 2 * SECOND],
		]);
		expect(getEventListeners(signal, 'abort')).toHaveLength(0);
		expect(vi.getTimerCount()).toBe(0);
	});

	test("fails with the service's message and the remaining pause as soon as that lasts beyond its deadline", async () => {
		const { limiter, ask, served, failed } = await startEmpty();
		ask('before the pause', { deadline: Date.now() + 39 * SECOND });
		ask('patient', { deadline: Date.now() + 45 * SECOND });
		limiter.pause(tooMany(40 * SECOND));
		ask('in the pause', { deadline: Date.now() + 20 * SECOND });
		await vi.advanceTimersByTimeAsync(10 * SECOND);
		ask('later', { deadline: Date.now() + 20 * SECOND });
		await vi.advanceTimersByTimeAsync(MINUTE);
		const error = (retryAfterMs: number) =>
			like({
				kind: 'rateLimited',
				details: { status: 429, serviceMessage: 'Too many.', retryAfterMs },
			});
		expect(failed).toEqual([
			['in the pause', error(40 * SECOND), 0],
			['before the pause', error(39 * SECOND), SECOND],
			['later', error(30 * SECOND), 10 * SECOND],
		]);
		expect(served).toEqual([['patient', 42 * SECOND]]);
	});

	test('knows how long the pause is, also if the service does not say, so that nothing asks again meanwhile', async () => {
		const { limiter, ask, failed } = startLimiter();
		limiter.pause({ details: { status: 429 } });
		ask('impatient', { deadline: Date.now() + SECOND / 2 });
		await vi.advanceTimersByTimeAsync(0);
		expect(failed).toMatchObject([['impatient', { details: { retryAfterMs: SECOND } }, 0]]);
	});

	test("fails with the service's message, too, if its deadline passes after the pause", async () => {
		const { limiter, ask, failed } = startLimiter();
		limiter.pause(tooMany(10 * SECOND));
		ask('in time');
		ask('late', { deadline: Date.now() + 11 * SECOND });
		await vi.advanceTimersByTimeAsync(MINUTE);
		expect(failed).toMatchObject([
			[
				'late',
				{ kind: 'rateLimited', details: { status: 429, serviceMessage: 'Too many.' } },
				expect.any(Number),
			],
		]);
	});

	test('waits out a pause of 5 minutes if it has no deadline, but no longer one', async () => {
		const { limiter, ask, served, failed } = startLimiter();
		limiter.pause(tooMany(5 * MINUTE));
		ask('a');
		await vi.advanceTimersByTimeAsync(5 * MINUTE);
		await vi.advanceTimersByTimeAsync(2 * SECOND);
		expect(served).toEqual([['a', 5 * MINUTE + 2 * SECOND]]);
		limiter.pause(tooMany(5 * MINUTE + SECOND));
		ask('b');
		await vi.advanceTimersByTimeAsync(0);
		expect(failed).toMatchObject([['b', { kind: 'rateLimited' }, expect.any(Number)]]);
	});
});

describe('a pause after a 429', () => {
	test('lasts as long as the service asks, and then halves the pace, which recovers step by step', async () => {
		const { limiter, ask, served } = startLimiter();
		limiter.pause(tooMany(7 * SECOND));
		for (let count = 0; count < 60; count++) ask('waiting');
		await vi.advanceTimersByTimeAsync(2 * MINUTE);
		expect(served[0]?.[1]).toBe(9 * SECOND);
		const gaps = served.slice(1).map(([, at], index) => at - (served[index]?.[1] ?? NaN));
		expect(gaps[0]).toBeGreaterThan(1.8 * SECOND);
		expect(gaps[0]).toBeLessThan(2 * SECOND);
		for (const [index, gap] of gaps.entries())
			expect(gap).toBeLessThanOrEqual((gaps[index - 1] ?? gap) + 1);
		expect(gaps.at(-1)).toBe(SECOND);
	});

	test('lasts for 15 minutes if the service asks for that and the user allows it, even if the clock is set back', async () => {
		const { limiter, ask, served } = startLimiter();
		limiter.pause(tooMany(15 * MINUTE));
		ask('a', { deadline: Date.now() + 15 * MINUTE });
		vi.setSystemTime(Date.now() - 180 * MINUTE);
		await vi.advanceTimersByTimeAsync(15 * MINUTE);
		expect(served).toHaveLength(0);
		await vi.advanceTimersByTimeAsync(2 * SECOND);
		expect(served).toHaveLength(1);
	});

	test('is not cut short by a later, shorter one', async () => {
		const { limiter, ask, served } = startLimiter();
		limiter.pause(tooMany(10 * SECOND));
		limiter.pause(tooMany(2 * SECOND));
		ask('a');
		await vi.advanceTimersByTimeAsync(MINUTE);
		expect(served).toEqual([['a', 12 * SECOND]]);
	});

	test.each([
		[undefined, 1],
		[0, 1],
		[1, 1],
		[60, 60],
	])(
		'gets longer each time in a row if the service asks for %s seconds each time, up to about a minute, and is short again after successes',
		async (asked, shortest) => {
			const { limiter } = startLimiter();
			const turn = async () => {
				const begun = Date.now();
				const taken = limiter.acquire({}, {}).then(() => (Date.now() - begun) / SECOND);
				await vi.runAllTimersAsync();
				return await taken;
			};
			const pauseUntilTurn = async () => {
				for (let count = 0; count < 2; count++) limiter.pause(tooMany(asked && asked * SECOND));
				return (await turn()) - shortest;
			};
			const lengths: number[] = [];
			for (let count = 0; count < 5; count++) lengths.push(await pauseUntilTurn());
			expect(lengths[0]).toBe(2);
			for (const [index, length] of lengths.entries())
				expect(length).toBeGreaterThan(lengths[index - 1] ?? 0);
			for (let count = 0; count < 30; count++) await pauseUntilTurn();
			expect(await pauseUntilTurn()).toBeLessThanOrEqual(64);
			for (let count = 0; count < 30; count++) await turn();
			expect(await pauseUntilTurn()).toBe(2);
		},
	);
});

test('all runs that use the same key share its limits, and no others', () => {
	expect(serviceLimitsOf('a')).toBe(serviceLimitsOf('a'));
	expect(serviceLimitsOf('a')).not.toBe(serviceLimitsOf('b'));
});
