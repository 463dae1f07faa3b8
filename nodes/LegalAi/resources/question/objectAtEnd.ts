import { isRecord, readJson } from '../../api';

/** The JSON object with which a text ends, and what stands around it. */
export interface ObjectAtEnd {
	before: string;
	after: string;
	/** The values of its first level, as JSON as it is written; undefined where a key stands twice. */
	members: ReadonlyMap<string, string | undefined>;
}

/**
 * Finds the one object with which a text ends, whole and no part of anything else; undefined if there is none. Nothing is repaired
 * or chosen. Reads each character about once, however hostile the text is.
 */
export function objectAtEnd(text: string): ObjectAtEnd | undefined {
	/** Where the object's own brackets, colons and commas are, the last first. */
	const marks: number[] = [];
	let [depth, isInString] = [0, false];
	for (let at = text.lastIndexOf('}'); at >= 0; at--) {
		const character = text.charAt(at);
		if (character === '"' && !isEscaped(text, at)) isInString = !isInString;
		if (isInString) continue;
		if ('}]'.includes(character)) depth++;
		if (depth === 1 && '{:,}'.includes(character)) marks.push(at);
		if ('{['.includes(character)) depth--;
		if (depth === 0) return objectBetween(text, at, marks.reverse());
	}
	return undefined;
}

function isEscaped(text: string, at: number): boolean {
	let first = at;
	while (text[first - 1] === '\\') first--;
	return (at - first) % 2 === 1;
}

function objectBetween(text: string, start: number, marks: number[]): ObjectAtEnd | undefined {
	const end = (marks.at(-1) ?? start) + 1;
	const [before, after] = [text.slice(0, start), text.slice(end)];
	if (isPartOfMore(before, after) || !isRecord(readJson(text.slice(start, end)))) return undefined;
	const pieces = marks.map((mark, index) =>
		text.slice((marks[index - 1] ?? mark) + 1, mark).trim(),
	);
	const members = new Map<string, string | undefined>();
	for (let value = 2; value < pieces.length; value += 2) {
		const key = String(readJson(pieces[value - 1] ?? ''));
		members.set(key, members.has(key) ? undefined : pieces[value]);
	}
	return { before, after, members };
}

/** Whether an object may belong to what is around it: a list, another object, or one that is cut off. */
function isPartOfMore(before: string, after: string): boolean {
	const times = (bracket: string): number => before.split(bracket).length;
	return (
		/[{}[,"]$|["\\]\s*:$/.test(before.trimEnd()) ||
		/^[\],]/.test(after.trimStart()) ||
		after.includes('{') ||
		times('{') !== times('}') ||
		times('[') !== times(']')
	);
}
