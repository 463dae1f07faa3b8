import { isRecord, type JsonRecord } from './json';

/** Parameters that, added to the query of a list, ask for another of its pages. */
export type PageQuery = Readonly<Record<string, string>>;

/** What a page says of those that follow, as far as it says anything. */
export interface PagingInfo {
	/** How to ask for the next page; `none` if the page says that there is none, `unreadable` if it is not clear how. */
	next?: PageQuery | 'none' | 'unreadable';
	/** Whether more follow. */
	hasMore?: boolean;
	/** How many records all pages have together. */
	total?: number;
	/** How many pages there are. */
	pageCount?: number;
	/** How many records a full page has. */
	pageSize?: number;
}

/** Something beside the records of a page, and the names that lead to it. */
export interface PageField {
	path: string[];
	value: unknown;
}

/** Objects about paging, or around the page. All names here are in small letters, without signs between the words. */
const HOLDER =
	/^(data|result|response|embedded|page|paging|pagination|pageinfo|paginginfo|meta|metadata|responsemetadata|cursors?|links?|next)$/;
const MAX_DEPTH = 4;

const MORE = /^(has|is)?(more|next)(page|pages|results|items|records|available)?$|^(is)?truncated$/;
const LAST = /^(is)?(last|lastpage|end|done|complete|finished|exhausted)$/;
const TOTAL = /^total(?!page)/;
/** May mean this page alone. */
const COUNT = /^count$/;
const PAGE_COUNT = /^(total|num|number)?(of)?(pages|pagecount)$/;
const PAGE_SIZE = /^(limit|perpage|pagesize)$/;

/** What leads to the next page, the surest names first: the last ones may also mean the page itself. */
const NEXT = [
	/next/,
	/^(after|aftercursor|cursorafter|endcursor|bookmark|marker|scrollid)$|continuation/,
	/cursor$|^(page|paging)?token$/,
];
const INSIDE_NEXT = /^(cursor|token|after|id|key|href|url|uri|link)$/;
const OTHER_PAGE = /sync|^(?!.*next).*(prev|before|start|first|last|self|current)/;
const CURSOR_NAME = /cursor|token|after|marker|bookmark|continuation|id$/;
const LINK_NAME = /url|uri|link|href/;
/** An absolute address, or a relative one with a query: a cursor may begin with a slash, too. */
const LINK = /^(https?:\/\/\S+|[^\s?]*\?[^\s=]+=\S*)$/;

/** The list that a page is of, and where in it the page is. */
export interface PlaceInList {
	/** The address of the list, which links to its pages lead to. */
	listUrl: URL;
	/** What asked for this page among the others of the list. */
	asked?: PageQuery;
}

/** What may say something about paging beside the records: fields of the page, and of objects about paging or around it. */
export function pageFields(record: JsonRecord, path: string[] = []): PageField[] {
	return Object.entries(record).flatMap(([name, value]) => {
		const field = { path: [...path, name], value };
		if (path.length >= MAX_DEPTH || !HOLDER.test(plain(name))) return [field];
		if (Array.isArray(value)) return [field, ...linksByRelation(value, field.path)];
		return isRecord(value) ? [field, ...pageFields(value, field.path)] : [field];
	});
}

/**
 * Reads what the fields of a page say about paging.
 *
 * @param recordCount how many records the page has
 */
export function readPagingInfo(fields: PageField[], page: PlaceInList, recordCount: number): PagingInfo {
	const flag = fields.find(({ path, value }) => typeof value === 'boolean' && (MORE.test(leaf(path)) || LAST.test(leaf(path))));
	const count = readNumber(fields, COUNT) ?? 0;
	return {
		next: readNext(fields, page),
		hasMore: flag && flag.value === MORE.test(leaf(flag.path)),
		total: readNumber(fields, TOTAL) ?? (count > recordCount ? count : undefined),
		pageCount: readNumber(fields, PAGE_COUNT),
		pageSize: readNumber(fields, PAGE_SIZE),
	};
}

function readNext(fields: PageField[], { listUrl, asked = {} }: PlaceInList): PagingInfo['next'] {
	const isOwn = ({ value }: PageField): boolean => Object.values(asked).includes(String(value));
	for (const names of NEXT) {
		const alike = fields.filter((field) => leadsOn(field, names));
		if (alike.length === 0) continue;
		// Beside what leads on may stand what led here, under the same name.
		const said = alike.every(isOwn) ? alike : alike.filter((field) => !isOwn(field));
		const given = said.filter(({ value }) => value !== null && value !== '');
		if (given.length === 0) return 'none';
		const queries = given.map((field) => readQuery(field, listUrl));
		return queries.find((query) => query !== undefined) ?? 'unreadable';
	}
	return undefined;
}

function leadsOn({ path, value }: PageField, names: RegExp): boolean {
	if (typeof value === 'boolean') return false;
	if (plain(path.at(-2)) === 'next') return true;
	// What such an object holds has fields of its own.
	if (isRecord(value) && HOLDER.test(leaf(path))) return false;
	return names.test(leaf(path)) && !OTHER_PAGE.test(leaf(path));
}

function readQuery({ path, value }: PageField, listUrl: URL): PageQuery | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const name = leaf(path);
	if (plain(path.at(-2)) === 'next' && !INSIDE_NEXT.test(name)) return undefined;
	const text = String(value);
	const isLink = LINK_NAME.test(name) || (LINK.test(text) && !CURSOR_NAME.test(name));
	return isLink ? queryOfLink(text, listUrl) : { cursor: text };
}

/**
 * Pages are asked for at the list's own address, with the query that the link has. So the key goes nowhere else, and a
 * service that knows itself by another scheme, port or folder than the one it is reached by is understood, too.
 */
function queryOfLink(link: string, listUrl: URL): PageQuery | undefined {
	if (!URL.canParse(link, listUrl.href)) return undefined;
	const url = new URL(link, listUrl.href);
	const [own, its] = [listUrl, url].map(({ pathname }) => pathname.split('/').filter(Boolean).at(-1));
	return url.hostname === listUrl.hostname && its === own ? Object.fromEntries(url.searchParams) : undefined;
}

/** `[{ "rel": "next", "href": … }]`, or with a list of relations, as fields by their relations. */
function linksByRelation(links: unknown[], path: string[]): PageField[] {
	return links.filter(isRecord).flatMap(({ rel, href }) => {
		const relations = [rel].flat().filter((relation) => typeof relation === 'string');
		return relations.map((relation) => ({ path: [...path, relation], value: href }));
	});
}

function readNumber(fields: PageField[], names: RegExp): number | undefined {
	const found = fields.find(({ path, value }) => typeof value === 'number' && names.test(leaf(path)));
	return found === undefined ? undefined : Number(found.value);
}

function leaf(path: string[]): string {
	return plain(path.at(-1));
}

/** A name without the signs and capitals by which services tell its words apart. */
function plain(name = ''): string {
	return name.toLowerCase().replace(/[^a-z]/g, '');
}
