import { expect, test } from 'vitest';

import { Throttle } from '../../../nodes/LegalAi/callbacks/throttle.ts';

const now = 1_760_000_000_000;

test('each key passes once a period, and is told how many were held back', () => {
	const throttle = new Throttle(60_000);
	const passed = [0, 1, 59_999, 60_000, 60_001, 200_000].map((later) => throttle.pass('a', now + later));
	expect(passed).toEqual([0, undefined, undefined, 2, undefined, 1]);
	expect(throttle.pass('b', now + 1)).toBe(0);
});
