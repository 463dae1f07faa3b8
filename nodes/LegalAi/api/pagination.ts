import { responseDetails } from '../messages/responseDetails';
import { fillText } from '../messages/template';
import type { ApiRequest, LegalAiClient } from './client';
import { InvalidPageError } from './errors';
import type { JsonRecord } from './json';
import { readPage, type Page } from './page';
import type { PageQuery } from './pagingInfo';

/** A list of the API, and which part of it is wanted. */
export interface List {
	/** Its name in the API, which is its path too. */
	name: 'assistants' | 'playbooks' | 'tasks' | 'templates';
	query?: Record<string, string | undefined>;
	/** For lists that come in pages: how many records each has. A cursor is good for one page size only. */
	pageSize?: number;
	/** Until when a page is asked for again, in ms since the epoch. */
	deadline?: number;
}

/** Filters may leave pages empty; more in a row than this lead nowhere. */
const MAX_EMPTY_PAGES = 50;

/**
 * The pages of a list to its end, each fetched only once the one before it was consumed. It never ends early without
 * saying so: it throws if a page can't be loaded, if pages begin to repeat or stay empty, and if there are more records
 * but no way to them, or may be.
 *
 * @param from where to begin, if not with the first page
 * @throws {ApiError}
 */
export async function* paginate(client: LegalAiClient, list: List, from?: PageQuery): AsyncGenerator<Page, void> {
	const seen = new Set<string>();
	const walked: Walked = { pages: 0, records: 0, total: Infinity, isFromStart: from === undefined };
	let emptyPages = 0;
	let first: string | undefined;
	let next = from;
	do {
		seen.add(keyOf(next));
		const page = await getPage(client, list, next);

		if (page.next !== undefined && seen.has(keyOf(page.next))) throw endless(responseDetails.cursorRepeated, page);
		const content = contentKey(page);
		if (content !== undefined && content === first) throw endless(responseDetails.pageRepeated, page);
		first ??= content;
		emptyPages = page.records.length === 0 ? emptyPages + 1 : 0;
		if (emptyPages > MAX_EMPTY_PAGES) throw endless(fillText(responseDetails.pagesEmpty, { count: MAX_EMPTY_PAGES, fields: page.fieldNames }), page);

		yield page;
		walked.pages++;
		walked.records += page.records.length;
		walked.total = Math.min(walked.total, page.total ?? Infinity);
		if (page.next === undefined) ensureComplete(page, walked, list);
		next = page.next;
	} while (next !== undefined);
}

/** The first records of a list, each converted at once: no page is kept, and none is fetched in vain. */
export async function collect<T>(
	pages: AsyncIterable<Page>,
	limit: number,
	convert: (record: JsonRecord) => T,
): Promise<T[]> {
	const collected: T[] = [];
	for await (const { records } of pages) {
		for (const record of records) {
			collected.push(convert(record));
			if (collected.length >= limit) return collected;
		}
	}
	return collected;
}

/** The next page that has records, for whoever goes on another time. */
export async function nextPage(pages: AsyncIterable<Page>): Promise<Pick<Page, 'records' | 'next'>> {
	const records: JsonRecord[] = [];
	for await (const page of pages) {
		if (page.records.length > 0 && page.next !== undefined) return page;
		records.push(...page.records);
	}
	return { records };
}

async function getPage(client: LegalAiClient, list: List, next?: PageQuery): Promise<Page> {
	const request: ApiRequest = {
		method: 'GET',
		subject: list.name === 'tasks' ? 'taskList' : 'other',
		path: [list.name],
		query: { ...next, ...list.query, limit: list.pageSize ?? next?.limit },
		deadline: list.deadline,
	};
	const listUrl = new URL(`${client.baseUrl}/${list.name}`);
	return await client.request(request, (content) => readPage(content, list.name, { listUrl, asked: next }));
}

/** How far a list was read. */
interface Walked {
	pages: number;
	records: number;
	/** How many records the service says that there are; the least of what it said, as some may be new or gone by now. */
	total: number;
	isFromStart: boolean;
}

/** @throws {InvalidPageError} if more records follow a page that names no next one, or may follow */
function ensureComplete(page: Page, { pages, records, total, isFromStart }: Walked, { pageSize = page.pageSize }: List): void {
	const { fieldNames: fields, pageCount = 0 } = page;
	if (isFromStart && total !== Infinity && total > records) {
		const missing = { received: records, announced: total, fields };
		throw new InvalidPageError({ serviceMessage: fillText(responseDetails.recordsMissing, missing) });
	}
	if (isFromStart && pageCount > pages) {
		const missing = { received: pages, announced: pageCount, fields };
		throw new InvalidPageError({ serviceMessage: fillText(responseDetails.pagesMissing, missing) });
	}
	// Once pages have led on, one that does not is the last.
	const saysEnd = page.isLast || pages > 1 || !isFromStart || total <= records;
	if (!saysEnd && page.records.length >= (pageSize ?? Infinity)) {
		throw new InvalidPageError({ serviceMessage: fillText(responseDetails.endUnknown, { fields }) });
	}
}

function endless(what: string, { fieldNames }: Page): InvalidPageError {
	return new InvalidPageError({ serviceMessage: what.replace('<fields>', fieldNames) });
}

/** Tells pages from each other by their first and last records; undefined if there are none. */
function contentKey({ records }: Page): string | undefined {
	if (records.length === 0) return undefined;
	return JSON.stringify([records.length, ...[records[0], records.at(-1)].map((record) => record?.id ?? record)]);
}

function keyOf(query: PageQuery = {}): string {
	return new URLSearchParams(query).toString();
}
