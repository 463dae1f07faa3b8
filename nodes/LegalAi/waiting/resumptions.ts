import { BoundedMap } from '../api/boundedMap';
import type { WaitState } from '../execution/runState';

/** The IDs of waits after which this process has seen an execution continue. */
const over = new BoundedMap<string, true>(10_000);

/** Notes that a parked execution continues. */
export function noteResumption({ id }: WaitState): void {
	over.set(id, true);
}

/**
 * Whether an execution has continued since it was stored like this. n8n only makes sure that an execution is parked when it is
 * resumed. By now it may be parked again, and the older state that `webhook()` was given would make it ask again.
 */
export function hasGoneOn({ id }: WaitState): boolean {
	return over.has(id);
}
