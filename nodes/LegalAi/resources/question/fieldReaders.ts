import { readJson } from '../../api';

/** What an answer can have for a field. */
export type FieldValue = string | number | boolean | string[];

/** What is asked for: a value of one of these types, for a choice one of the choices. */
export type FieldType =
	| { kind: 'boolean' | 'date' | 'list' | 'number' | 'text' }
	| { kind: 'choice'; choices: readonly string[] };

/** What an answer says for a field. */
export interface FieldReading {
	value: FieldValue | null;
	/** What does not fit the type, as it is said. Undefined if it fits, or if nothing is said. */
	unread?: string;
}

/**
 * Reads a value of an answer, as JSON, as its type. Lawyers act on it: what does not fit, or could be read in two ways, is unread.
 *
 * @example
 * readField({ kind: 'date' }, '"3 April 2026"'); // { value: '2026-04-03' }
 * readField({ kind: 'date' }, '"3/4/2026"'); // { value: null, unread: '3/4/2026' }
 * readField({ kind: 'date' }, '"n/a"'); // { value: null }
 */
export function readField(type: FieldType, json: string): FieldReading {
	const said = readJson(json);
	// What is no text is read as it is written: 1.000 may be a thousand.
	const text = typeof said === 'string' ? said.trim() : json;
	const value = valueOf(type, said, text);
	return value !== null || [said].flat().every(saysNothing) ? { value } : { value, unread: text };
}

function saysNothing(said: unknown): boolean {
	return (
		said === null || (typeof said === 'string' && /^<?(null|n\/a|unknown)?>?$/i.test(said.trim()))
	);
}

function valueOf(type: FieldType, said: unknown, text: string): FieldValue | null {
	switch (type.kind) {
		case 'text':
			return ['string', 'number'].includes(typeof said) && !saysNothing(text) ? text : null;
		case 'number':
			return numberIn(text, typeof said === 'number');
		case 'boolean':
			return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : null;
		case 'date':
			return dateIn(text);
		case 'choice':
			return type.choices.find((choice) => choice.toLowerCase() === text.toLowerCase()) ?? null;
		case 'list': {
			// An empty list says that there are none; one of nothing but n/a does not.
			if (!Array.isArray(said)) return null;
			const entries = said.filter((entry) => !saysNothing(entry));
			const isList = entries.length > 0 || said.length === 0;
			return isList && entries.every((entry) => typeof entry === 'string') ? entries : null;
		}
	}
}

/** A number that JavaScript has exactly; too many digits would be rounded. In a text, digits and perhaps a decimal point: `007` may be an ID. */
function numberIn(text: string, isJson: boolean): number | null {
	const isNumber = isJson || (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && text.length <= 16);
	const maybeThousand = /^-?[1-9]\d{0,2}\.\d{3}$/.test(text);
	const value = isNumber && !maybeThousand ? Number(text) : NaN;
	return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
		? value
		: null;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH =
	'(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const IN_WORDS = new RegExp(`^(?:${DAY}\\.? ${MONTH}\\.?,?|${MONTH}\\.? ${DAY},?) (\\d{4})$`, 'i');

/** `2026-04-03`, `3 April 2026`, `3rd Apr. 2026` or `April 3, 2026`, if the calendar has that day; as `2026-04-03`. */
function dateIn(text: string): string | null {
	const [, dayFirst, monthAfter = '', month = monthAfter, day = dayFirst, year] =
		IN_WORDS.exec(text) ?? [];
	const two = (count: unknown): string => String(count).padStart(2, '0');
	const monthNumber = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
	const date = year === undefined ? text : `${year}-${two(monthNumber)}-${two(day)}`;
	const isDate =
		/^[1-9]\d{3}-\d\d-\d\d$/.test(date) && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
	return isDate ? date : null;
}
