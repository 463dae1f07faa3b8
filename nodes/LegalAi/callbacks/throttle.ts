import { BoundedMap } from '../api/boundedMap';

/**
 * Lets a key pass once per period: without it, a flood of forged callbacks would fill n8n's log, and make the node check each time.
 * Gives how many were held back since it last did; undefined if this one is, too.
 */
export function throttle(periodMs: number): (key: string) => number | undefined {
	// Until when (in ms since the epoch) a key is held back, and how often it was.
	const passages = new BoundedMap<string, { until: number; heldBack: number }>(10_000);
	return (key) => {
		const now = Date.now();
		const last = passages.get(key);
		if (last !== undefined && now < last.until) {
			last.heldBack++;
			return undefined;
		}
		passages.set(key, { until: now + periodMs, heldBack: 0 });
		return last?.heldBack ?? 0;
	};
}
