import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { InvalidPageError } from '../../../nodes/LegalAi/api/errors.ts';
import { readPage, type Page, type PageSource } from '../../../nodes/LegalAi/api/page.ts';

const LIST_URL = new URL('https://legal-ai.example.com/eu/api/v1/tasks');

const LISTS = ['tasks', 'data', 'items', 'results', 'records', 'entries', 'list', 'values', 'rows', 'content', 'elements'];
const CURSORS = [
	...['next_cursor', 'nextCursor', 'next_page_token', 'nextToken', 'next', 'next-page', 'cursor_next'],
	...['after', 'end_cursor', 'endCursor', 'continuation_token', 'continuationToken', 'page_token', 'cursor'],
];
const HOLDERS = ['pagination', 'meta', 'page_info', 'pageInfo', 'paging', 'page', 'response_metadata', 'cursors'];

const records = fc.array(fc.record({ id: fc.uuid(), title: fc.string() }));

/** A query after a path: under a name that does not tell links from cursors, such a text is a link. */
const READS_LIKE_LINK = /^[^\s?]*\?[^\s=]+=/;

const read = (answer: unknown, source: Partial<PageSource> = {}): Page => readPage(answer, 'tasks', { listUrl: LIST_URL, ...source });

function reasonOf(answer: unknown, source: Partial<PageSource> = {}): string {
	try {
		read(answer, source);
	} catch (error) {
		if (error instanceof InvalidPageError) return error.details.serviceMessage ?? '';
		throw error;
	}
	return 'none';
}

describe('a page of a list', () => {
	test('is the list of the answer itself, rather than one of an object in it', () => {
		const [own, other] = [[{ id: 'own' }], [{ id: 'other' }]];
		for (const answer of [{ data: { tasks: other }, tasks: own }, { tasks: own, result: { tasks: other } }]) {
			expect(read(answer).records).toEqual(own);
		}
	});

	test('is read whatever its list, its cursor and the object about paging are called', () => {
		fc.assert(
			fc.property(
				records,
				fc.constantFrom(...LISTS, 'anything'),
				fc.constantFrom(...CURSORS),
				fc.option(fc.constantFrom(...HOLDERS), { nil: undefined }),
				fc.option(fc.string({ minLength: 1 }).map((text) => `c${text}`), { nil: undefined }),
				fc.boolean(),
				(list, listName, cursorName, holder, cursor, enveloped) => {
					fc.pre(!['next', 'next-page'].includes(cursorName) || !READS_LIKE_LINK.test(cursor ?? ''));
					const paging = { [cursorName]: cursor ?? null };
					const page = { [listName]: list, ...(holder === undefined ? paging : { [holder]: paging }) };
					const { records: found, next, isLast } = read(enveloped ? { data: page } : page);
					expect(found).toEqual(list);
					expect(next).toEqual(cursor === undefined ? undefined : { cursor });
					expect(isLast).toBe(cursor === undefined);
				},
			),
		);
	});

	test.each<[string, object]>([
		['paging.cursors.after', { paging: { cursors: { before: 'b', after: 'c1' } } }],
		['pagination.next.cursor', { pagination: { previous: { cursor: 'p' }, next: { cursor: 'c1' } } }],
		['meta.cursor.next', { meta: { cursor: { current: 'x', next: 'c1', prev: 'p' } } }],
		['page_info, beside the start and a flag', { page_info: { has_next_page: true, start_cursor: 's', end_cursor: 'c1' } }],
		['next_cursor, beside the cursor of the page itself', { cursor: 'this', next_cursor: 'c1' }],
		['next_cursor, beside a link to another host', { next_url: 'https://elsewhere.example.com/api/v1/tasks?cursor=c2', next_cursor: 'c1' }],
		['next, although it begins with a slash', { next: 'c1', first: '/api/v1/tasks' }],
	])('has its cursor at %s', (_place, paging) => {
		expect(read({ tasks: [{}], ...paging }).next).toEqual({ cursor: 'c1' });
	});

	test('has a cursor that looks like an address, where it is called a cursor', () => {
		const cursor = 'https://legal-ai.example.com/?a=b';
		expect(read({ tasks: [{}], next_cursor: cursor }).next).toEqual({ cursor });
		expect(read({ tasks: [{}], next: '/9j/4AAQ+/=' }).next).toEqual({ cursor: '/9j/4AAQ+/=' });
		expect(read({ tasks: [{}], next_cursor: 2 }).next).toEqual({ cursor: '2' });
	});

	test('tells the cursor of the next page from the one that asked for it, although both are called the same', () => {
		const asked = { cursor: '7' };
		expect(read({ tasks: [{}], cursor: 7, pagination: { cursor: 'c2' } }, { asked }).next).toEqual({ cursor: 'c2' });
		expect(read({ tasks: [{}], cursor: '7', pagination: { cursor: null } }, { asked })).toMatchObject({ isLast: true, next: undefined });
		expect(read({ tasks: [{}], cursor: '7' }, { asked }).next).toEqual({ cursor: '7' });
	});

	test.each<[string, object]>([
		['links.next', { links: { self: 'x', next: 'https://legal-ai.example.com/eu/api/v1/tasks?cursor=a%2Bb&limit=5' } }],
		['_links.next.href', { _links: { next: { href: '/eu/api/v1/tasks/?limit=5&cursor=a%2Bb' } } }],
		['links with relations', { links: [{ rel: 'self', href: '/x' }, { rel: 'next', href: '?cursor=a%2Bb&limit=5' }] }],
		['next', { next: '/api/v1/tasks?cursor=a%2Bb&limit=5' }],
		['next_page_url, by another scheme and port', { next_page_url: 'http://legal-ai.example.com:8080/api/v1/tasks?cursor=a%2Bb&limit=5' }],
		['@odata.nextLink', { '@odata.nextLink': 'tasks?cursor=a%2Bb&limit=5' }],
	])('has the query of the link at %s', (_place, paging) => {
		expect(read({ tasks: [{}], ...paging }).next).toEqual({ cursor: 'a+b', limit: '5' });
	});

	test('may have its link in a header', () => {
		expect(read([{ id: '1' }], { nextLink: 'https://legal-ai.example.com/api/v1/tasks?page=2' }).next).toEqual({ page: '2' });
	});

	test('with a link in a header that leads to another host is invalid', () => {
		const nextLink = 'https://elsewhere.example.com/api/v1/tasks?page=2';
		expect(reasonOf({ tasks: [{}] }, { nextLink })).toBe("no readable cursor among the fields 'tasks', 'Link.next'");
	});

	test.each([
		['to another host', { next_url: 'https://elsewhere.example.com/api/v1/tasks?cursor=c' }],
		['to another list', { next_url: '/api/v1/people?cursor=c' }],
		['to nowhere', { next_url: 'https://' }],
	])('with a link %s is invalid', (_where, paging) => {
		expect(reasonOf({ tasks: [{}], ...paging })).toBe("no readable cursor among the fields 'tasks', 'next_url'");
	});

	test('may be the bare list, which leaves open whether there is more', () => {
		expect(read([{ id: '1' }])).toMatchObject({ records: [{ id: '1' }], isLast: false, next: undefined });
		expect(read([]).records).toEqual([]);
		expect(read({ tasks: [], meta: {} })).toMatchObject({ isLast: false, next: undefined });
	});

	test.each([
		...[{ next_cursor: '' }, { next_cursor: null }, { links: { next: null } }, { next_cursor: 'x', has_more: false }],
		...[{ cursor: 'this', next_cursor: null }, { meta: { next: { cursor: null } } }, { page: { last: true }, end_cursor: 'x' }],
	])('with %j is the last one', (paging) => {
		expect(read({ tasks: [], ...paging })).toMatchObject({ isLast: true, next: undefined });
	});

	test.each<[object, object]>([
		[{ total: 5000 }, { total: 5000 }],
		[{ meta: { pagination: { total_count: 7, per_page: 5, total_pages: 2 } } }, { total: 7, pageSize: 5, pageCount: 2 }],
		[{ page: { totalElements: 7, totalPages: 4, size: 2, number: 0 } }, { total: 7, pageCount: 4 }],
		[{ count: 7 }, { total: 7 }],
		[{ count: 1 }, { total: undefined }],
		[{ total: 'many', limit: null }, { total: undefined, pageSize: undefined }],
	])('with %j says how much there is', (paging, said) => {
		expect(read({ tasks: [{}], ...paging })).toMatchObject(said);
	});

	test('has the list of its own name, whatever other lists it has', () => {
		expect(read({ labels: [{ id: 'l' }], data: [{ id: 'd' }], tasks: [] }).records).toEqual([]);
		expect(read({ people: [{ id: 'p' }], data: { tasks: [{ id: 't' }] } }).records).toEqual([{ id: 't' }]);
		expect(read({ warnings: [], data: { items: [{ id: 't' }] } }).records).toEqual([{ id: 't' }]);
	});

	test.each(LISTS)('has its list at %s, beside other lists', (list) => {
		expect(read({ people: [{ id: 'p' }], [list]: [{ id: 't' }] }).records).toEqual([{ id: 't' }]);
	});

	test.each(['data', 'result', 'response', '_embedded'])('may be in an object called %s', (envelope) => {
		expect(read({ [envelope]: { tasks: [{ id: 't' }] } }).records).toEqual([{ id: 't' }]);
	});

	test('with many fields is named by ten of them, and of long names the beginning', () => {
		const unnamed = (count: number): string => reasonOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 0])));
		const ten = "no list among the fields 'f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9'";
		expect(unnamed(10)).toBe(ten);
		expect(unnamed(11)).toBe(`${ten}, …`);
		expect(reasonOf({ ['long'.repeat(20)]: 0 })).toBe(`no list among the fields '${'long'.repeat(10)}'`);
	});

	test('without a list, or with several strange ones, is named by its fields and never taken for an empty list', () => {
		expect(reasonOf({ count: 3, hits: 'none' })).toBe("no list among the fields 'count', 'hits'");
		expect(reasonOf({ a: [{}], b: [{}] })).toBe("no list among the fields 'a', 'b'");
		expect(reasonOf({ people: [{}], data: { legal_tasks: [{}] } })).toMatch(/^no list among the fields/);
		expect(reasonOf({ tasks: ['a', 'b'] })).toBe("no list among the fields 'tasks'");
		expect(reasonOf({ tasks: null })).toBe("no list among the fields 'tasks'");
		expect(reasonOf({})).toBe('no list among the fields none');
		expect(reasonOf('text')).toBe('a response that is not a list');
	});

	test('that has more but no way to it is invalid', () => {
		expect(reasonOf({ tasks: [], has_more: true, next_cursor: null })).toMatch(/there are more records/);
		expect(reasonOf({ tasks: [], meta: { is_last: false } })).toMatch(/there are more records.*'meta\.is_last'/);
		expect(reasonOf({ tasks: [], next: { page: 2 } })).toMatch(/no readable cursor/);
		expect(reasonOf({ tasks: [], next: ['a'] })).toMatch(/no readable cursor/);
	});

	test('is read in no time, whatever its fields are called', () => {
		const names = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${'next'.repeat(200)}${index}`, null]));
		expect(read({ tasks: [], ...names }).isLast).toBe(true);
	});
});
