import type { INodeProperties } from 'n8n-workflow';

import { isRecord } from '../api/json';
import { parameterMessages } from '../messages/parameterMessages';
import { fillTemplate, InvalidInputError } from '../messages/template';
import { parseDateTime, type DayEdge } from './dateTimeText';
import { parseEmailDate } from './emailDate';
import { isEmpty, parameterOf, quotedValue, type FieldDescription, type Parameter } from './parameter';

/** From 2001 to 2286. Fewer digits may be seconds, a year or a date without hyphens, and more a date with its time. */
const EPOCH_MS = /^[1-9]\d{12}$/;

/**
 * A moment as ISO 8601 text in UTC: from n8n's date picker, a date and time of an expression, ISO 8601 text, the date of an
 * email, or milliseconds since the epoch. Read by our own parser, as n8n-workflow's takes "wait 40" for the year 2040 and
 * 2026-02-30 for 2 March.
 *
 * @param dateAlone which moment a date without a time stands for
 */
export function dateTime(
	field: FieldDescription & { description: string },
	dateAlone: DayEdge,
): Parameter<string | undefined> {
	const property: INodeProperties = {
		default: '',
		...field,
		type: 'dateTime',
		description: `${field.description}. A date alone means the ${dateAlone} of that day. Without an offset, the time zone of the workflow applies. Dates of emails and milliseconds since 1970 (13 digits) work, too.`,
	};
	return parameterOf(property, (value, { timezone }) => {
		if (isEmpty(value)) return undefined;
		const content = hasToJson(value) ? jsonOf(value) : value;
		const moment = parseMoment(content, timezone, dateAlone);
		if (moment !== undefined) return new Date(moment).toISOString();
		throw new InvalidInputError(
			fillTemplate(parameterMessages.notDate, {
				field: field.displayName,
				value: quotedValue(content),
				timezone,
			}),
		);
	});
}

function parseMoment(content: unknown, timezone: string, dateAlone: DayEdge): number | undefined {
	if (typeof content !== 'string' && typeof content !== 'number') return undefined;
	const text = String(content).trim();
	return EPOCH_MS.test(text) ? Number(text) : (parseDateTime(text, timezone, dateAlone) ?? parseEmailDate(text));
}

/** A date of JavaScript or of Luxon gives ISO 8601 text, or null if it is none. */
function jsonOf(value: { toJSON: () => unknown }): unknown {
	try {
		return value.toJSON();
	} catch {
		return undefined;
	}
}

function hasToJson(value: unknown): value is { toJSON: () => unknown } {
	return isRecord(value) && typeof value.toJSON === 'function';
}
