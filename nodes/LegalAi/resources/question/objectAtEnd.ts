import { isRecord, readJson } from '../../api/json';

/** The JSON object with which a text ends, and what stands around it, without the white space between them. */
export interface ObjectAtEnd {
	before: string;
	after: string;
	/** As it is written; it need not be valid. */
	json: string;
}

/** Finds the object that ends at the last `}` of a text; empty if it has no beginning. Nothing is repaired or chosen. */
export function findObjectAtEnd(text: string) {
	const end = text.lastIndexOf('}') + 1;
	const [start = end] = findMarks(text, end);
	return {
		before: text.slice(0, start).trimEnd(),
		after: text.slice(end).trimStart(),
		json: text.slice(start, end),
	};
}

/** The end of a text whose list or object goes on: with a bracket, a comma, a quotation mark, or the colon of a key. */
const ENDS_WITHIN_JSON = /([{}[,"]|["\\]\s*:)$/;
const BEGINS_WITHIN_JSON = /^[\],]/;

/** Whether it may belong to what is around it: a list, another object, or one that is cut off. */
export function isPartOfMore({ before, after }: ObjectAtEnd) {
	const times = (bracket: string) => before.split(bracket).length;
	return (
		ENDS_WITHIN_JSON.test(before) ||
		BEGINS_WITHIN_JSON.test(after) ||
		after.includes('{') ||
		times('{') !== times('}') ||
		times('[') !== times(']')
	);
}

/** The first level of an object: the values of each key, as JSON as they are written. A key that stands twice has two. */
export type Members = ReadonlyMap<string, string[]>;

/** Reads an object; undefined for what is none. `JSON.parse` takes the last of two values with the same key, and rounds long numbers. */
export function readMembers(json: string) {
	if (!isRecord(readJson(json))) return undefined;
	const parts = splitParts(json);
	const members = new Map<string, string[]>();
	for (let value = 1; value < parts.length; value += 2) {
		const key = String(readJson(parts[value - 1] ?? ''));
		const values = members.get(key) ?? [];
		values.push(parts[value] ?? '');
		members.set(key, values);
	}
	return members;
}

/** Reads the entries of a list, as JSON as they are written; undefined for what is no list. */
export function readEntries(json: string) {
	return Array.isArray(readJson(json)) ? splitParts(json) : undefined;
}

/** Splits an object or list at its own brackets, colons and commas. */
function splitParts(json: string) {
	const marks = findMarks(json, json.length);
	const parts = marks.slice(1).map((mark, index) => json.slice((marks[index] ?? 0) + 1, mark));
	return parts.map((part) => part.trim()).filter(Boolean);
}

/**
 * Finds the brackets, colons and commas of the object or list that ends with a text's bracket before `end`, but none of what it
 * contains; empty if it has no beginning. Reads each character about once, however hostile the text is.
 */
function findMarks(text: string, end: number) {
	const marks: number[] = [];
	let depth = 0;
	let isInString = false;
	for (let at = end - 1; at >= 0; at--) {
		const character = text.charAt(at);
		if (character === '"' && !isEscaped(text, at)) isInString = !isInString;
		if (isInString) continue;
		if ('}]'.includes(character)) depth++;
		if (depth === 1 && '{[:,]}'.includes(character)) marks.push(at);
		if ('{['.includes(character)) depth--;
		if (depth === 0) return marks.reverse();
	}
	return [];
}

function isEscaped(text: string, at: number) {
	let first = at;
	while (text[first - 1] === '\\') first--;
	return (at - first) % 2 === 1;
}
