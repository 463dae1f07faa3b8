import { isRecord, readJson } from '../../api/json';

/** The JSON object with which a text ends, and what stands around it. */
export interface ObjectAtEnd {
	before: string;
	after: string;
	/** As it is written; it need not be valid. */
	json: string;
}

/** Finds the object that ends at the last `}` of a text; undefined if it has no beginning. Nothing is repaired or chosen. */
export function findObjectAtEnd(text: string): ObjectAtEnd | undefined {
	const end = text.lastIndexOf('}') + 1;
	const start = findMarks(text, end)?.[0];
	return start === undefined
		? undefined
		: { before: text.slice(0, start), after: text.slice(end), json: text.slice(start, end) };
}

/** Whether it may belong to what is around it: a list, another object, or one that is cut off. */
export function isPartOfMore({ before, after }: ObjectAtEnd): boolean {
	const times = (bracket: string): number => before.split(bracket).length;
	return (
		/[{}[,"]$|["\\]\s*:$/.test(before.trimEnd()) ||
		/^[\],]/.test(after.trimStart()) ||
		after.includes('{') ||
		times('{') !== times('}') ||
		times('[') !== times(']')
	);
}

/**
 * Reads the first level of an object, with each value as JSON as it is written: `JSON.parse` takes the last of two values with the
 * same key, and rounds long numbers. Undefined for what is no object; a value is undefined if its key stands twice.
 */
export function readMembers(json: string): Map<string, string | undefined> | undefined {
	if (!isRecord(readJson(json))) return undefined;
	const parts = partsOf(json);
	const members = new Map<string, string | undefined>();
	for (let value = 1; value < parts.length; value += 2) {
		const key = String(readJson(parts[value - 1] ?? ''));
		members.set(key, members.has(key) ? undefined : parts[value]);
	}
	return members;
}

/** Reads the entries of a list, as JSON as they are written; undefined for what is no list. */
export function readEntries(json: string): string[] | undefined {
	const content = readJson(json);
	if (!Array.isArray(content)) return undefined;
	return content.length === 0 ? [] : partsOf(json);
}

/** What stands between the brackets, colons and commas of an object or list itself. */
function partsOf(json: string): string[] {
	const [first = 0, ...marks] = findMarks(json, json.length) ?? [];
	let start = first;
	return marks.map((mark) => {
		const part = json.slice(start + 1, mark).trim();
		start = mark;
		return part;
	});
}

/**
 * Finds the brackets, colons and commas of the object or list that ends with a text's bracket before `end`, but none of what it
 * contains; undefined if it has no beginning. Reads each character about once, however hostile the text is.
 */
function findMarks(text: string, end: number): number[] | undefined {
	const marks: number[] = [];
	let [depth, isInString] = [0, false];
	for (let at = end - 1; at >= 0; at--) {
		const character = text.charAt(at);
		if (character === '"' && !isEscaped(text, at)) isInString = !isInString;
		if (isInString) continue;
		if ('}]'.includes(character)) depth++;
		if (depth === 1 && '{[:,]}'.includes(character)) marks.push(at);
		if ('{['.includes(character)) depth--;
		if (depth === 0) return marks.reverse();
	}
	return undefined;
}

function isEscaped(text: string, at: number): boolean {
	let first = at;
	while (text[first - 1] === '\\') first--;
	return (at - first) % 2 === 1;
}
