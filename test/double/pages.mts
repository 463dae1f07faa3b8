import type { PageStyle } from './description.mts';
import { symbolsOf, uuidOf } from './random.mts';

export type Json = Record<string, unknown>;

/** A page that is asked for: where it begins, how long it is to be, and what it is a page of. */
export interface Place {
	readonly offset: number;
	readonly limit: number;
	/** How many pages came before. */
	readonly index: number;
	/** The query of the first request of the walk, without `limit`. */
	readonly filters: string;
}

/** The address that a page was asked for at. */
export interface PageRequest {
	readonly url: URL;
	readonly cursorParameter: string;
	readonly limitParameter: boolean;
}

/** The pages of one service: knows the cursors that it has given out. */
export class Pages {
	readonly #places = new Map<string, Place>();
	readonly #seed: number;

	constructor(seed: number) {
		this.#seed = seed;
	}

	/** The place that a cursor stands for. */
	place(cursor: string): Place | undefined {
		return this.#places.get(cursor);
	}

	/** The body of one page. */
	body(style: PageStyle, records: readonly unknown[], place: Place, request: PageRequest): unknown {
		const end = Math.min(place.offset + lengthOf(style, place), records.length);
		const more = end < records.length;
		const page = records.slice(place.offset, end);
		if (style.list.length === 0) return page;

		const body: Json = {};
		put(body, style.list, page);
		for (const beside of style.beside) this.#putBeside(body, beside, page, place, request);
		if (style.total !== null) put(body, style.total, records.length);
		if (style.flag !== null) put(body, style.flag, more);
		if (style.next.kind === 'none') return body;

		const next = { ...place, offset: end, index: place.index + 1 };
		const value = this.#next(style, next, request);
		if (more || style.atEnd === 'kept') put(body, style.next.at, value);
		else if (style.atEnd !== 'absent') put(body, style.next.at, style.atEnd === 'null' ? null : '');
		return body;
	}

	#next({ next }: PageStyle, place: Place, { url, cursorParameter, limitParameter }: PageRequest): unknown {
		const name = `cursor ${place.offset} ${place.index} ${place.limit} ${place.filters}`;
		const number = this.#places.size + 1;
		const cursor =
			next.kind !== 'cursor' || next.value === 'text'
				? uuidOf(this.#seed, name)
				: next.value === 'symbols'
					? symbolsOf(this.#seed, name)
					: String(number);
		this.#places.set(cursor, place);
		if (next.kind !== 'link') return next.kind === 'cursor' && next.value === 'number' ? number : cursor;

		const query = new URLSearchParams(next.whole ? url.searchParams : '');
		query.set(cursorParameter, cursor);
		if (next.whole && limitParameter) query.set('limit', String(place.limit));
		const path = `${url.pathname}?${query.toString()}`;
		if (next.form === 'query') return `?${query.toString()}`;
		if (next.form === 'path') return path;
		return (next.form === 'absolute' ? url.origin : url.origin.replace('127.0.0.1', 'localhost')) + path;
	}

	#putBeside(
		body: Json,
		beside: PageStyle['beside'][number],
		page: readonly unknown[],
		{ limit, index }: Place,
		{ url, cursorParameter }: PageRequest,
	): void {
		if (beside === 'count') body.count = page.length;
		if (beside === 'limit') body.limit = limit;
		if (beside === 'current cursor') body.cursor = url.searchParams.get(cursorParameter);
		if (beside === 'previous cursor') body.prev_cursor = index === 0 ? null : uuidOf(this.#seed, `before ${index}`);
		if (beside === 'empty list') body.warnings = [];
		if (beside === 'other list') body.people = [{ id: uuidOf(this.#seed, 'person'), name: 'Ada Park' }];
	}
}

function lengthOf({ fill }: PageStyle, { limit, index }: Place): number {
	const part = fill[index % fill.length] ?? 1;
	return part === 0 ? 0 : Math.max(1, Math.floor(limit * part));
}

/** Puts a value where some fields lead to. */
export function put(body: Json, path: readonly string[], value: unknown): void {
	const [name = '', ...rest] = path;
	if (rest.length === 0) {
		body[name] = value;
		return;
	}
	const inner = body[name] ?? {};
	if (typeof inner !== 'object' || Array.isArray(inner)) throw new TypeError(`Nothing fits below '${name}'`);
	body[name] = inner;
	put(inner as Json, rest, value);
}

/** Wraps a record as its service does. */
export function wrapped(path: readonly string[], record: Json): Json {
	return path.reduceRight<Json>((inner, name) => ({ [name]: inner }), record);
}

/** Whether each page leads to the next, in a way that a client can go without leaving the service. */
export function leadsOn({ next }: PageStyle): boolean {
	return next.kind === 'cursor' || (next.kind === 'link' && next.form !== 'elsewhere');
}
