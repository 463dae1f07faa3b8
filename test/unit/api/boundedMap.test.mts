import { expect, test } from 'vitest';

import { BoundedMap } from '../../../nodes/LegalAi/api/boundedMap.ts';

test('a bounded map keeps the entries that were set last', () => {
	const map = new BoundedMap<string, number>(2);
	for (const [key, value] of [['a', 1], ['b', 2], ['a', 3], ['c', 4]] as const) map.set(key, value);
	expect([...map]).toEqual([['a', 3], ['c', 4]]);
});

test('a bounded map of a total size keeps those that were set last, and the last one whatever its size', () => {
	const map = new BoundedMap<string, number>(5, (value) => value);
	for (const [key, value] of [['a', 2], ['b', 2], ['a', 1], ['c', 2]] as const) map.set(key, value);
	expect([...map]).toEqual([['b', 2], ['a', 1], ['c', 2]]);
	map.delete('b');
	expect([...map.set('d', 3)]).toEqual([['c', 2], ['d', 3]]);
	expect([...map.set('e', 9)]).toEqual([['e', 9]]);
});
