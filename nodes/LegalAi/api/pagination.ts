import { responseDetails } from '../messages/responseDetails';
import { fillText } from '../messages/template';
import type { ApiRequest, LegalAiClient } from './client';
import { ApiError } from './errors';
import { isRecord, type JsonRecord } from './json';

/** A list of the API, and which part of it is wanted. */
export interface List {
	/** Its name in the API, which is its path too. */
	name: 'assistants' | 'playbooks' | 'tasks' | 'templates';
	query?: Record<string, string | undefined>;
	/** For lists that come in pages: how many records each has. A cursor is valid for one page size only. */
	pageSize?: number;
}

/** One page of a list. */
export interface Page {
	records: JsonRecord[];
	/** The cursor of the next page; undefined if there is none. An error if there may be more records, and no way to get them. */
	next: string | ApiError | undefined;
}

/**
 * The pages of a list to its end, each fetched only once the one before it was consumed. It never ends early without
 * an error, and is of one account. A record that is on two of them, as lists shift while they are read, is only on the first.
 *
 * @param from the cursor to begin with, if not with the first page
 * @throws {ApiError}
 */
export async function* paginate(
	client: LegalAiClient,
	list: List,
	from?: string,
): AsyncGenerator<Page, void> {
	const { name, query, pageSize } = list;
	const subject = name === 'tasks' ? 'taskList' : 'other';
	const seen = new Set<string>();
	const ids = new Set<unknown>();
	let received = 0;
	let emptyPages = 0;
	let cursor = from;
	do {
		if (cursor !== undefined) seen.add(cursor);
		const request: ApiRequest = {
			method: 'GET',
			subject,
			path: [name],
			query: { ...query, cursor, limit: pageSize },
		};
		const { records, fields } = await client.request(request, (answer) => readPage(answer, name));
		await client.ensureSameAccount();
		received += records.length;
		// Filters may leave pages empty, but with so many in a row the list has no end.
		emptyPages = records.length === 0 ? emptyPages + 1 : 0;
		if (emptyPages > 50)
			throw new ApiError('invalidPage', { serviceMessage: responseDetails.pagesEmpty, received });
		const isFull = records.length >= (pageSize ?? Infinity);
		const next = readNext(fields, { seen, received, isFromStart: from === undefined, isFull });
		yield {
			records: records.filter(({ id }) => {
				const isNew = !ids.has(id);
				if (id !== undefined) ids.add(id);
				return isNew;
			}),
			next,
		};
		if (next instanceof ApiError) throw next;
		cursor = next;
	} while (cursor !== undefined);
}

/** The first records of a list, each converted immediately: no page is kept, and no unneeded page is fetched. */
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

/** The next page that has records, and the cursor of the one after it. */
export async function nextPage(
	pages: AsyncIterable<Page>,
): Promise<{ records: JsonRecord[]; next?: string }> {
	for await (const { records, next } of pages) {
		if (next instanceof ApiError) throw next;
		if (records.length > 0) return { records, next };
	}
	return { records: [] };
}

const LISTS = ['data', 'items', 'results'];
/** The most certain names come first: the last ones may mean this page. */
const CURSORS = [
	'next_cursor',
	'next_page_token',
	'next_token',
	'end_cursor',
	'next',
	'after',
	'cursor',
];
const FLAGS = ['has_more', 'has_next_page', 'has_next', 'more'];
const TOTALS = ['total', 'total_count'];
/** A name that leads on, or is within a "next", though it is none of the usual ones. The value may look like anything. */
const LEADS_ON = /next|(cursor|token|continu|bookmark|marker|position|scroll)[^.]*$/i;
const LEADS_ELSEWHERE = /prev|first|start|request|self/i;
const DEEPEST = 3;

/**
 * Reads a page. The specification does not show its shape: the list is the answer itself, or the array under its own name
 * or a usual one, at the top or within `data`, or the only array of objects there is.
 */
function readPage(answer: unknown, name: string): { records: JsonRecord[]; fields: Field[] } {
	if (isListOfRecords(answer)) return { records: answer, fields: [] };
	if (!isRecord(answer))
		throw new ApiError('invalidPage', { serviceMessage: responseDetails.notList });
	const fields = fieldsOf([{ path: '', value: answer }]);
	const records = findRecords(answer, name);
	if (records !== undefined) return { records, fields };
	throw new ApiError('invalidPage', {
		serviceMessage: fillText(responseDetails.listNotFound, { fields: namesOf(fields) }),
	});
}

function findRecords(answer: JsonRecord, name: string): JsonRecord[] | undefined {
	const levels = [answer, answer.data].filter(isRecord);
	const named = [name, ...LISTS].flatMap((field) => levels.map((level) => level[field]));
	const found = named.find(isListOfRecords) ?? (named.includes(null) ? [] : undefined);
	if (found !== undefined) return found;
	const [only, ...others] = Object.values(answer).filter(isListOfRecords);
	// An empty one is not the list if that may be in an object beside it.
	const isOnly =
		others.length === 0 && (only?.length !== 0 || !Object.values(answer).some(isRecord));
	return isOnly ? only : undefined;
}

/** What follows a page, by the fields beside its records: a cursor, nothing, or more that can't be had. */
function readNext(
	fields: Field[],
	{
		seen,
		received,
		isFromStart,
		isFull,
	}: { seen: Set<string>; received: number; isFromStart: boolean; isFull: boolean },
): Page['next'] {
	const incomplete = (serviceMessage: string): ApiError =>
		new ApiError('invalidPage', { serviceMessage, received });
	const names = namesOf(fields);

	const flags = valuesOf(fields, FLAGS).filter((value) => typeof value === 'boolean');
	const [cursor] = valuesOf(fields, CURSORS).filter(
		(value) => !isRecord(value) && !Array.isArray(value),
	);
	if (flags.includes(false)) return undefined;
	if (cursor !== undefined && cursor !== null && cursor !== '' && cursor !== false) {
		const next = readCursor(cursor);
		if (next === undefined)
			return incomplete(fillText(responseDetails.cursorUnreadable, { fields: names }));
		return seen.has(next)
			? incomplete(fillText(responseDetails.cursorRepeated, { fields: names }))
			: next;
	}
	if (flags.includes(true))
		return incomplete(fillText(responseDetails.nextPageUnknown, { fields: names }));
	if (cursor !== undefined) return undefined;

	const announced = valuesOf(fields, TOTALS).find((value) => typeof value === 'number') ?? 0;
	if (isFromStart && announced > received)
		return incomplete(fillText(responseDetails.recordsMissing, { received, announced }));
	const unknown = isFull ? fields.find(leadsOn) : undefined;
	return unknown && incomplete(fillText(responseDetails.endUnknown, { field: unknown.path }));
}

/** A cursor: text, a number, or an address that has one in its query. */
function readCursor(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	if (typeof value !== 'string') return undefined;
	if (!ADDRESS.test(value)) return value;
	return (
		(URL.canParse(value, ANY_BASE) && new URL(value, ANY_BASE).searchParams.get('cursor')) ||
		undefined
	);
}

/** For addresses without a host. */
const ANY_BASE = 'https://list';

const ADDRESS = /^(https?:\/\/|[^?\s]*\?[^=\s]+=)/;

function leadsOn({ path, value }: Field): boolean {
	const hasValue = typeof value === 'number' || (typeof value === 'string' && value !== '');
	return hasValue && LEADS_ON.test(path) && !LEADS_ELSEWHERE.test(path);
}

/** Something beside the records of a page: its name, with those of the objects around it, such as `page.next`. */
interface Field {
	path: string;
	value: unknown;
}

/** The fields in some objects, and in the objects in them, from the outside in. */
function fieldsOf(objects: Field[], depth = 0): Field[] {
	const fields = objects.flatMap(({ path, value }) => {
		const prefix = path === '' ? '' : `${path}.`;
		return isRecord(value)
			? Object.entries(value).map(([name, each]) => ({ path: prefix + name, value: each }))
			: [];
	});
	return fields.length === 0 || depth > DEEPEST ? [] : [...fields, ...fieldsOf(fields, depth + 1)];
}

/** The values under these names, or the same in camel case; those under the first name first. */
function valuesOf(fields: Field[], names: string[]): unknown[] {
	const plain = (path: string): string => path.replace(/^.*\.|_/g, '').toLowerCase();
	return names.flatMap((name) =>
		fields.filter(({ path }) => plain(path) === plain(name)).map(({ value }) => value),
	);
}

function isListOfRecords(value: unknown): value is JsonRecord[] {
	return Array.isArray(value) && value.every(isRecord);
}

function namesOf(fields: Field[]): string {
	return fields.map(({ path }) => `'${path}'`).join(', ') || 'none';
}
