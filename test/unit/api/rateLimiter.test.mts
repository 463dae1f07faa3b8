import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { RateLimiter } from '../../../nodes/LegalAi/api/rateLimiter.ts';
import type { Budget } from '../../../nodes/LegalAi/api/retry.ts';
import { like } from '../../support/matchers.mts';

const SECOND = 1_000;
const MINUTE = 60_000;
/** One of 60 a minute comes each second; a little more than a second's worth is spared. */
const PER_MINUTE = 60;
const AT_ONCE = 59;
const FIRST_WAIT = 200;

/** What the service answers if it is over its limit. */
const tooMany = (retryAfterMs?: number) =>
	new ApiError('rateLimited', { status: 429, said: 'Too many.', retryAfterMs });

beforeEach(() => {
	vi.useFakeTimers({ now: 1_760_000_000_000 });
});

afterEach(() => {
	vi.useRealTimers();
});

/** A limiter, and what became of each request that asked for its turn: when, in ms from the beginning. */
function startLimiter(perMinute = PER_MINUTE) {
	const begun = Date.now();
	const limiter = new RateLimiter(perMinute);
	const served: [string, number][] = [];
	const failed: [string, unknown, number][] = [];
	const ask = (name: string, budget: Budget = {}) => {
		limiter.acquire(budget).then(
			() => served.push([name, Math.round(Date.now() - begun)]),
			(error: unknown) => failed.push([name, error, Math.round(Date.now() - begun)]),
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

test("the limiter begins with almost a minute's requests at once, then lets one through at a time in their order, and starts over after a quiet time", async () => {
	const { ask, served } = await startEmpty();
	await vi.advanceTimersByTimeAsync(10 * MINUTE);
	for (let count = 0; count < AT_ONCE + 2; count++) ask(String(count));
	await vi.advanceTimersByTimeAsync(MINUTE);
	const waits = [...Array<number>(AT_ONCE).fill(0), FIRST_WAIT, FIRST_WAIT + SECOND];
	expect(served).toEqual(waits.map((wait, index) => [String(index), 10 * MINUTE + wait]));
});

describe('a request that waits for its turn', () => {
	test('ends at once when it is stopped, and uses up no turn', async () => {
		const { ask, served, failed } = await startEmpty();
		const stop = new AbortController();
		for (const name of ['a', 'b', 'c']) ask(name, { signal: stop.signal });
		await vi.advanceTimersByTimeAsync(SECOND);
		stop.abort();
		await vi.advanceTimersByTimeAsync(0);
		const canceled: unknown = like({ kind: 'canceled' });
		expect(failed).toEqual([
			['b', canceled, SECOND],
			['c', canceled, SECOND],
		]);
		ask('d');
		await vi.advanceTimersByTimeAsync(10 * SECOND);
		expect(served).toEqual([
			['a', FIRST_WAIT],
			['d', FIRST_WAIT + SECOND],
		]);
		expect(vi.getTimerCount()).toBe(0);
	});

	test.each<[string, (now: number) => Budget, string]>([
		['its deadline', (now) => ({ deadline: now + SECOND }), 'rateLimited'],
		['what it may wait for a turn', (now) => ({ permitBy: now + SECOND }), 'deferred'],
	])('fails at once if its turn comes after %s, and passes it on', async (_what, budget, kind) => {
		const { ask, served, failed } = await startEmpty();
		ask('a');
		ask('b', budget(Date.now()));
		ask('c');
		await vi.advanceTimersByTimeAsync(10 * SECOND);
		const details = { retryAfterMs: FIRST_WAIT + SECOND };
		expect(failed).toMatchObject([['b', { kind, details }, 0]]);
		expect(served).toEqual([
			['a', FIRST_WAIT],
			['c', FIRST_WAIT + SECOND],
		]);
	});

	test("fails with the service's message and the remaining pause if that lasts beyond its deadline", async () => {
		const { limiter, ask, served, failed } = await startEmpty();
		ask('before the pause', { deadline: Date.now() + 39 * SECOND });
		ask('patient', { deadline: Date.now() + 45 * SECOND });
		limiter.pause(tooMany(40 * SECOND));
		ask('in the pause', { deadline: Date.now() + 20 * SECOND });
		await vi.advanceTimersByTimeAsync(2 * MINUTE);
		const details = { status: 429, said: 'Too many.' };
		expect(failed).toMatchObject([
			['in the pause', { kind: 'rateLimited', details }, 0],
			['before the pause', { kind: 'rateLimited', details }, FIRST_WAIT],
		]);
		expect(served).toEqual([['patient', 41 * SECOND + FIRST_WAIT]]);
	});

	test('waits out a pause of 5 minutes if it has no deadline, but no longer one', async () => {
		const { limiter, ask, served, failed } = startLimiter();
		limiter.pause(tooMany(5 * MINUTE));
		ask('a');
		await vi.advanceTimersByTimeAsync(5 * MINUTE);
		expect(served).toEqual([['a', 5 * MINUTE]]);
		limiter.succeed();
		limiter.pause(tooMany(5 * MINUTE + SECOND));
		ask('b');
		await vi.advanceTimersByTimeAsync(0);
		expect(failed).toMatchObject([['b', { kind: 'rateLimited' }, 5 * MINUTE]]);
	});
});

describe('a pause after a 429', () => {
	test('lasts as long as the service asks; then those that wait go on in their order, at the pace of the limit', async () => {
		const { limiter, ask, served } = await startEmpty();
		for (const name of ['a', 'b', 'c']) ask(name);
		limiter.pause(tooMany(7 * SECOND));
		ask('d');
		await vi.advanceTimersByTimeAsync(MINUTE);
		const begun = 7 * SECOND + FIRST_WAIT;
		expect(served).toEqual(
			['a', 'b', 'c', 'd'].map((name, index) => [name, begun + index * SECOND]),
		);
	});

	test.each([
		[undefined, [1, 2, 4, 8, 16, 32, 61, 61]],
		[0, [1, 2, 4, 8, 16, 32, 61, 61]],
		[1, [1, 2, 4, 8, 16, 32, 61, 61]],
		[60, [60, 61, 63, 67, 75, 91, 120, 120]],
	])(
		'gets longer each time in a row if the service asks for %s seconds each time, up to a minute more, until a request has succeeded',
		async (asked, lengths) => {
			const { limiter } = startLimiter(400);
			const pauseUntilTurn = async () => {
				const begun = Date.now();
				// Of requests that were sent at once, each is told.
				for (let count = 0; count < 3; count++) limiter.pause(tooMany(asked && asked * SECOND));
				// It was sent before the pause.
				limiter.succeed();
				const taken = limiter.acquire({}).then(() => Math.round((Date.now() - begun) / SECOND));
				await vi.runAllTimersAsync();
				return await taken;
			};
			for (const length of lengths) expect(await pauseUntilTurn()).toBe(length);
			limiter.succeed();
			expect(await pauseUntilTurn()).toBe(lengths[0]);
		},
	);
});
