import { tryToParseDateTime } from 'n8n-workflow';

import { acceptedOf, isOpen, type Ledger } from '../execution/ledger';
import { hints } from '../messages/hints';
import { fillText } from '../messages/template';
import { MINUTE_MS, waitEndsAt, type Situation } from './next';

/** Says what the node waits for. The editor shows it while the execution is parked; n8n drops it when it resumes. */
export function progressHint(
	ledger: Pick<Ledger, 'entries'>,
	timeZone: string,
	{ answersBy, canConnect }: Pick<Situation, 'answersBy' | 'canConnect'>,
): string {
	const now = Date.now();
	const entries = ledger.entries.filter(
		({ state }) => state !== 'failed' && (canConnect || state !== 'inTurn'),
	);
	const time = inMinutes(waitEndsAt(entries, now) - now, timeZone);
	const queued = entries.filter((entry) => entry.state === 'inTurn');
	const open = entries.filter(isOpen);
	const [only] = open;
	if (queued.some(({ session }) => session === undefined)) {
		return fillText(hints.waitingForLimits, {
			sent: entries.length - queued.length,
			all: entries.length,
		});
	}
	const [one, several] =
		answersBy === 'person'
			? [hints.waitingForTask, hints.waitingForTasks]
			: [hints.waitingForOne, hints.waitingForSeveral];
	if (only !== undefined && entries.length === 1)
		return fillText(one, { time, id: only.record.id });
	const answered = entries.filter(
		(entry) => acceptedOf(entry) !== undefined && !isOpen(entry),
	).length;
	return fillText(queued.length > 0 ? hints.waitingInTurn : several, {
		asked: entries.length,
		answered,
		time,
	});
}

/** E.g. "in 25 minutes (3:40 PM EST)": the browser that shows it, and n8n's lists, may be on another clock than the workflow. */
function inMinutes(ms: number, timeZone: string): string {
	const minutes = Math.round(ms / MINUTE_MS);
	const day = minutes < 12 * 60 ? {} : ({ month: 'short', day: 'numeric' } as const);
	const options = { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
	const [count, unit] = minutes < 120 ? [minutes, 'minute'] : [Math.round(minutes / 60), 'hour'];
	const time = tryToParseDateTime(new Date(Date.now() + ms).toISOString())
		.setZone(timeZone)
		.toLocaleString(options, { locale: 'en-US' });
	return `in ${count} ${unit}${count === 1 ? '' : 's'} (${time})`;
}
