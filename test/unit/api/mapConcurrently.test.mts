import { mapConcurrently } from '../../../nodes/LegalAi/api/mapConcurrently.ts';

test('five begin at once, then one more with each success, up to the limit, and the results are in order', async () => {
	const endings: (() => void)[] = [];
	const results = mapConcurrently([...Array(20).keys()], 7, async (number) => {
		await new Promise<void>((resolve) => endings.push(resolve));
		return number;
	});
	const begun: number[] = [];
	for (let ended = 0; ended < 20; ended++) {
		begun.push(endings.length);
		endings[ended]?.();
		await new Promise(setImmediate);
	}
	expect(begun.slice(0, 5)).toEqual([5, 7, 9, 10, 11]);
	expect(await results).toEqual([...Array(20).keys()]);
});
