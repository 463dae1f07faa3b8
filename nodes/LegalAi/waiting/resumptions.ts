import { BoundedMap } from '../api/boundedMap';
import type { WaitState } from '../execution/runState';

/** The IDs of waits from which this process has seen an execution go on. */
const over = new BoundedMap<string, true>(10_000);

/** Notes that a parked execution goes on. */
export function noteResumption({ id }: WaitState): void {
	over.set(id, true);
}

/**
 * Whether an execution has gone on since it was stored like this. n8n only sees to it that an execution is parked when it is
 * resumed: by now it may be parked again, and what `webhook()` was given would take it back and ask again.
 */
export function hasGoneOn({ id }: WaitState): boolean {
	return over.has(id);
}
