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

/** An object or array whose end is not reached yet. */
interface OpenValue {
	start: number;
	isObject: boolean;
	/** What comes next, unless it can end here. */
	next: 'key' | 'colon' | 'value' | 'comma';
	canEnd: boolean;
	names: Set<string> | undefined;
	/** The best of the objects in it. */
	best: FoundObject | undefined;
}

interface Token {
	/** Of JSON: a string, or a number, true, false or null. Everything else is `other`. */
	kind: 'string' | 'word' | 'other';
	text: string;
	start: number;
	end: number;
}

/** No answer is nested more deeply. */
const MAX_DEPTH = 1_000;

/**
 * Finds the JSON object that has the most of the names; of equals the shallowest, of those the last. A value that turns out not
 * to be JSON is text, and the complete values in it count; but what the end of the text cuts off is not searched. Reads each
 * character about once, however hostile the text is.
 */
export function findObject(text: string, names: ReadonlySet<string>): FoundObject | undefined {
	let best: FoundObject | undefined;
	const opening = /[{[]/g;
	for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
		const open = [openValue(found[0], found.index)];
		let previous: Token | undefined;
		opening.lastIndex = found.index + 1;
		while (open.length > 0) {
			const token = tokenAt(text, opening.lastIndex);
			if (token === undefined) return best;
			opening.lastIndex = token.end;
			const ended = takeToken(open, token, names);
			if (ended === false) {
				for (const value of open) best = better(best, value.best);
				// A quote that seemed to end a string may have begun one.
				opening.lastIndex = previous?.kind === 'string' ? previous.start + 1 : token.start;
				break;
			}
			if (open.length === 0) best = better(best, ended);
			previous = token;
		}
	}
	return best;
}

/**
 * Takes the next token of the innermost open value.
 *
 * @returns the best object of a value that ends with it; false if JSON has nothing like it there
 */
function takeToken(open: OpenValue[], { kind, text, start, end }: Token, names: ReadonlySet<string>): FoundObject | false | undefined {
	const top = open.at(-1);
	if (top === undefined) return false;
	const { next, isObject } = top;
	if (top.canEnd && text === (isObject ? '}' : ']')) {
		open.pop();
		const outermost = [top.start, end] as const;
		const own = top.names && { names: top.names.size, depth: 0, place: outermost, outermost };
		const inside = top.best && { ...top.best, depth: top.best.depth + 1, outermost };
		const ended = better(inside, own);
		const parent = open.at(-1);
		if (parent !== undefined) parent.best = better(parent.best, ended);
		return ended;
	}
	const isValue = next === 'value' && (kind !== 'other' || ((text === '{' || text === '[') && open.length < MAX_DEPTH));
	const isKey = next === 'key' && kind === 'string';
	if (!isValue && !isKey && text !== { key: '', value: '', colon: ':', comma: ',' }[next]) return false;
	if (isKey) {
		const name = String(readJson(text));
		if (names.has(name)) (top.names ??= new Set()).add(name);
	}
	if (isValue && kind === 'other') open.push(openValue(text, start));
	top.next = isValue ? 'comma' : isKey ? 'colon' : next === 'comma' && isObject ? 'key' : 'value';
	top.canEnd = isValue;
	return undefined;
}

function openValue(bracket: string, start: number): OpenValue {
	const isObject = bracket === '{';
	return { start, isObject, next: isObject ? 'key' : 'value', canEnd: true, names: undefined, best: undefined };
}

function better(one: FoundObject | undefined, later: FoundObject | undefined): FoundObject | undefined {
	if (one === undefined || later === undefined) return one ?? later;
	return (later.names - one.names || one.depth - later.depth) < 0 ? one : later;
}

/** After white space: a number or word of JSON, another word, or a character. */
const TOKEN = /[ \t\n\r]*(?:(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])|[\w.+-]+|[^ \t\n\r])/y;

/** The next token; undefined if the text ends before what is open can end. */
function tokenAt(text: string, from: number): Token | undefined {
	TOKEN.lastIndex = from;
	const [all = '', word] = TOKEN.exec(text) ?? [];
	const content = all.trimStart();
	const end = from + all.length;
	const start = end - content.length;
	if (all === '' || (end === text.length && content !== '}' && content !== ']')) return undefined;
	if (content !== '"') return { kind: word === undefined ? 'other' : 'word', text: content, start, end };
	const endOfString = stringEnd(text, end);
	if (endOfString === Infinity) return undefined;
	if (endOfString === undefined) return { kind: 'other', text: content, start, end };
	return { kind: 'string', text: text.slice(start, endOfString), start, end: endOfString };
}

/** A piece of a string of JSON, and what ends it: an escape, a quote, or what a string can't have. */
const PIECE = /[ !#-[\]-\uffff]*(\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|[^])?/y;

/** Where a string ends; Infinity if the text ends first, undefined if it is none of JSON. */
function stringEnd(text: string, from: number): number | undefined {
	PIECE.lastIndex = from;
	for (;;) {
		const ending = PIECE.exec(text)?.[1];
		if (ending === undefined) return Infinity;
		if (ending === '"') return PIECE.lastIndex;
		if (ending.length === 1) return undefined;
	}
}
