interface Passage {
	/** In ms since the epoch. */
	until: number;
	heldBack: number;
}

/** Lets things happen once per key and period, and counts what it holds back. Bounded: the oldest keys go first. */
export class Throttle {
	private readonly passages = new Map<string, Passage>();

	private readonly periodMs: number;

	private readonly max: number;

	constructor(periodMs: number, max = 10_000) {
		this.periodMs = periodMs;
		this.max = max;
	}

	/** How many were held back since the key passed last; undefined if this one is held back, too. */
	pass(key: string, nowMs: number): number | undefined {
		const last = this.passages.get(key);
		if (last !== undefined && nowMs < last.until) {
			last.heldBack++;
			return undefined;
		}
		this.passages.delete(key);
		this.passages.set(key, { until: nowMs + this.periodMs, heldBack: 0 });
		for (const oldest of this.passages.keys()) {
			if (this.passages.size <= this.max) break;
			this.passages.delete(oldest);
		}
		return last?.heldBack ?? 0;
	}
}
