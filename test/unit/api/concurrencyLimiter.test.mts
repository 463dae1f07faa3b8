import { setImmediate as turn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { ConcurrencyLimiter } from '../../../nodes/LegalAi/api/concurrencyLimiter.ts';

test('the concurrency limiter starts five in order, and allows one more with each success, up to the limit, and one less with each failure', async () => {
	const limiter = new ConcurrencyLimiter(7);
	const numbers = Array.from({ length: 20 }, (_, number) => number);
	const entered: number[] = [];
	for (const number of numbers) void limiter.acquire().then(() => entered.push(number));
	await turn();
	expect(entered).toEqual(numbers.slice(0, 5));
	for (const [succeeded, count] of [
		[false, 5],
		[true, 7],
		[true, 9],
		[true, 11],
		[true, 12],
	] as const) {
		limiter.release(succeeded);
		await turn();
		expect(entered).toEqual(numbers.slice(0, count));
	}
});
