import { ApiFailure } from './failure';
import { isRecord, type JsonRecord } from './json';

/** One page of a list: its records, and how to ask for the next one. */
export interface Page {
	records: JsonRecord[];
	/** Absent on the last page. */
	cursor?: string;
	/** Whether the answer could have told of a next page; a bare array has no room for that. */
	tellsOfMore: boolean;
}

const LISTS = ['data', 'items', 'results'];
const CURSORS = ['next_cursor', 'nextCursor', 'next', 'cursor'];
const CURSOR_HOLDERS = ['pagination', 'meta', 'page_info', 'paging'];
const MORE = ['has_more', 'hasMore'];

const FIELDS_SHOWN = 10;

/**
 * Reads a page whose shape the specification leaves open. The list is the answer itself, or the array of
 * objects under its own name, `data`, `items` or `results`, or the only one there is; the next page's cursor is
 * beside it, or in an object about paging. What `data` holds may be the page.
 *
 * @param name the list's own name, e.g. `tasks`
 * @throws {ApiFailure} `unlistable` where no list can be told, or no cursor although there is more
 */
export function readPage(answer: unknown, name: string): Page {
	if (isListOfRecords(answer)) return { records: answer, tellsOfMore: false };
	if (!isRecord(answer)) throw unlistable('an answer that is no list');

	const levels = isRecord(answer.data) ? [answer, answer.data] : [answer];
	const records = levels.map((level) => findList(level, name)).find((list) => list !== undefined);
	if (records === undefined) throw unlistable(`no list among the fields ${fieldNames(answer)}`);
	return { records, cursor: findCursor(levels, answer), tellsOfMore: true };
}

function findList(level: JsonRecord, name: string): JsonRecord[] | undefined {
	const named = [name, ...LISTS].map((field) => level[field]).find(isListOfRecords);
	if (named !== undefined) return named;
	const lists = Object.values(level).filter(isListOfRecords);
	return lists.length === 1 ? lists[0] : undefined;
}

function findCursor(levels: JsonRecord[], answer: JsonRecord): string | undefined {
	const places = levels.flatMap((level) => [level, ...CURSOR_HOLDERS.map((holder) => level[holder]).filter(isRecord)]);
	const more = findField(places, MORE);
	const cursor = findField(places, CURSORS) ?? '';
	if (more === false) return undefined;
	if (typeof cursor === 'number') return String(cursor);
	if (typeof cursor !== 'string') throw unlistable(`no readable cursor among the fields ${fieldNames(answer)}`);
	if (cursor !== '') return cursor;
	if (more === true) throw unlistable('more is said to follow, but not how to get it');
	return undefined;
}

/** The value of the first of these fields that is there; a field named earlier wins wherever it is. */
function findField(places: JsonRecord[], names: string[]): unknown {
	for (const name of names) {
		const place = places.find((candidate) => Object.hasOwn(candidate, name));
		if (place !== undefined) return place[name];
	}
	return undefined;
}

function isListOfRecords(value: unknown): value is JsonRecord[] {
	return Array.isArray(value) && value.every(isRecord);
}

function fieldNames(answer: JsonRecord): string {
	const names = Object.keys(answer).map((name) => `'${name.slice(0, 40)}'`);
	if (names.length === 0) return '(there are none)';
	return names.slice(0, FIELDS_SHOWN).join(', ') + (names.length > FIELDS_SHOWN ? ', …' : '');
}

function unlistable(serviceMessage: string): ApiFailure {
	return new ApiFailure('unlistable', { serviceMessage });
}
