import { expect, test } from 'vitest';

import { BoundedMap } from '../../../nodes/LegalAi/api/boundedMap.ts';

test('a bounded map keeps the entries that were set last', () => {
	const map = new BoundedMap<string, number>(2);
	for (const [key, value] of [['a', 1], ['b', 2], ['a', 3], ['c', 4]] as const) map.set(key, value);
	expect([...map]).toEqual([['a', 3], ['c', 4]]);
});

test('an entry that is only read gets no younger', () => {
	const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2);
	expect(map.get('a')).toBe(1);
	expect([...map.set('c', 3).keys()]).toEqual(['b', 'c']);
});
