import type { Clock } from './clock.mts';
import { ApiError } from './errors.mts';
import type { SandboxSettings } from './options.mts';

const MINUTE = 60_000;

/** A token bucket for one minute, refilled continuously. It stores what was taken, so that its size can change. */
class Bucket {
	#taken = 0;
	#at = 0;

	/** Takes a token, or returns in how many sandbox milliseconds the next one is available. */
	take(now: number, perMinute: number): number {
		const perMs = perMinute / MINUTE;
		this.#taken = perMinute === Infinity ? 0 : Math.max(0, this.#taken - (now - this.#at) * perMs);
		this.#at = now;
		const missing = this.#taken + 1 - perMinute;
		if (missing > 1e-9) return Math.min(missing / perMs, MINUTE);
		this.#taken += 1;
		return 0;
	}

	reset(): void {
		this.#taken = 0;
	}
}

/** The organization's two rate limits (specification, "Limits"). */
export class RateLimits {
	readonly #requests = new Bucket();
	readonly #sessions = new Bucket();
	readonly #clock: Clock;
	readonly #settings: SandboxSettings;

	constructor(clock: Clock, settings: SandboxSettings) {
		this.#clock = clock;
		this.#settings = settings;
	}

	takeRequest(): void {
		this.#take(this.#requests, this.#settings.requestsPerMinute, 'api_requests');
	}

	takeSession(): void {
		this.#take(this.#sessions, this.#settings.newSessionsPerMinute, 'new_sessions');
	}

	reset(): void {
		this.#requests.reset();
		this.#sessions.reset();
	}

	#take(bucket: Bucket, perMinute: number, limit: string): void {
		const wait = bucket.take(this.#clock.now(), perMinute);
		if (wait === 0) return;
		throw new ApiError(429, 'rate_limit_exceeded', 'Rate limit exceeded', {
			headers: retryAfter(this.#clock.wall(wait)),
			extra: { limit, limit_per_minute: perMinute },
		});
	}
}

/** Never less than the wait: whole seconds of real time, rounded up, at least one. */
export function retryAfter(wallMs: number): Record<string, string> {
	return { 'retry-after': String(Math.max(1, Math.ceil(wallMs / 1000))) };
}
