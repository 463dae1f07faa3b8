import { BoundedMap } from '../api/boundedMap';

interface Passage {
	/** In ms since the epoch. */
	until: number;
	heldBack: number;
}

/** Lets something happen once per key and period, and counts what it holds back. */
export class Throttle {
	private readonly passages = new BoundedMap<string, Passage>(10_000);
	private readonly periodMs: number;

	constructor(periodMs: number) {
		this.periodMs = periodMs;
	}

	/** How many were held back since the key passed last; undefined if this one is held back, too. */
	pass(key: string, nowMs: number): number | undefined {
		const last = this.passages.get(key);
		if (last !== undefined && nowMs < last.until) {
			last.heldBack++;
			return undefined;
		}
		this.passages.set(key, { until: nowMs + this.periodMs, heldBack: 0 });
		return last?.heldBack ?? 0;
	}
}
