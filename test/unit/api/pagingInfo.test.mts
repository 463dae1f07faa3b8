import { describe, expect, test } from 'vitest';

import { pageFields, readPagingInfo, type PagingInfo } from '../../../nodes/LegalAi/api/pagingInfo.ts';
import type { JsonRecord } from '../../../nodes/LegalAi/api/json.ts';

const listUrl = new URL('https://legal-ai.example.com/eu/api/v1/tasks');

/** What the fields beside 20 records say. */
const read = (beside: JsonRecord): PagingInfo => readPagingInfo(pageFields(beside), { listUrl }, 20);

describe('the next page is asked for', () => {
	test.each<JsonRecord>([
		...[{ token: 'c1' }, { page_token: 'c1' }, { pagingToken: 'c1' }, { scroll_id: 'c1' }, { next_start: 'c1' }],
		{ next: { task_id: 't1', id_type: 'uuid', cursor: 'c1' } },
		{ success: true, next_cursor: 'c1' },
	])('with the cursor of %j', (beside) => {
		expect(read(beside)).toMatchObject({ next: { cursor: 'c1' }, hasMore: undefined });
	});

	test.each([
		{ link: { next: '?cursor=c1' } },
		{ next_side: '?cursor=c1' },
		{ next: '/eu/api/v1/tasks//?cursor=c1' },
		{ links: [null, '/eu', { href: '/eu' }, { rel: 7, href: '/eu' }, { rel: ['self'], href: '/eu' }, { rel: 'next', href: '?cursor=c1' }] },
		{ links: [{ rel: ['page', 'next'], href: '?cursor=c1' }] },
	])('with the query of the link of %j', (beside) => {
		expect(read(beside).next).toEqual({ cursor: 'c1' });
	});

	test.each(['2026-11-22 10:00?id=7', 'id?after=7 desc', 'https', 'https://'])('with a cursor that is no address, although it is %j', (next) => {
		expect(read({ next }).next).toEqual({ cursor: next });
	});

	test('with an ID that looks like an address', () => {
		expect(read({ next_id: '?after=t7' }).next).toEqual({ cursor: '?after=t7' });
	});

	test.each<JsonRecord>([
		{ next: 'http://legal-ai.example.com/eu/api/v1/tasks/page/2' },
		{ next: 'https://legal-ai.example.com/eu/api/v1/tasks/page/2' },
		{ next_url: '/eu/api/v1/subtasks?cursor=c1' },
		{ links: [{ rel: 'next', url: '?cursor=c1' }] },
	])('in a way that is not known, with %j', (beside) => {
		expect(read(beside).next).toBe('unreadable');
	});
});

describe('that there are more pages', () => {
	test.each([
		...['more', 'has_more', 'isMore', 'next', 'hasNextPage', 'more_results', 'next_page', 'hasMoreItems', 'more_records', 'more_available', 'more_pages'],
		...['truncated', 'isTruncated'],
	])('is said by %s', (name) => {
		expect(read({ [name]: true })).toMatchObject({ hasMore: true, next: undefined });
		expect(read({ [name]: false })).toMatchObject({ hasMore: false, next: undefined });
	});

	test.each(['last', 'is_last', 'lastPage', 'end', 'done', 'isComplete', 'finished', 'exhausted'])('is denied by %s', (name) => {
		expect(read({ [name]: true }).hasMore).toBe(false);
		expect(read({ [name]: false }).hasMore).toBe(true);
	});
});

describe('nothing is said of other pages', () => {
	test.each([
		...['learn_more', 'next_page_cached', 'more_like_this', 'titles_truncated', 'truncated_titles'],
		...['import_done', 'done_by_agent', 'last_page_cached', 'success'],
	])('by a flag called %s', (flag) => {
		expect(read({ [flag]: true }).hasMore).toBeUndefined();
		expect(read({ [flag]: false }).hasMore).toBeUndefined();
	});

	test.each([
		...['created_after', 'after_date', 'marker_color', 'cursor_type', 'csrf_token', 'token_type'],
		...['previous_cursor', 'cursor_before', 'start_cursor', 'first_cursor', 'last_cursor', 'self_cursor', 'current_cursor', 'sync_token'],
	])('by a text called %s', (name) => {
		expect(read({ [name]: 'x' }).next).toBeUndefined();
	});

	test.each([
		...['subtotal', 'unread_count', 'count_unread', 'web_pages', 'pages_read', 'page_count_of_files', 'total_page'],
		...['upload_limit', 'limit_bytes'],
	])('by a number called %s', (name) => {
		expect(read({ [name]: 900 })).toEqual({});
	});

	test.each(['owner', 'user_data', 'database', 'landing_page', 'page_owner'])('by an object called %s', (name) => {
		expect(read({ [name]: { total: 900, next_cursor: 'x', has_more: true } })).toEqual({});
	});
});

describe('how much there is', () => {
	test.each(['pages', 'page_count', 'totalPages', 'total_page_count', 'num_pages', 'number_of_pages'])('is said in pages by %s', (name) => {
		expect(read({ [name]: 900 })).toEqual({ pageCount: 900 });
	});

	test.each(['limit', 'per_page', 'pageSize'])('is said of a full page by %s', (name) => {
		expect(read({ [name]: 900 })).toEqual({ pageSize: 900 });
	});

	test('is looked for in four objects, one in another, and no deeper', () => {
		expect(read({ data: { result: { meta: { pagination: { total: 900 } } } } }).total).toBe(900);
		expect(read({ response: { data: { result: { meta: { pagination: { total: 900 } } } } } }).total).toBeUndefined();
	});
});
