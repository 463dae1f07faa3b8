import { clockTime, parseOffset } from './dateTimeText';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The only zone names that RFC 2822 gives a meaning. */
const ZONES: Readonly<Record<string, string>> = {
	UT: 'Z',
	UTC: 'Z',
	GMT: 'Z',
	EST: '-0500',
	EDT: '-0400',
	CST: '-0600',
	CDT: '-0500',
	MST: '-0700',
	MDT: '-0600',
	PST: '-0800',
	PDT: '-0700',
};

const EMAIL_DATE =
	/^(?:([a-z]{3}),\s*)?(\d{1,2})\s+([a-z]{3})\s+(\d{4})\s+(\d{2}:\d{2})(:\d{2})?\s+(?:([+-]\d{4})|([a-z]{2,3}))(?:\s*\([^()]*\))?$/i;

/**
 * Reads the date of an email (RFC 2822), e.g. `Sun, 31 May 2026 17:00:00 +0200`, as a moment, in ms since the epoch;
 * undefined if it is none, or if the day of the week is not that of the date.
 */
export function parseEmailDate(text: string): number | undefined {
	const match = EMAIL_DATE.exec(text.trim());
	if (match === null) return undefined;
	const [, weekday, day = '', month = '', year = '', time = '', seconds = ':00', digits, zone = ''] = match;
	const monthNumber = String(MONTHS.indexOf(month.toLowerCase()) + 1).padStart(2, '0');
	const wall = clockTime(`${year}-${monthNumber}-${day.padStart(2, '0')}`, time + seconds);
	const offset = digits ?? ZONES[zone.toUpperCase()];
	const shift = offset === undefined ? undefined : parseOffset(offset);
	if (wall === undefined || shift === undefined) return undefined;
	if (weekday !== undefined && DAYS[new Date(wall).getUTCDay()] !== weekday.toLowerCase()) return undefined;
	return wall - shift;
}
