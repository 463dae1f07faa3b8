import { parameterMessages } from '../messages/parameterMessages';
import { fillTemplate, InvalidInputError } from '../messages/template';
import { parseDateTime } from './dateTimeText';
import { isEmpty, parameterOf, quotedValue, type FieldDescription, type Parameter } from './parameter';

/**
 * A moment as ISO 8601 text in UTC: from n8n's date picker, a date and time of an expression, or ISO 8601 text. Read by
 * our own parser, as n8n-workflow's takes "wait 40" for the year 2040 and 2026-02-30 for 2 March.
 */
export function dateTime(field: FieldDescription): Parameter<string | undefined> {
	return parameterOf({ default: '', ...field, type: 'dateTime' }, (value, { timezone }) => {
		if (isEmpty(value)) return undefined;
		const content = hasToJson(value) ? jsonOf(value) : value;
		const moment = typeof content === 'string' ? parseDateTime(content, timezone) : undefined;
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

/** A date of JavaScript or of Luxon gives ISO 8601 text, or null if it is none. */
function jsonOf(value: { toJSON: () => unknown }): unknown {
	try {
		return value.toJSON();
	} catch {
		return undefined;
	}
}

function hasToJson(value: unknown): value is { toJSON: () => unknown } {
	return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
}
