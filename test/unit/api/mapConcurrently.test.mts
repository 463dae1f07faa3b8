import { setImmediate as turn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { mapConcurrently } from '../../../nodes/LegalAi/api/mapConcurrently.ts';

const NINE = Array.from({ length: 9 }, (_, index) => index);

test('results keep the order of the entries, whichever is done first', async () => {
	const results = await mapConcurrently(NINE, 5, async (entry, index) => {
		for (let waits = 0; waits < 9 - entry; waits++) await turn();
		return [entry, index];
	});

	expect(results).toEqual(NINE.map((entry) => [entry, entry]));
});

test('nothing is begun after a failure, and nothing is under way when it is told', async () => {
	const begun: number[] = [];
	let underWay = 0;
	const work = async (entry: number): Promise<void> => {
		begun.push(entry);
		underWay++;
		for (let waits = 0; waits <= entry; waits++) await turn();
		underWay--;
		if (entry === 1) throw new Error('the second');
		if (entry === 3) throw new Error('the fourth');
	};

	await expect(mapConcurrently(NINE, 5, work)).rejects.toThrow('the second');
	expect(underWay).toBe(0);
	// The first is done before the second fails, which makes room for one more.
	expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
});

test('nothing to do gives nothing', async () => {
	expect(await mapConcurrently([], 5, () => Promise.reject(new Error('never')))).toEqual([]);
});
