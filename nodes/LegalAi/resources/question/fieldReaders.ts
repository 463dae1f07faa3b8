/** What an answer can have for a field. */
export type FieldValue = string | number | boolean | string[];

/** What is asked for: a value of one of these types, for a choice one of the choices. */
export type FieldType =
	| { kind: 'boolean' | 'date' | 'list' | 'number' | 'text' }
	| { kind: 'choice'; choices: readonly string[] };

/**
 * Reads a value of an answer as its type. Lawyers act on it: what does not fit, or could be read in two ways, is null.
 *
 * @example
 * readFieldValue({ kind: 'date' }, '3 April 2026'); // '2026-04-03'
 * readFieldValue({ kind: 'date' }, '3/4/2026'); // null
 */
export function readFieldValue(type: FieldType, value: unknown): FieldValue | null {
	const text = typeof value === 'string' ? value.trim() : '';
	switch (type.kind) {
		case 'text':
			return text === '' ? null : text;
		case 'number':
			return typeof value === 'number' ? exactNumber(value) : numberIn(text);
		case 'boolean':
			return typeof value === 'boolean'
				? value
				: /^(true|false)$/i.test(text)
					? text.toLowerCase() === 'true'
					: null;
		case 'date':
			return dateIn(text);
		case 'choice': {
			const chosen = Number.isInteger(value) ? String(value) : text;
			return type.choices.find((choice) => choice.toLowerCase() === chosen.toLowerCase()) ?? null;
		}
		case 'list':
			return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
				? value
				: null;
	}
}

/** A number that JavaScript has exactly; too many digits would be rounded. */
function exactNumber(value: number): number | null {
	return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
		? value
		: null;
}

/** Digits, and perhaps a decimal point. `1.000` may be a thousand, and `007` an ID. */
function numberIn(text: string): number | null {
	const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && !/^-?[1-9]\d{0,2}\.\d{3}$/.test(text);
	return isNumber && text.length <= 16 ? exactNumber(Number(text)) : null;
}

const MONTHS = [
	'january',
	'february',
	'march',
	'april',
	'may',
	'june',
	'july',
	'august',
	'september',
	'october',
	'november',
	'december',
];

/** `2026-04-03`, `3 April 2026`, `3rd Apr. 2026` or `April 3, 2026`, if the calendar has that day; as `2026-04-03`. */
function dateIn(text: string): string | null {
	const [, day = '', month = ''] =
		/^(\d{1,2})(?:st|nd|rd|th)?\.? ([a-z]+)\.?,? \d{4}$/i.exec(text) ?? [];
	const [, monthFirst = month, dayAfter = day] =
		/^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? \d{4}$/i.exec(text) ?? [];
	const word = monthFirst.toLowerCase();
	const index = MONTHS.findIndex(
		(name) =>
			name === word || name.slice(0, 3) === word || (word === 'sept' && name === 'september'),
	);
	const inWords = `${text.slice(-4)}-${String(index + 1).padStart(2, '0')}-${dayAfter.padStart(2, '0')}`;
	const date = index === -1 ? text : inWords;
	const isDate =
		/^[1-9]\d{3}-\d\d-\d\d$/.test(date) && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
	return isDate ? date : null;
}
