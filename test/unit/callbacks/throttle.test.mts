import { expect, test } from 'vitest';

import { Throttle } from '../../../nodes/LegalAi/callbacks/throttle.ts';

const now = 1_760_000_000_000;

test('each key passes once a period, and is told how many were held back', () => {
	const throttle = new Throttle(60_000);
	const passed = [0, 1, 59_999, 60_000, 60_001, 200_000].map((later) => throttle.pass('a', now + later));
	expect(passed).toEqual([0, undefined, undefined, 2, undefined, 1]);
	expect(throttle.pass('b', now + 1)).toBe(0);
});

test('memory is bounded: the key that passed longest ago is forgotten first', () => {
	const throttle = new Throttle(60_000, 2);
	expect(['a', 'b', 'c', 'b', 'c', 'a'].map((key) => throttle.pass(key, now))).toEqual([0, 0, 0, undefined, undefined, 0]);
});

test('memory is bounded: a key that passes again is no longer the oldest', () => {
	const throttle = new Throttle(60_000, 2);
	for (const [key, later] of [['a', 0], ['b', 59_999], ['a', 60_000], ['c', 60_001]] as const) throttle.pass(key, now + later);
	expect(throttle.pass('a', now + 60_002)).toBeUndefined();
	expect(throttle.pass('b', now + 60_002)).toBe(0);
});
