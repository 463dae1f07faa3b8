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
	/** After the first burst, before which nobody can know that there are others. */
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
			if (now > this.#startedAt) this.rejectedLater++;
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

test.each([
	[2, 300, 0.08],
	[4, 100, 0.2],
])('%i processes share the limit: few requests are rejected, and together they use it', async (processes, each, mostRejected) => {
	const service = new Service();
	const begun = Date.now();
	const sending = Promise.all(Array.from({ length: processes }, () => send(service, each)));
	await vi.runAllTimersAsync();
	const took = Math.max(...(await sending)) - begun;
	expect(service.accepted).toBe(processes * each);
	expect(service.rejectedLater / service.accepted).toBeLessThanOrEqual(mostRejected);
	expect(took / (((processes * each - PER_MINUTE) * MINUTE) / PER_MINUTE)).toBeLessThanOrEqual(1.1);
});
