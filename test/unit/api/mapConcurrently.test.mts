import { setImmediate as turn } from 'node:timers/promises';

import { mapConcurrently } from '../../../nodes/LegalAi/api/mapConcurrently.ts';

/** Maps 20 numbers, of which each is under way until it is ended. */
function startMapping(limit: number) {
	const begun: number[] = [];
	const endings: ((error?: Error) => void)[] = [];
	const results = mapConcurrently(
		Array.from({ length: 20 }, (_, number) => number),
		limit,
		(number) =>
			new Promise<number>((resolve, reject) => {
				begun.push(number);
				endings[number] = (error) => {
					if (error === undefined) resolve(2 * number);
					else reject(error);
				};
			}),
	);
	const end = async (number: number, error?: Error) => {
		endings[number]?.(error);
		await turn();
	};
	return { begun, end, results };
}

test('begins five in order, then one more with each success, up to the limit, and returns the results in order', async () => {
	const { begun, end, results } = startMapping(7);
	expect(begun).toEqual([0, 1, 2, 3, 4]);
	for (const [number, count] of [
		[4, 7],
		[0, 9],
		[1, 10],
		[2, 11],
	] as const) {
		await end(number);
		expect(begun).toHaveLength(count);
	}
	for (let number = 0; number < 20; number++) await end(number);
	expect(await results).toEqual(Array.from({ length: 20 }, (_, number) => 2 * number));
});

test('begins nothing after a failure, and throws it once nothing is under way', async () => {
	const { begun, end, results } = startMapping(2);
	let outcome: unknown;
	results.catch((error: unknown) => (outcome = error));
	expect(begun).toEqual([0, 1]);
	const first = new Error('the first');
	await end(0, first);
	expect(outcome).toBeUndefined();
	await end(1);
	expect(outcome).toBe(first);
	expect(begun).toEqual([0, 1]);
});
