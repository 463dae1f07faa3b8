import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { collect, paginate, type List } from '../../../nodes/LegalAi/api/pagination.ts';
import { startClient, type Respond } from '../../support/clients.mts';

type Numbered = Record<string, unknown>[];

const numbered = (from: number, to: number): Numbered =>
	Array.from({ length: to - from }, (_, index) => ({ id: String(from + index) }));
const full = numbered(0, 100);

/** Reads a list of tasks with 100 a page, unless told otherwise. */
async function walk(respond: Respond, list: Partial<List> = {}, limit = Infinity) {
	const { client, sent } = await startClient({ reply: respond });
	const ids = await collect(
		paginate(client, { name: 'tasks', pageSize: 100, ...list }),
		limit,
		({ id }) => id,
	);
	return { ids, requests: sent.map(({ url }) => new URL(url)) };
}

/** How many records a list has that is answered so, whatever is asked for. */
async function countRecords(body: unknown) {
	return (await walk(() => ({ body }))).ids.length;
}

async function findError(respond: Respond) {
	const error: unknown = await walk(respond).catch((thrown: unknown) => thrown);
	if (error instanceof ApiError && error.kind === 'invalidPage') return error.details;
	throw new Error('The list was read', { cause: error });
}

/** The n-th page of so many records, by a cursor that is a number. */
const paged =
	(total: number, around: (next: number | null, records: Numbered) => unknown): Respond =>
	({ searchParams }) => {
		const from = Number(searchParams.get('cursor') ?? 0);
		const to = Math.min(from + Number(searchParams.get('limit') ?? 30), total);
		return { body: around(to < total ? to : null, numbered(from, to)) };
	};

describe('the records of a page', () => {
	const [own, other] = [[{ id: 'own' }], [{ id: 'other' }, { id: 'other, too' }]];

	test.each<[string, unknown]>([
		['the answer itself', own],
		['under the own name, before a usual one', { data: other, tasks: own }],
		['under data', { data: own }],
		['under items, within data', { data: { items: own, other } }],
		['under results', { results: own, other }],
		['the only list of objects', { anything: own, warnings: ['none'], meta: {} }],
		['the only list of objects, beside a usual name without one', { agents: own, data: null }],
	])('are %s', async (_where, answer) => {
		expect(await countRecords(answer)).toBe(1);
	});

	test.each([
		{ answer: { data: null } },
		{ answer: { data: { tasks: null }, next_cursor: null } },
		{ answer: { tasks: null, warnings: other } },
		{ answer: { tasks: [] } },
		{ answer: [] },
	])('can be empty: $answer', async ({ answer }) => {
		expect(await countRecords(answer)).toBe(0);
	});

	test.each([
		[{}, 'no list of records (fields none)'],
		[{ error_log: 'x', data: { a: 1 } }, "no list of records (fields 'error_log', 'data', 'a')"],
		[{ one: own, two: other }, "no list of records (fields 'one', 'two')"],
		[
			{ _embedded: { tasks: own }, warnings: [] },
			"no list of records (fields '_embedded', 'tasks', 'warnings')",
		],
		[['text'], 'no list of records (fields none)'],
	])('are not guessed in %j', async (answer, reason) => {
		expect((await findError(() => ({ body: answer }))).said).toBe(reason);
	});
});

test('a record that is on two pages, as the list has shifted in between, counts once, toward a limit as well', async () => {
	const shifted: Respond = ({ searchParams }) => ({
		body: searchParams.has('cursor')
			? { tasks: numbered(1, 5) }
			: { tasks: numbered(0, 3), next_cursor: '3' },
	});
	expect((await walk(shifted)).ids).toEqual(['0', '1', '2', '3', '4']);
	expect((await walk(shifted, {}, 4)).ids).toEqual(['0', '1', '2', '3']);
});

test.each([undefined, null, ''])('records without an ID (%j) all count', async (id) => {
	const record = { id, name: 'no ID' };
	expect(await countRecords([record, record])).toBe(2);
});

describe('the page that follows', () => {
	const link = (next: number | null) =>
		next && `https://legal-ai.example.com/api/v1/tasks?limit=100&cursor=${next}`;

	test.each<readonly [string, (next: number | null, tasks: Numbered) => unknown]>([
		...[
			'next_cursor',
			'nextCursor',
			'next_page_token',
			'page_token',
			'pageToken',
			'continuation',
			'bookmark',
		].map(
			(name) =>
				[name, (next: number | null, tasks: Numbered) => ({ tasks, [name]: next })] as const,
		),
		[
			'cursor, with has_more',
			(next, tasks) => ({ tasks, page: { cursor: next ?? 'this', has_more: next !== null } }),
		],
		[
			'next_cursor, beside the cursor of the page itself',
			(next, tasks) => ({ tasks, cursor: next && 'this', next_cursor: next }),
		],
		[
			'after, three levels down',
			(next, tasks) => ({ data: { tasks, paging: { cursors: { after: next, before: 'A' } } } }),
		],
		['next, an address', (next, tasks) => ({ tasks, links: { next: link(next), self: link(7) } })],
		['next, a relative address', (next, tasks) => ({ tasks, next: next && `?cursor=${next}` })],
		['next, a path', (next, tasks) => ({ tasks, next: next && `/tasks?cursor=${next}#top` })],
		[
			'endCursor with hasNextPage alone in camel case',
			(next, tasks) => ({ tasks, pageInfo: { endCursor: next ?? 9, hasNextPage: next !== null } }),
		],
		[
			'next.cursor',
			(next, tasks) => ({ tasks, next: next && { cursor: next }, hasMore: next !== null }),
		],
	])('is found by %s', async (_way, around) => {
		for (const total of [250, 200]) {
			const { ids, requests } = await walk(paged(total, around), {
				query: { status: 'open', tags: undefined },
			});
			expect(ids).toEqual(numbered(0, total).map(({ id }) => id));
			expect(requests.map(({ search }) => search)).toEqual([
				'?status=open&limit=100',
				'?status=open&cursor=100&limit=100',
				...(total === 250 ? ['?status=open&cursor=200&limit=100'] : []),
			]);
		}
	});

	test('is found by a cursor whatever characters it has', async () => {
		for (const cursor of ['/9j/4AAQ+/=', 'a b', '0', 'https', 'é']) {
			const { requests } = await walk(({ searchParams }) => ({
				body: searchParams.has('cursor') ? [] : { tasks: full, next_cursor: cursor },
			}));
			expect(requests[1]?.searchParams.get('cursor')).toBe(cursor);
		}
	});

	test.each([
		{},
		{ next_cursor: null, total: 5000 },
		{ has_more: false, total_count: 5000 },
		{ has_more: false, next_cursor: 'c' },
		{ total_ms: 5000, total_overdue: 700, total_pages: 9, subtotal: 5000, count: 5000 },
		{ more_info: true, no_more: true, created_after: 'A', after_date: 'B' },
		{ self: 'https://legal-ai.example.com/api/v1/tasks?limit=100', links: { first: '/tasks' } },
		{ next_page: null, next_id: '', continuation: false, bookmark: [] },
		{ has_more: null, more: '', total: '', total_count: null },
		{ total: '100' },
		{ next_cursor: null, total: '5000' },
		{
			prev_cursor: 'A',
			previous_token: 'B',
			request_token: 'D',
			next_request: 'E',
			syncCursor: 'F',
		},
		{ _links: { self: { href: '/api/v1/tasks?cursor=1' } }, cursors: { before: 'A' } },
	])('does not exist if a full page says %j', async (said) => {
		expect(await countRecords({ tasks: full, ...said })).toBe(100);
		expect(await countRecords({ data: full, meta: said })).toBe(100);
	});

	test.each<[object, string]>([
		[
			{ has_more: true },
			"there are more records, but no cursor to get them (fields 'tasks', 'has_more')",
		],
		...['hasMore', 'hasNext', 'has_next_page', 'more'].map((name): [object, string] => [
			{ pageInfo: { [name]: true } },
			'there are more records, but no cursor',
		]),
		...[{ has_more: 1 }, { hasMore: 'true' }, { more: 'false' }, { page: { has_next: [] } }].map(
			(said): [object, string] => [said, 'it is open whether there are more records'],
		),
		[{ next_cursor: null, has_more: 'true' }, 'it is open whether there are more records'],
		[{ total: '101' }, '100 of 101 records arrived'],
		[{ meta: { totalCount: { value: 100 } } }, '100 of NaN records arrived'],
		[{ total: 101 }, '100 of 101 records arrived'],
		[{ totalCount: 5000 }, '100 of 5000 records arrived'],
		[{ meta: { total_count: 101 } }, '100 of 101 records arrived'],
		[
			{ next: 'https://legal-ai.example.com/api/v1/tasks?page=2' },
			'there are more records, but no cursor',
		],
		[{ next_cursor: true }, 'there are more records, but no cursor'],
		[{ _links: { next: { href: '/tasks?page=2' } } }, 'there are more records, but no cursor'],
		[{ next_cursor: '7' }, 'the same cursor a second time'],
	])("can't be requested if each page says %j", async (said, reason) => {
		let count = 0;
		const details = await findError(() => ({
			body: { tasks: numbered(count * 100, ++count * 100), ...said },
		}));
		expect(details.said).toContain(reason);
	});

	test.each([
		['the first page for ever', full],
		['empty pages', []],
	])(
		'is not requested if a service gives %s, although each has a new cursor',
		async (_what, tasks) => {
			let count = 0;
			const details = await findError(() => ({ body: { tasks, next_cursor: ++count } }));
			expect(details.said).toContain('a cursor beside a page with nothing new');
			expect(count).toBeLessThanOrEqual(2);
		},
	);
});

type Around = (here: string | null, next: string | null) => Record<string, unknown>;

/** Three pages of two records each. A page knows its own place by the cursor that it was asked for. */
const threePages =
	(around: Around): Respond =>
	({ searchParams }) => {
		const here = searchParams.get('cursor');
		const page = Number(here?.slice(1) ?? 0);
		const next = page < 2 ? `c${page + 1}` : null;
		return { body: { tasks: numbered(page * 2, page * 2 + 2), ...around(here, next) } };
	};

describe('a page that names its own place', () => {
	test.each<[string, Around]>([
		['cursor beside next_cursor', (cursor, next_cursor) => ({ cursor, next_cursor })],
		['next_cursor before cursor', (cursor, next_cursor) => ({ next_cursor, cursor })],
		['an empty next_cursor at the end', (cursor, next) => ({ cursor, next_cursor: next ?? '' })],
		['cursor beside next', (cursor, next) => ({ cursor, next })],
		[
			'cursor beside an address',
			(cursor, next) => ({ cursor, next: next && `/tasks?cursor=${next}` }),
		],
		['cursor beside after', (cursor, after) => ({ cursor, after })],
		['after beside cursor', (after, cursor) => ({ after, cursor })],
		['cursor beside a bookmark', (cursor, bookmark) => ({ cursor, bookmark })],
		['cursor beside continuation', (cursor, continuation) => ({ cursor, continuation })],
		[
			'page_token beside next_page_token',
			(page_token, next_page_token) => ({ page_token, next_page_token }),
		],
		[
			'pageToken beside nextPageToken',
			(pageToken, nextPageToken) => ({ meta: { pageToken, nextPageToken } }),
		],
		['page_cursor beside next_page', (page_cursor, next_page) => ({ page_cursor, next_page })],
		['current_cursor beside cursor', (current_cursor, cursor) => ({ current_cursor, cursor })],
		[
			'start_cursor beside end_cursor',
			(start_cursor, end_cursor) => ({ page_info: { start_cursor, end_cursor } }),
		],
		[
			'startCursor beside endCursor',
			(here, endCursor) => ({ pageInfo: { startCursor: here ?? 'c0', endCursor } }),
		],
		[
			'first_cursor and last_cursor beside cursor',
			(_here, cursor) => ({ first_cursor: 'c0', last_cursor: 'c2', cursor }),
		],
		[
			'when its cursor expires',
			(cursor, next_cursor) => ({
				cursor_expires_at: '2026-12-01',
				next_cursor_expires: 60,
				cursor,
				next_cursor,
			}),
		],
		['in two places', (cursor, next) => ({ cursor, page: { cursor }, paging: { after: next } })],
		[
			'in an object beside one for the next',
			(here, next) => ({ page: { cursor: here }, next: { cursor: next, limit: 100 } }),
		],
		[
			'in objects by their names',
			(here, next) => ({
				current: { cursor: here ?? 'c0' },
				prev: { cursor: 'c0' },
				next: { cursor: next },
			}),
		],
	])('is read to its end: %s', async (_shape, around) => {
		const { ids, requests } = await walk(threePages(around));
		expect(ids).toEqual(['0', '1', '2', '3', '4', '5']);
		expect(requests.map(({ searchParams }) => searchParams.get('cursor'))).toEqual([
			null,
			'c1',
			'c2',
		]);
	});

	test.each<[string, Around, string]>([
		['nothing else', (here) => ({ cursor: here ?? 'c1' }), 'the same cursor a second time'],
		[
			'it twice',
			(here) => ({ cursor: here ?? 'c1', after: here ?? 'c1' }),
			'the same cursor a second time',
		],
		[
			'it as the next',
			(here) => ({ cursor: 'c2', next_cursor: here ?? 'c1' }),
			'the same cursor a second time',
		],
		[
			'no cursor, and that there is more',
			(cursor) => ({ cursor, next_cursor: null, has_more: true }),
			'but no cursor',
		],
		['an address by number', (cursor) => ({ cursor, next: '/tasks?page=2' }), 'but no cursor'],
	])('is no end of the list if it names %s', async (_shape, around, reason) => {
		expect((await findError(threePages(around))).said).toContain(reason);
	});
});

test('a list that is read from a page in its middle is not said to be cut short', async () => {
	const { client } = await startClient({
		reply: () => ({ body: { tasks: numbered(200, 250), total: 250 } }),
	});
	const pages = paginate(client, { name: 'tasks', pageSize: 100 }, '200');
	expect(await collect(pages, Infinity, ({ id }) => id)).toHaveLength(50);
});
