import { setImmediate as turn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { ConcurrencyLimiter } from '../../../nodes/LegalAi/api/concurrencyLimiter.ts';

test('no more than the limit are under way, and those who wait come in the order of their coming', async () => {
	const limiter = new ConcurrencyLimiter(2);
	const entered: string[] = [];
	for (const name of ['a', 'b', 'c', 'd']) void limiter.acquire().then(() => entered.push(name));
	await turn();
	expect(entered).toEqual(['a', 'b']);
	limiter.release(false);
	await turn();
	expect(entered).toEqual(['a', 'b', 'c']);
	limiter.release(false);
	limiter.release(false);
	limiter.release(false);
	await turn();
	expect(entered).toEqual(['a', 'b', 'c', 'd']);
});

test('begins with five, and lets one more in with each success', async () => {
	const limiter = new ConcurrencyLimiter(7);
	let entered = 0;
	for (let count = 0; count < 20; count++) void limiter.acquire().then(() => entered++);
	await turn();
	expect(entered).toBe(5);
	limiter.release(false);
	await turn();
	expect(entered).toBe(6);
	for (const most of [8, 10, 11]) {
		limiter.release(true);
		await turn();
		expect(entered).toBe(most);
	}
});
