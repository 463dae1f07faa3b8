import type { Clock } from './clock.mts';
import { Refusal } from './errors.mts';

const MINUTE = 60_000;

/** One of the organization's rate limits (specification, "Limits"): a token bucket for a minute, refilled continuously. */
export class RateLimit {
	#clock;
	#perMinute;
	/** What was taken rather than what is left, so that the limit can change. */
	#taken = 0;
	#at = 0;

	constructor(clock: Clock, perMinute: () => number) {
		this.#clock = clock;
		this.#perMinute = perMinute;
	}

	/** Takes a token, or throws a 429 that says when the next one is available. */
	take() {
		const [now, perMinute] = [this.#clock.now(), this.#perMinute()];
		if (perMinute === Infinity) return;
		const perMs = perMinute / MINUTE;
		this.#taken = Math.max(0, this.#taken - (now - this.#at) * perMs);
		this.#at = now;
		const missing = this.#taken + 1 - perMinute;
		if (missing > 1e-9) throw tooMany(this.#clock.wall(Math.min(missing / perMs, MINUTE)));
		this.#taken += 1;
	}

	reset() {
		this.#taken = 0;
		this.#at = 0;
	}
}

/** Asks for whole seconds of real time: at least one, and never less than the wait. */
const tooMany = (waitMs: number) =>
	new Refusal(429, 'rate_limit_exceeded', 'Rate limit exceeded', {
		'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
	});
