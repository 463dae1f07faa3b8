import { tryToParseDateTime } from 'n8n-workflow';

import type { Ledger } from '../execution/ledger';
import { hints } from '../messages';
import { waitEndsAt } from './next';

/**
 * Says what the node waits for. The editor shows it while the execution is parked, and what it says has to stay true until n8n resumes it.
 *
 * @param waiting what is said of several items, or of a single one, by its index
 */
export function progressHint(
	{ entries }: Pick<Ledger, 'entries'>,
	timeZone: string,
	waiting: (until: string, only?: number) => string,
): string {
	const queued = entries.filter((entry) => entry.state === 'inTurn');
	if (queued.some(({ session }) => session === undefined)) return hints.waitingForLimits;
	if (queued.length > 0) return hints.waitingInTurn;
	const [only, ...others] = [...entries.entries()].flatMap(([item, { state }]) =>
		state === 'accepted' ? [item] : [],
	);
	const until = timeOf(waitEndsAt(entries, Date.now()), timeZone);
	return waiting(until, others.length === 0 ? only : undefined);
}

/** E.g. "Mar 31, 3:40 PM EST": the browser that shows it, and n8n's lists, may be on another clock than the workflow. */
function timeOf(ms: number, timeZone: string): string {
	return tryToParseDateTime(new Date(ms).toISOString()).setZone(timeZone).toLocaleString(
		{
			month: 'short',
			day: 'numeric',
			hour: 'numeric',
			minute: '2-digit',
			timeZoneName: 'short',
		},
		{ locale: 'en-US' },
	);
}
