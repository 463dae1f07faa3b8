import { responseDetails } from '../messages/responseDetails';
import { fillText } from '../messages/template';
import { InvalidPageError } from './errors';
import { isRecord, type JsonRecord } from './json';
import { pageFields, readPagingInfo, type PageField, type PageQuery, type PagingInfo, type PlaceInList } from './pagingInfo';

/** One page of a list. */
export interface Page extends Pick<PagingInfo, 'total' | 'pageCount' | 'pageSize'> {
	records: JsonRecord[];
	/** How to ask for the next page; absent if the page names none. */
	next?: PageQuery;
	/** Whether the page says that it is the last one. */
	isLast: boolean;
	/** What the page has, for the text of an error. */
	fieldNames: string;
}

/** Where a page came from. */
export interface PageSource extends PlaceInList {
	/** The address of the next page, if the response has a header with it. */
	nextLink?: string;
}

/** The objects that services put around a page. */
const ENVELOPES = ['data', 'result', 'response', '_embedded'];
const LISTS = ['data', 'items', 'results', 'records', 'entries', 'list', 'values', 'rows', 'content', 'elements'];

const FIELDS_SHOWN = 10;
const MAX_NAME_LENGTH = 40;

/**
 * Reads a page whose shape the specification leaves open. The list is the answer itself, or the array of objects under
 * its own name or a usual one, or the only one there is, in the answer or in an object around the page.
 *
 * @param name the list's own name, e.g. `tasks`
 * @throws {InvalidPageError} if no list is found, or no way to the next page although there is one
 */
export function readPage(answer: unknown, name: string, { listUrl, nextLink, asked }: PageSource): Page {
	const header = nextLink === undefined ? [] : [{ path: ['Link', 'next'], value: nextLink }];
	const fields = [...(isRecord(answer) ? pageFields(answer) : []), ...header];
	const records = isListOfRecords(answer) ? answer : isRecord(answer) ? findList(answer, name) : undefined;
	const fieldNames = namesOf(fields);
	if (records === undefined) {
		throw invalidPage(isRecord(answer) ? fillText(responseDetails.listNotFound, { fields: fieldNames }) : responseDetails.notList);
	}

	const { next, hasMore, ...sizes } = readPagingInfo(fields, { listUrl, asked }, records.length);
	const page = { records, fieldNames, ...sizes };
	if (hasMore === true && (next === 'none' || next === undefined)) {
		throw invalidPage(fillText(responseDetails.nextPageUnknown, { fields: fieldNames }));
	}
	if (hasMore === false || next === 'none') return { ...page, next: undefined, isLast: true };
	if (next === 'unreadable') throw invalidPage(fillText(responseDetails.cursorUnreadable, { fields: fieldNames }));
	return { ...page, next, isLast: false };
}

function findList(answer: JsonRecord, name: string): JsonRecord[] | undefined {
	const levels = [answer, ...ENVELOPES.map((field) => answer[field]).filter(isRecord)];
	const named = [name, ...LISTS].flatMap((field) => levels.map((level) => level[field])).find(isListOfRecords);
	if (named !== undefined) return named;
	const lists = levels.flatMap((level) => Object.values(level)).filter(isListOfRecords);
	return lists.length === 1 ? lists[0] : undefined;
}

function isListOfRecords(value: unknown): value is JsonRecord[] {
	return Array.isArray(value) && value.every(isRecord);
}

function namesOf(fields: PageField[]): string {
	if (fields.length === 0) return 'none';
	const names = fields.map(({ path }) => `'${path.join('.').slice(0, MAX_NAME_LENGTH)}'`);
	return names.slice(0, FIELDS_SHOWN).join(', ') + (names.length > FIELDS_SHOWN ? ', …' : '');
}

function invalidPage(serviceMessage: string): InvalidPageError {
	return new InvalidPageError({ serviceMessage });
}
