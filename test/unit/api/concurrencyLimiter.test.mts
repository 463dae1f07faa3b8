import { setImmediate as turn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { ConcurrencyLimiter } from '../../../nodes/LegalAi/api/concurrencyLimiter.ts';

test('the concurrency limiter starts five in order, and allows one more with each success until it reaches the limit', async () => {
	const limiter = new ConcurrencyLimiter(7);
	const numbers = Array.from({ length: 20 }, (_, number) => number);
	const entered: number[] = [];
	for (const number of numbers) void limiter.acquire().then(() => entered.push(number));
	await turn();
	expect(entered).toEqual(numbers.slice(0, 5));
	for (const [succeeded, count] of [
		[false, 6],
		[true, 8],
		[true, 10],
		[true, 11],
	] as const) {
		limiter.release(succeeded);
		await turn();
		expect(entered).toEqual(numbers.slice(0, count));
	}
});
