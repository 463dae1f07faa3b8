import { readJson } from '../../api/json';

type Place = readonly [start: number, end: number];

/** An object in a text that has some of the names looked for. */
export interface FoundObject {
	names: number;
	/** How many other values it is in. */
	depth: number;
	place: Place;
	/** Of the outermost value that it is in. */
	outermost: Place;
}

/** No answer is nested more deeply. */
const MAX_DEPTH = 1_000;

/** After white space: a number or word of JSON, another word, or a character. */
const TOKEN =
	/[ \t\n\r]*(?:(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])|[\w.+-]+|[^ \t\n\r])/y;

/** A piece of a string of JSON, and what ends it: an escape, a quote, or what a string can't have. */
const PIECE = /[ !#-[\]-\uffff]*(\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|[^])?/y;

/**
 * Finds the JSON object that has the most of the names; of equals the shallowest, of those the last. A value that turns out not
 * to be JSON is text, and the complete values in it count; but what the end of the text cuts off is not searched. Reads each
 * character about once, however hostile the text is.
 */
export function findObject(text: string, names: ReadonlySet<string>): FoundObject | undefined {
	let best: FoundObject | undefined;
	/** Of the last token: where it starts, what it is (a single character is its own kind), and where to read on if it is not JSON. */
	let [start, kind, resumeAt] = [0, '', 0];
	const opening = /[{[]/g;

	/** Reads the next token; gives its kind. */
	function next(): string {
		const before = kind === 'string' ? start + 1 : undefined;
		TOKEN.lastIndex = opening.lastIndex;
		const [all = '', word] = TOKEN.exec(text) ?? [];
		const token = all.trimStart();
		start = opening.lastIndex + all.length - token.length;
		opening.lastIndex += all.length;
		kind = word !== undefined ? 'word' : token.length === 1 ? token : 'other';
		if (token === '"') kind = skipString();
		// A word at the end of the text may be cut off.
		else if (all === '' || (opening.lastIndex === text.length && token !== '}' && token !== ']'))
			kind = 'end';
		// A quote that seemed to end a string may have begun one.
		resumeAt = before ?? start;
		return kind;
	}

	function skipString(): string {
		PIECE.lastIndex = opening.lastIndex;
		for (;;) {
			const ending = PIECE.exec(text)?.[1] ?? '';
			if (ending.length === 2 || ending.length === 6) continue;
			if (ending !== '"') return ending === '' ? 'end' : 'other';
			opening.lastIndex = PIECE.lastIndex;
			return 'string';
		}
	}

	/** Reads what comes after an opening bracket; false if it is not JSON, else the best object of the whole value. */
	function readContent(bracket: string, depth: number): FoundObject | false | undefined {
		const [from, isObject, own] = [start, bracket === '{', new Set<string>()];
		let inside: FoundObject | undefined;
		let isComplete = next() === (isObject ? '}' : ']');
		while (!isComplete) {
			if (isObject) {
				const name = kind === 'string' ? readJson(text.slice(start, opening.lastIndex)) : undefined;
				if (typeof name === 'string' && names.has(name)) own.add(name);
				if (name === undefined || next() !== ':') break;
				next();
			}
			const isOpening = (kind === '{' || kind === '[') && depth < MAX_DEPTH;
			const child = isOpening
				? readContent(kind, depth + 1)
				: kind === 'string' || kind === 'word'
					? undefined
					: false;
			if (child === false) break;
			inside = better(inside, child);
			isComplete = next() === (isObject ? '}' : ']');
			if (!isComplete && kind !== ',') break;
			if (!isComplete) next();
		}
		if (!isComplete) {
			best = kind === 'end' ? best : better(best, inside);
			return false;
		}
		const outermost = [from, opening.lastIndex] as const;
		const itself =
			own.size === 0 ? undefined : { names: own.size, depth: 0, place: outermost, outermost };
		return better(inside && { ...inside, depth: inside.depth + 1, outermost }, itself);
	}

	for (
		let found = opening.exec(text);
		found !== null && kind !== 'end';
		found = opening.exec(text)
	) {
		[start, kind] = [found.index, ''];
		const read = readContent(found[0], 1);
		if (read === false) opening.lastIndex = resumeAt;
		else best = better(best, read);
	}
	return best;
}

function better(
	one: FoundObject | undefined,
	other: FoundObject | undefined,
): FoundObject | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	const difference =
		other.names - one.names || one.depth - other.depth || other.place[0] - one.place[0];
	return difference < 0 ? one : other;
}
