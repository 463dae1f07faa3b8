import { BoundedMap } from '../../../nodes/LegalAi/api/boundedMap.ts';

test('a bounded map keeps the entries that were set last', () => {
	const map = new BoundedMap<string, number>(2);
	for (const [key, value] of [
		['a', 1],
		['b', 2],
		['a', 3],
		['c', 4],
	] as const)
		map.set(key, value);
	expect([...map]).toEqual([
		['a', 3],
		['c', 4],
	]);
});
