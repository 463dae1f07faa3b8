import { tryToParseDateTime, type FunctionsBase, type INodeProperties } from 'n8n-workflow';

import { invalidInput, parameterMessages } from '../messages';
import { isEmpty, parameterOf, quotedValue, type FieldDetails, type Parameter } from './parameter';

/** From 2001 to 2286. Fewer digits may be seconds, a year or a date without hyphens, and more a date with its time. */
const EPOCH_MS = /^[1-9]\d{12}$/;

const ISO_TIME = String.raw`\d\d(?::?\d\d(?::?\d\d(?:[.,]\d+)?)?)?`;
const ISO_OFFSET = String.raw`(?:[Zz]|UTC|GMT|[+-][01]\d(?::?[0-5]\d)?)?(?:\[[\w/+-]+\])?`;
const ISO_8601 = new RegExp(
	`^(?<day>\\d{4}-?\\d\\d-?\\d\\d)(?:[Tt ](?<time>${ISO_TIME}) ?(?<offset>${ISO_OFFSET}))?$`,
);

/** RFC 2822; a comment may follow. */
const EMAIL_DATE =
	/^(?<day>([A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4}) (?<time>\d\d:\d\d(:\d\d)?) (?<offset>[+-][01]\d[0-5]\d|UT|GMT|[ECMP][SD]T)( ?\([^()]*\))?$/;

/** How ISO 8601 and emails write a day. */
const DAY_FORMATS = [
	'yyyy-MM-dd',
	'yyyyMMdd',
	'ccc, d LLL yyyy',
	'ccc, dd LLL yyyy',
	'd LLL yyyy',
	'dd LLL yyyy',
];

/**
 * A moment as ISO 8601 text in UTC. A date alone, and midnight without an offset, which is what the editor's picker writes, are the
 * start or end of the day (its `edge`) on the workflow's clock.
 */
export function dateTime(
	name: string,
	displayName: string,
	more: FieldDetails & { description: string },
	edge: 'start' | 'end',
): Parameter<string | undefined> {
	const property: INodeProperties = {
		displayName,
		name,
		default: '',
		...more,
		type: 'dateTime',
		description: `${more.description}. A date without a time means the ${edge} of that day in the time zone of the workflow.`,
	};
	return parameterOf(property, (value, { timezone }) => {
		if (isEmpty(value)) return undefined;
		const moment = parseMoment(value, timezone, edge);
		if (moment !== undefined) return new Date(moment).toISOString();
		throw invalidInput(parameterMessages.notDate, {
			field: displayName,
			value: quotedValue(value),
			timezone,
		});
	});
}

/**
 * Milliseconds since the epoch; undefined if it is no date. n8n's own reading takes "wait 40" for the year 2040, a time alone
 * for today, and 2026-02-30 for 2 March: the text has to have the shape of a date, and its day to be the one that was read.
 */
function parseMoment(value: unknown, timezone: string, edge: 'start' | 'end'): number | undefined {
	try {
		// Dates of JavaScript and of Luxon are ISO 8601 text in JSON.
		const content: unknown = JSON.parse(JSON.stringify(value));
		if (typeof content !== 'string' && typeof content !== 'number') return undefined;
		const text = String(content).trim().replace(/\s+/g, ' ');
		if (EPOCH_MS.test(text)) return Number(text);
		const { day, time = '', offset } = (ISO_8601.exec(text) ?? EMAIL_DATE.exec(text))?.groups ?? {};
		if (day === undefined) return undefined;
		const moment = tryToParseDateTime(text, timezone);
		if (!DAY_FORMATS.some((format) => moment.toFormat(format, { locale: 'en-US' }) === day))
			return undefined;
		if (offset || /[1-9]/.test(time)) return moment.toMillis();
		return (edge === 'end' ? moment.endOf('day') : moment.startOf('day')).toMillis();
	} catch {
		return undefined;
	}
}

/** The time zone of the workflow; the system's if there is none of that name: GENERIC_TIMEZONE may be set, but empty. */
export function timezoneOf(context: Pick<FunctionsBase, 'getTimezone'>): string {
	const [timezone, now] = [context.getTimezone(), tryToParseDateTime(new Date().toISOString())];
	return now.setZone(timezone).isValid ? timezone : (now.setZone('system').zoneName ?? 'UTC');
}

/** The start of today and the end of a day after it on the workflow's clock, as ISO 8601 text in UTC. */
export function daysFromToday(timezone: string, days: number): { start: string; end: string } {
	const now = tryToParseDateTime(new Date().toISOString()).setZone(timezone);
	const end = now.plus({ days }).endOf('day');
	return { start: now.startOf('day').toJSDate().toISOString(), end: end.toJSDate().toISOString() };
}
