import type { LegalAiClient } from './client';
import { ApiFailure } from './failure';
import type { JsonRecord } from './json';
import { readPage, type Page } from './page';

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

/**
 * Fetches one page.
 *
 * @throws {ApiFailure} where it can't be had, or can't be read
 */
export async function getPage(client: LegalAiClient, list: List, cursor?: string): Promise<Page> {
	const answer = await client.request({
		method: 'GET',
		subject: list.name === 'tasks' ? 'taskList' : 'other',
		path: [list.name],
		query: { ...list.query, limit: list.pageSize, cursor },
		deadline: list.deadline,
	});
	return readPage(answer, list.name);
}

/**
 * Walks a list to its end, page after page, each fetched only once the records before it have been taken. It
 * never ends early without saying so: it throws where a page can't be had, where a cursor comes back, and
 * where a full page doesn't say whether there are more.
 *
 * @throws {ApiFailure}
 */
export async function* walk(client: LegalAiClient, list: List): AsyncGenerator<JsonRecord, void> {
	const cursors = new Set<string>();
	let cursor: string | undefined;
	do {
		if (client.signal?.aborted) throw new ApiFailure('cancelled');
		const page = await getPage(client, list, cursor);
		yield* page.records;

		if (!page.tellsOfMore && page.records.length >= (list.pageSize ?? Infinity)) {
			throw new ApiFailure('unlistable', { serviceMessage: 'a full page that does not say whether there are more' });
		}
		cursor = page.cursor;
		if (cursor !== undefined && cursors.has(cursor)) {
			throw new ApiFailure('unlistable', { serviceMessage: 'the same cursor a second time, which would go round in circles' });
		}
		if (cursor !== undefined) cursors.add(cursor);
	} while (cursor !== undefined);
}

/** The first records of a list, each made into something at once: no page is kept, and none fetched in vain. */
export async function take<T>(
	records: AsyncIterable<JsonRecord>,
	limit: number,
	make: (record: JsonRecord) => T,
): Promise<T[]> {
	const taken: T[] = [];
	for await (const record of records) {
		taken.push(make(record));
		if (taken.length >= limit) break;
	}
	return taken;
}
