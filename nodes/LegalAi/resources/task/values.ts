import { isRecord, readJson } from '../../api/json';
import { parseDateTime } from './dateTime';

/** Why a value can't be sent: the rest of a sentence that begins with the field's name, and what to do. */
export class Unusable {
	readonly reason: string;
	readonly advice: string;

	constructor(reason: string, advice: string) {
		this.reason = reason;
		this.advice = advice;
	}
}

/**
 * Makes a parameter's value, as n8n gives it, into what the API takes; undefined where the field was left
 * empty, so that nothing is sent for it. Times without an offset are meant in the workflow's time zone.
 */
export type Reader = (value: unknown, timezone: string) => unknown;

/** Text as it was entered. */
export const text: Reader = (value) => {
	const content = isRecord(value) && '__rl' in value ? value.value : value;
	if (isEmpty(content)) return undefined;
	if (typeof content === 'string') return content;
	if (typeof content === 'number') return String(content);
	return new Unusable(
		'is not text',
		'Enter text. If it comes from an expression, check that it gives text and not a list or an object.',
	);
};

/** Text without the blanks around it: ids, statuses, priorities. */
export const word: Reader = (value, timezone) => {
	const content = text(value, timezone);
	return typeof content === 'string' ? content.trim() : content;
};

/** True or false. */
export const flag: Reader = (value) => {
	if (isEmpty(value)) return undefined;
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	return new Unusable('is neither true nor false', 'Switch it on or off, or use an expression that gives true or false.');
};

/** A list of words, given as comma-separated text or as an array. An array may be empty, which says so. */
export const words: Reader = (value) => {
	if (isEmpty(value)) return undefined;
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	if (entries.some((entry) => typeof entry !== 'string' && typeof entry !== 'number')) {
		return new Unusable(
			'is not a list of words',
			'Enter the words with commas in between, or use an expression that gives a list of texts.',
		);
	}
	const found = (Array.isArray(value) ? entries.map(String) : String(value).split(','))
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
	return found.length === 0 && !Array.isArray(value) ? undefined : found;
};

/** A list of words as the API's queries take it: comma-separated. */
export const commaSeparated: Reader = (value, timezone) => {
	const found = words(value, timezone);
	return Array.isArray(found) ? found.join(',') || undefined : found;
};

/** An array of objects, given as JSON text or as an array. */
export const objects: Reader = (value) => {
	if (isEmpty(value)) return undefined;
	const list = typeof value === 'string' ? readJson(value) : value;
	if (Array.isArray(list) && list.every(isRecord)) return list;
	return new Unusable(
		'is not a JSON array of objects',
		'Enter it in square brackets, e.g. [{ "type": "task", "id": "…" }].',
	);
};

/** A moment, given by n8n's date picker, as a date and time of an expression, or as ISO 8601 text. */
export const dateTime: Reader = (value, timezone) => {
	if (isEmpty(value)) return undefined;
	const content: unknown = hasToJson(value) ? value.toJSON() : value;
	const moment = typeof content === 'string' ? parseDateTime(content, timezone) : undefined;
	if (moment !== undefined) return new Date(moment).toISOString();
	const given = typeof content === 'string' || typeof content === 'number' ? ` ("${String(content).slice(0, 40)}")` : '';
	return new Unusable(
		`is not a date${given}`,
		`Choose a date, or enter one such as 2026-05-31T17:00 (in the time zone of this workflow, ${timezone}) or 2026-05-31T17:00:00+02:00.`,
	);
};

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function hasToJson(value: unknown): value is { toJSON: () => unknown } {
	return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
}
