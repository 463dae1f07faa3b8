import { BoundedMap } from '../api';

/**
 * Lets a key pass once per period: without it, a flood of forged callbacks would fill n8n's log, and make the node check each time.
 */
export function throttle(periodMs: number): (key: string) => boolean {
	/** Until when a key is held back, in ms since the epoch. */
	const heldBack = new BoundedMap<string, number>(10_000);
	return (key) => {
		const now = Date.now();
		if (now < (heldBack.get(key) ?? 0)) return false;
		heldBack.set(key, now + periodMs);
		return true;
	};
}
