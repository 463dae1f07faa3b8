import { BoundedMap } from '../../../nodes/LegalAi/api/boundedMap.ts';

test('a bounded map with too many entries loses the one that was set longest ago', () => {
	const map = new BoundedMap<string, number>(2);
	for (const key of ['a', 'b', 'a', 'c']) map.set(key, 0);
	expect([...map.keys()]).toEqual(['a', 'c']);
});
