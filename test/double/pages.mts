import { symbolsOf, uuidOf } from './random.mts';
import type { PageStyle } from './services.mts';

export type Json = Record<string, unknown>;

/** A page that is asked for: where it begins, how long it may be, and how many came before. */
export interface Place {
	readonly offset: number;
	readonly limit: number;
	readonly index: number;
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
	body(style: PageStyle, records: readonly unknown[], place: Place, url: URL): Json {
		const { list, cursor, atEnd, flag, total, unseen, beside, empty } = style;
		const end = Math.min(place.offset + lengthOf(style, place), records.length);
		const more = end < records.length;
		const page = records.slice(place.offset, end);
		const body: Json = {};
		put(body, list, page.length === 0 ? empty : page);
		for (const each of beside) Object.assign(body, this.#beside(each, page, place));
		if (total !== null) put(body, total, records.length + unseen);
		if (flag !== null) put(body, flag, more);
		if (more || atEnd === 'kept')
			put(body, cursor, this.#next(style, { ...place, offset: end, index: place.index + 1 }, url));
		else if (atEnd !== 'absent') put(body, cursor, atEnd === 'null' ? null : '');
		return body;
	}

	#next({ cursorIs }: PageStyle, place: Place, url: URL): string | number {
		const name = `cursor ${url.search} ${place.offset} ${place.index} ${place.limit}`;
		const number = this.#places.size + 1;
		const cursor =
			{ symbols: symbolsOf(this.#seed, name), number: String(number) }[cursorIs as string] ??
			uuidOf(this.#seed, name);
		this.#places.set(cursor, place);
		if (cursorIs === 'number') return number;
		if (cursorIs === 'query') return `?cursor=${cursor}`;
		return cursorIs === 'address'
			? `${url.origin}${url.pathname}?limit=${place.limit}&cursor=${cursor}`
			: cursor;
	}

	#beside(what: string, page: readonly unknown[], { limit, index }: Place): Json {
		const all: Record<string, Json> = {
			count: { count: page.length },
			limit: { limit },
			totals: { total_ms: 812, total_overdue: 3 },
			'previous cursor': {
				prev_cursor: index === 0 ? null : uuidOf(this.#seed, `before ${index}`),
			},
			'empty list': { warnings: [] },
			'other list': { people: [{ id: uuidOf(this.#seed, 'person'), name: 'Ada Park' }] },
		};
		return all[what] ?? {};
	}
}

function lengthOf({ fill }: PageStyle, { limit, index }: Place): number {
	const part = fill[index % fill.length] ?? 1;
	return part === 0 ? 0 : Math.max(1, Math.floor(limit * part));
}

/** Puts a value where the names of fields lead to. */
function put(body: Json, [name = '', ...rest]: readonly string[], value: unknown): void {
	if (rest.length === 0) body[name] = value;
	else put((body[name] ??= {}) as Json, rest, value);
}
