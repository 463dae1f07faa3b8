import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { nextWake, type WaitSituation } from '../../../nodes/LegalAi/waiting/schedule.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const now = 1_760_000_000_000;

/** In the middle of the spread, with all the time in the world. */
const situation: WaitSituation = {
	now,
	round: 0,
	planned: undefined,
	open: 1,
	deadline: now + 1_000 * MINUTE,
	wakesSafely: true,
	executionTimeout: undefined,
	jitter: 0.5,
};

const waitFor = (more: Partial<WaitSituation>): number => nextWake({ ...situation, ...more }).at - now;

describe('the next look', () => {
	test('is later each time, up to half an hour', () => {
		const minutes = Array.from({ length: 9 }, (_, round) => waitFor({ round }) / MINUTE);
		expect(minutes).toEqual([2, 3, 5, 8, 13, 21, 30, 30, 30]);
	});

	test('is spread by a tenth either way', () => {
		expect(waitFor({ round: 6, jitter: 0 })).toBe(27 * MINUTE);
		expect(waitFor({ round: 6, jitter: 1 })).toBe(33 * MINUTE);
	});

	test('leaves a second for each open question', () => {
		expect(waitFor({ open: 120 })).toBe(2 * MINUTE);
		expect(waitFor({ open: 600 })).toBe(10 * MINUTE);
	});

	test('is not put off by what wakes the execution before it', () => {
		expect(waitFor({ planned: now + 10 * SECOND })).toBe(10 * SECOND);
		expect(waitFor({ planned: now + 5 * MINUTE })).toBe(2 * MINUTE);
	});

	test('is at the end of the wait if that is sooner', () => {
		expect(waitFor({ deadline: now + MINUTE })).toBe(MINUTE);
		expect(waitFor({ deadline: now + 1 })).toBe(1);
	});

	test('is before n8n would cancel the execution for its timeout', () => {
		expect(waitFor({ executionTimeout: now + MINUTE })).toBe(MINUTE - 10 * SECOND);
		expect(waitFor({ executionTimeout: now + 10 * MINUTE })).toBe(2 * MINUTE);
	});
});

describe('where n8n does not keep two from resuming the same execution, the node looks once', () => {
	const once = { wakesSafely: false };

	test('at the end of the wait', () => {
		expect(nextWake({ ...situation, ...once })).toEqual({ at: situation.deadline, isPastLastWake: false });
		const timeout = { executionTimeout: situation.deadline + MINUTE };
		expect(nextWake({ ...situation, ...once, ...timeout })).toEqual({ at: situation.deadline, isPastLastWake: false });
	});

	test('before n8n would cancel the execution for its timeout', () => {
		const timeout = { executionTimeout: now + MINUTE };
		expect(nextWake({ ...situation, ...once, ...timeout })).toEqual({ at: now + MINUTE - 10 * SECOND, isPastLastWake: false });
	});
});

test.each<[string, Partial<WaitSituation>]>([
	['the execution would wake after its timeout', { executionTimeout: now + 10 * SECOND }],
	['the timeout is over', { executionTimeout: now - MINUTE }],
])('where %s, only a callback comes before the end of the wait', (_when, more) => {
	expect(nextWake({ ...situation, ...more })).toEqual({ at: situation.deadline, isPastLastWake: true });
});

test('in any situation the next look is to come, and neither after the end of the wait nor after the last safe moment', () => {
	fc.assert(
		fc.property(
			fc.record({
				now: fc.constant(now),
				round: fc.nat(1_000),
				planned: fc.option(fc.integer({ min: now + 1, max: now + 24 * 60 * MINUTE }), { nil: undefined }),
				open: fc.nat(100_000),
				deadline: fc.integer({ min: now + 1, max: now + 366 * 24 * 60 * MINUTE }),
				wakesSafely: fc.boolean(),
				executionTimeout: fc.option(fc.integer({ min: now - MINUTE, max: now + 24 * 60 * MINUTE }), { nil: undefined }),
				jitter: fc.double({ min: 0, max: 1, noNaN: true }),
			}),
			(any) => {
				const { at, isPastLastWake } = nextWake(any);
				expect(at).toBeGreaterThan(now);
				expect(at).toBeLessThanOrEqual(any.deadline);
				if (isPastLastWake) expect(at).toBe(any.deadline);
				else {
					const earliest = Math.min(65 * SECOND, any.deadline - now, (any.planned ?? Infinity) - now, (any.executionTimeout ?? Infinity) - 10 * SECOND - now);
					expect(at - now).toBeGreaterThanOrEqual(earliest);
					expect(at).toBeLessThanOrEqual((any.executionTimeout ?? Infinity) - 10 * SECOND);
				}
			},
		),
	);
});
