const ISO_8601 =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Which moment a date without a time stands for: the first or the last of its day. */
export type DayEdge = 'start' | 'end';

/**
 * Reads ISO 8601 text as a moment, in ms since the epoch; undefined if it is no date. Text without an offset means the time
 * on the clocks of the zone. When they are set back, the earlier of the two moments is meant; a time that they skip moves on
 * by what they skip.
 *
 * @param timezone an IANA name, e.g. `Europe/Berlin`
 */
export function parseDateTime(text: string, timezone: string, dateAlone: DayEdge): number | undefined {
	const match = ISO_8601.exec(text.trim());
	if (match === null) return undefined;
	const [, year = '', month = '', day = '', hour, minute = '00', second = '00', fraction = '', offset] = match;
	const wall = clockTime(`${year}-${month}-${day}`, `${hour ?? '00'}:${minute}:${second}`);
	if (wall === undefined) return undefined;
	if (hour === undefined && dateAlone === 'end') {
		const nextDay = wall + DAY_MS;
		return nextDay - offsetOfClock(nextDay, timezone) - 1;
	}
	const shift = offset === undefined ? offsetOfClock(wall, timezone) : parseOffset(offset);
	if (shift === undefined) return undefined;
	return wall + Number(fraction.padEnd(3, '0').slice(0, 3)) - shift;
}

/**
 * What clocks show, as if it were UTC, in ms since the epoch; undefined if no calendar has that day, or no clock that time.
 *
 * @param date `YYYY-MM-DD`
 * @param time `HH:MM:SS`
 */
export function clockTime(date: string, time: string): number | undefined {
	const clock = `${date}T${time}`;
	const wall = Date.parse(`${clock}Z`);
	return !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(clock) ? wall : undefined;
}

/** An offset such as `+02:00` or `-0330` in ms, or 0 for `Z`, which has no digits; undefined if it is none. */
export function parseOffset(text: string): number | undefined {
	const hours = Number(text.slice(1, 3));
	const minutes = Number(text.slice(3).replace(':', ''));
	if (hours > 23 || minutes > 59) return undefined;
	return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}

/** How far the zone's clocks are ahead of UTC, in ms, when they show this time (written as if it were UTC). */
function offsetOfClock(wall: number, timezone: string): number {
	const offsetAt = zoneOffsets(timezone);
	const dayBefore = offsetAt(wall - DAY_MS);
	const dayAfter = offsetAt(wall + DAY_MS);
	return [dayBefore, dayAfter].find((offset) => offsetAt(wall - offset) === offset) ?? dayBefore;
}

/** How far the zone's clocks are ahead of UTC at a moment; all in ms. */
function zoneOffsets(timezone: string): (moment: number) => number {
	const format = new Intl.DateTimeFormat('en-US', {
		timeZone: timezone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});
	return (moment) => {
		const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
		const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
		return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000;
	};
}
