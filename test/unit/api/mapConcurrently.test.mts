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

test('after a failure none is begun, and its error comes once nothing is under way', async () => {
	const begun: number[] = [];
	const results = mapConcurrently([...Array(20).keys()], 7, async (number) => {
		begun.push(number);
		await new Promise(setImmediate);
		if (number === 0) throw new Error('odd');
	});
	await expect(results).rejects.toThrow('odd');
	expect(begun).toEqual([0, 1, 2, 3, 4]);
});
