import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { RateLimiter } from '../../../nodes/LegalAi/api/rateLimiter.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const PER_MINUTE = 60;
const MINUTE = 60_000;

/** A service that holds a minute's worth of requests and refills continuously. */
class Service {
	/** In the first burst, before anybody can know that there are others. */
	rejectedAtFirst = 0;
	rejectedLater = 0;
	accepted = 0;
	readonly #startedAt = Date.now();
	#tokens = PER_MINUTE;
	#at = Date.now();

	/** Undefined, or in how many ms to try again, in whole seconds. */
	request(): number | undefined {
		const now = Date.now();
		this.#tokens = Math.min(PER_MINUTE, this.#tokens + ((now - this.#at) * PER_MINUTE) / MINUTE);
		this.#at = now;
		if (this.#tokens < 1) {
			if (now === this.#startedAt) this.rejectedAtFirst++;
			else this.rejectedLater++;
			return Math.ceil(((1 - this.#tokens) * MINUTE) / PER_MINUTE / 1000) * 1000;
		}
		this.#tokens -= 1;
		this.accepted++;
		return undefined;
	}
}

/** A process that sends so many requests, each again until it is accepted; gives the time of the last, in ms. */
async function send(service: Service, count: number): Promise<number> {
	const limiter = new RateLimiter(PER_MINUTE);
	const flow = {};
	const one = async (): Promise<void> => {
		for (;;) {
			await limiter.acquire(flow, {});
			const retryAfterMs = service.request();
			if (retryAfterMs === undefined) {
				limiter.succeeded();
				return;
			}
			limiter.pause(new ApiError('rateLimited', { status: 429, retryAfterMs }));
		}
	};
	await Promise.all(Array.from({ length: count }, one));
	return Date.now();
}

async function run(processes: number, each: number): Promise<{ service: Service; timeOfLimits: number; took: number }> {
	const service = new Service();
	const start = Date.now();
	const sending = Promise.all(Array.from({ length: processes }, () => send(service, each)));
	await vi.runAllTimersAsync();
	const end = Math.max(...(await sending));
	return { service, took: end - start, timeOfLimits: ((processes * each - PER_MINUTE) * MINUTE) / PER_MINUTE };
}

test('two processes share the limit: few requests are rejected, and together they use it', async () => {
	const { service, took, timeOfLimits } = await run(2, 300);
	expect(service.accepted).toBe(600);
	expect(service.rejectedLater / service.accepted).toBeLessThanOrEqual(0.08);
	expect(took / timeOfLimits).toBeLessThanOrEqual(1.1);
});

test('four processes do as well', async () => {
	const { service, took, timeOfLimits } = await run(4, 100);
	expect(service.rejectedLater / service.accepted).toBeLessThanOrEqual(0.2);
	expect(took / timeOfLimits).toBeLessThanOrEqual(1.1);
});
