import { fillText, responseDetails } from '../messages';
import type { LegalAiClient } from './client';
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
	/** The cursor of the next page; undefined if there is none. Throws if there may be more records, and no way to get them. */
	next: () => string | undefined;
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
	{ name, query, pageSize }: List,
	from?: string,
): AsyncGenerator<Page, void> {
	const cursors = new Set<string>();
	const ids = new Set<unknown>();
	let received = 0;
	let emptyPages = 0;
	let cursor = from;
	do {
		if (cursor !== undefined) cursors.add(cursor);
		const { records, fields } = await client.request(
			{
				method: 'GET',
				path: [name],
				query: { ...query, cursor, limit: pageSize },
			},
			(answer) => readPage(answer, name),
		);
		await client.ensureSameAccount();
		received += records.length;
		// Filters may leave pages empty, but with so many in a row the list has no end.
		emptyPages = records.length === 0 ? emptyPages + 1 : 0;
		if (emptyPages > 50)
			throw new ApiError('invalidPage', { serviceMessage: responseDetails.pagesEmpty, received });
		const next = (): string | undefined =>
			readNext(fields, {
				cursors,
				received,
				isFromStart: from === undefined,
				isFull: records.length >= (pageSize ?? Infinity),
			});
		yield {
			records: records.filter(({ id }) => {
				const isNew = id === undefined || !ids.has(id);
				ids.add(id);
				return isNew;
			}),
			next,
		};
		cursor = next();
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
		collected.push(...records.slice(0, limit - collected.length).map(convert));
		if (collected.length >= limit) break;
	}
	return collected;
}

/** The next page that has records, and the cursor of the one after it. */
export async function nextPage(
	pages: AsyncIterable<Page>,
): Promise<{ records: JsonRecord[]; next?: string }> {
	for await (const { records, next } of pages)
		if (records.length > 0) return { records, next: next() };
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
const ADDRESS = /^(https?:\/\/|[^?\s]*\?[^=\s]+=)/;

/**
 * Reads a page. The specification does not show its shape: the list is the answer itself, or the array under its own name
 * or a usual one, at the top or within `data`, or the only array of objects there is.
 */
function readPage(answer: unknown, name: string): { records: JsonRecord[]; fields: Field[] } {
	if (isListOfRecords(answer)) return { records: answer, fields: [] };
	if (!isRecord(answer))
		throw new ApiError('invalidPage', { serviceMessage: responseDetails.notList });
	const fields = fieldsOf(answer);
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

/**
 * The cursor of the page that follows, by the fields beside the records of a page; undefined if there is none.
 *
 * @throws {ApiError} of kind `invalidPage` if there may be more records that can't be had
 */
function readNext(
	fields: Field[],
	{
		cursors,
		received,
		isFromStart,
		isFull,
	}: { cursors: Set<string>; received: number; isFromStart: boolean; isFull: boolean },
): string | undefined {
	const incomplete = (serviceMessage: string): ApiError =>
		new ApiError('invalidPage', { serviceMessage, received });
	const names = { fields: namesOf(fields) };

	const flags = valuesOf(fields, FLAGS);
	const cursor = valuesOf(fields, CURSORS).find(
		(value) => !isRecord(value) && !Array.isArray(value),
	);
	if (flags.includes(false)) return undefined;
	if (cursor !== undefined && cursor !== null && cursor !== '') {
		const next = readCursor(cursor);
		if (!next) throw incomplete(fillText(responseDetails.cursorUnreadable, names));
		if (cursors.has(next)) throw incomplete(fillText(responseDetails.cursorRepeated, names));
		return next;
	}
	if (flags.includes(true)) throw incomplete(fillText(responseDetails.nextPageUnknown, names));
	if (cursor !== undefined) return undefined;

	const announced = valuesOf(fields, TOTALS).find((value) => typeof value === 'number') ?? 0;
	if (isFromStart && announced > received)
		throw incomplete(fillText(responseDetails.recordsMissing, { received, announced }));
	const unknown = fields.find(
		({ path, value }) =>
			['number', 'string'].includes(typeof value) &&
			value !== '' &&
			LEADS_ON.test(path) &&
			!LEADS_ELSEWHERE.test(path),
	);
	if (isFull && unknown !== undefined)
		throw incomplete(fillText(responseDetails.endUnknown, { field: unknown.path }));
	return undefined;
}

/** A cursor: text, a number, or an address that has one in its query. */
function readCursor(value: unknown): string | null {
	if (typeof value === 'number') return String(value);
	if (typeof value !== 'string') return null;
	if (!ADDRESS.test(value)) return value;
	return new URLSearchParams(value.replace(/^[^?]*|#.*/g, '')).get('cursor');
}

/** Something beside the records of a page: its name, with those of the objects around it, such as `page.next`. */
interface Field {
	path: string;
	value: unknown;
}

/** The fields of an object, and of the objects in it, from the outside in. */
function fieldsOf(answer: JsonRecord): Field[] {
	const fields = Object.entries(answer).map(([path, value]) => ({ path, value }));
	for (const { path, value } of fields)
		if (isRecord(value) && path.split('.').length <= DEEPEST)
			fields.push(
				...Object.entries(value).map(([name, each]) => ({ path: `${path}.${name}`, value: each })),
			);
	return fields;
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
