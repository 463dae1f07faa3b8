import { afterEach, describe, expect, test, vi } from 'vitest';

import { sendRequest } from '../../../nodes/LegalAi/api/http.ts';
import { withinTime } from '../../../nodes/LegalAi/api/timeLimit.ts';
import { clientOf } from './clients.mts';

const never = new Promise<never>(() => undefined);

afterEach(() => {
	vi.useRealTimers();
});

describe('what may take so long in all', () => {
	test('is given up at the end of its time, and told so', async () => {
		let told: AbortSignal | undefined;
		const waiting = withinTime(5, async (timeUp) => {
			told = timeUp;
			return await never;
		});
		await expect(waiting).rejects.toMatchObject({ kind: 'outcomeUnknown', details: { networkCode: 'ETIMEDOUT' } });
		expect(told?.aborted).toBe(true);
	});

	test('and says itself that it was ended, has run out of time', async () => {
		const ended = (timeUp: AbortSignal): Promise<never> =>
			new Promise((_resolve, reject) => {
				timeUp.addEventListener('abort', () => {
					reject(new Error('canceled'));
				});
			});
		const waiting = withinTime(5, ended);
		await expect(waiting).rejects.toMatchObject({ details: { networkCode: 'ETIMEDOUT' } });
	});

	test('and is done before, gives its result or its own error, and is left alone from then on', async () => {
		let told: AbortSignal | undefined;
		const done = withinTime(60_000, async (timeUp) => {
			told = timeUp;
			return await Promise.resolve('done');
		});
		expect(await done).toBe('done');
		expect(told?.aborted).toBe(false);
		await expect(withinTime(60_000, async () => await Promise.reject(new Error('own')))).rejects.toThrow('own');
	});

	test.each([
		['and is done before', async () => await Promise.resolve('done')],
		['and fails before', async () => await Promise.reject(new Error('own'))],
	])('%s leaves nothing behind that waits for the end of its time', async (_how, act: () => Promise<unknown>) => {
		vi.useFakeTimers();
		await withinTime(60_000, act).catch(() => undefined);
		expect(vi.getTimerCount()).toBe(0);
	});
});

test('a request ends with its time, or with the signal that it was given', async () => {
	const hanging = sendRequest(async () => await never, { url: 'u', timeout: 5 });
	await expect(hanging).rejects.toMatchObject({ kind: 'outcomeUnknown', details: { networkCode: 'ETIMEDOUT' } });

	const stop = new AbortController();
	let given: unknown;
	const send = async ({ abortSignal }: { abortSignal?: unknown }): Promise<unknown> => {
		given = abortSignal;
		return await Promise.resolve({ statusCode: 200 });
	};
	await sendRequest(send, { url: 'u', abortSignal: stop.signal });
	stop.abort();
	expect(given).toMatchObject({ aborted: true });
});

test('a response is not waited for beyond the deadline of its request, unless nobody else could tell of it', async () => {
	const timeouts: unknown[] = [];
	const { client } = clientOf((_url, { timeout }) => {
		timeouts.push(timeout);
		return { body: {} };
	});
	const request = { subject: 'other', path: ['me'] } as const;
	await client.request({ ...request, path: ['me'], method: 'GET' });
	await client.request({ ...request, path: ['me'], method: 'GET', deadline: Date.now() + 20_000 });
	await client.request({ ...request, path: ['me'], method: 'GET', deadline: Date.now() - 1 });
	await client.request({ ...request, path: ['me'], method: 'POST', deadline: Date.now() + 20_000, idempotent: false });
	expect(timeouts).toEqual([60_000, expect.closeTo(20_000, -3), 5_000, 60_000]);
});
