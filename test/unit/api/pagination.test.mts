import { hasKind } from '../../../nodes/LegalAi/api/errors.ts';
import { collect, nextPage, paginate, type List } from '../../../nodes/LegalAi/api/pagination.ts';
import { startClient, type Respond } from '../../support/clients.mts';

type Numbered = Record<string, unknown>[];

const numbered = (from: number, to: number): Numbered =>
	Array.from({ length: to - from }, (_, index) => ({ id: String(from + index) }));
const full = numbered(0, 100);

/** Reads a list of tasks with 100 a page, unless told otherwise. */
async function walk(respond: Respond, list: Partial<List> = {}, limit = Infinity) {
	const { client, sent } = startClient({ reply: respond });
	const ids = await collect(
		paginate(client, { name: 'tasks', pageSize: 100, ...list }),
		limit,
		({ id }) => id,
	);
	return { ids, requests: sent.map(({ url }) => new URL(url)) };
}

/** How many records a list has that is answered so, whatever is asked for. */
async function countOf(body: unknown, list?: Partial<List>) {
	return (await walk(() => ({ body }), list)).ids.length;
}

async function errorOf(respond: Respond, list?: Partial<List>) {
	const error: unknown = await walk(respond, list).catch((thrown: unknown) => thrown);
	if (hasKind(error, 'invalidPage')) return error.details;
	throw new Error('The list was read', { cause: error });
}

const reasonOf = async (body: unknown, list?: Partial<List>) =>
	(await errorOf(() => ({ body }), list)).serviceMessage;

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
		['under results', { results: own }],
		['the only list of objects', { anything: own, warnings: ['none'] }],
	])('are %s', async (_where, answer) => {
		expect(await countOf(answer)).toBe(1);
	});

	test.each([
		{ tasks: null },
		{ data: null },
		{ data: { tasks: null }, next_cursor: null },
		{ tasks: [] },
		[],
	])('can be empty: %j', async (answer) => {
		expect(await countOf(answer)).toBe(0);
	});

	test.each([
		[{}, 'no list among the fields none'],
		[{ error_log: 'x', data: { a: 1 } }, "no list among the fields 'error_log', 'data', 'data.a'"],
		[{ one: own, two: other }, "no list among the fields 'one', 'two'"],
		[
			{ _embedded: { tasks: own }, warnings: [] },
			"no list among the fields '_embedded', 'warnings', '_embedded.tasks'",
		],
		[['text'], 'a response that is not a list'],
	])('are not guessed in %j', async (answer, reason) => {
		expect(await reasonOf(answer)).toBe(reason);
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
	expect(await countOf([{ name: 'no ID' }, { name: 'no ID' }])).toBe(2);
});

describe('the page that follows', () => {
	const link = (next: number | null) =>
		next && `https://legal-ai.example.com/api/v1/tasks?limit=100&cursor=${next}`;

	test.each<[string, (next: number | null, tasks: Numbered) => unknown]>([
		['next_cursor', (next, tasks) => ({ tasks, next_cursor: next })],
		[
			'nextCursor, a string',
			(next, tasks) => ({ tasks, nextCursor: next === null ? '' : String(next) }),
		],
		['next_page_token', (next, tasks) => ({ tasks, next_page_token: next })],
		[
			'next_token, missing at the end',
			(next, tasks) => (next === null ? { tasks } : { tasks, next_token: next }),
		],
		[
			'end_cursor with has_next_page, which counts at the end',
			(next, tasks) => ({
				tasks,
				page_info: { end_cursor: next ?? 9, has_next_page: next !== null },
			}),
		],
		[
			'cursor, with has_more',
			(next, tasks) => ({ tasks, page: { cursor: next ?? 'this', has_more: next !== null } }),
		],
		[
			'next_cursor, beside the cursor of the page itself',
			(next, tasks) => ({ tasks, cursor: null, next_cursor: next }),
		],
		[
			'after, three levels down',
			(next, tasks) => ({ data: { tasks, paging: { cursors: { after: next } } } }),
		],
		['next, an address', (next, tasks) => ({ tasks, links: { next: link(next), self: link(7) } })],
		['next, a relative address', (next, tasks) => ({ tasks, next: next && `?cursor=${next}` })],
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
				body: { tasks: full, next_cursor: searchParams.has('cursor') ? null : cursor },
			}));
			expect(requests[1]?.searchParams.get('cursor')).toBe(cursor);
		}
	});

	test.each([
		{ next_cursor: null, total: 5000 },
		{ has_more: false, total_count: 5000 },
		{ has_more: false, next_cursor: 'c' },
		{ total: 100 },
		{ total_ms: 5000, total_overdue: 700, total_pages: 9, count: 5000 },
		{ warnings: [], elapsed: 7 },
		{
			id: 'a1',
			request_id: 'R1',
			version: 'v1',
			message: 'OK200',
			etag: 'W/"1"',
			generated_at: '2026-01-01T00:00:00Z',
			order: 'priority',
		},
		{
			self: 'https://legal-ai.example.com/api/v1/tasks?limit=100',
			links: { first: '/api/v1/tasks' },
		},
		{ trace: 'A1B2', more_at_url: '/api/v1/tasks?page=2', page: 1 },
		{ next_page: null, next_id: '', continuation: false, bookmark: [] },
		{
			prev_cursor: 'A',
			previous_token: 'B',
			first_marker: 'C',
			start_position: 1,
			request_token: 'D',
			self_next: 'E',
		},
		{ _links: { self: { href: '/api/v1/tasks?cursor=1' } }, cursors: { before: 'A' } },
	])('does not exist if a full page says %j', async (said) => {
		expect(await countOf({ tasks: full, ...said })).toBe(100);
		expect(await countOf({ data: full, meta: said })).toBe(100);
	});

	test('does not exist if a page says nothing about it', async () => {
		expect(await countOf(full)).toBe(100);
		expect(await countOf({ tasks: full })).toBe(100);
		expect(
			await countOf(
				{ playbooks: full, bookmark: 'B1' },
				{ name: 'playbooks', pageSize: undefined },
			),
		).toBe(100);
	});

	test.each<[object, string]>([
		[
			{ has_more: true },
			"there are more records, but no way to get them (fields 'tasks', 'has_more')",
		],
		[{ has_more: true, next_cursor: null }, 'there are more records, but no way to get them'],
		[{ pageInfo: { hasNextPage: true } }, 'there are more records, but no way to get them'],
		[{ totalCount: 5000 }, '100 of 5000'],
		[{ total: 5000 }, '100 of 5000 records arrived, and there is no way to get the others'],
		[{ meta: { total_count: 101 } }, '100 of 101 records arrived'],
		[
			{ next: 'https://legal-ai.example.com/api/v1/tasks?page=2' },
			'no readable cursor among the fields',
		],
		[{ next: 'https://' }, 'no readable cursor'],
		[{ next_cursor: true }, 'no readable cursor'],
		[
			{ bookmark: 'eyJv2' },
			"the page is full, and this node does not know whether 'bookmark' leads to the next one",
		],
		[{ next_page: 2 }, "'next_page' leads to the next one"],
		[{ next_id: '7f3c' }, "'next_id'"],
		[{ meta: { nextPageId: 'a' } }, "'meta.nextPageId'"],
		[{ continuation: 'more' }, "'continuation'"],
		[{ scrollId: 1, syncToken: 'x' }, "'scrollId'"],
		[{ page: { lastMarker: 'x' }, position: 0 }, "'position'"],
		[
			{ _links: { self: { href: '/tasks?page=1' }, next: { href: '/tasks?page=2' } } },
			"'_links.next.href'",
		],
		[{ next: { offset: 100 } }, "'next.offset'"],
	])(
		"can't be requested if a full page says %j, and the error says how many records arrived",
		async (said, reason) => {
			const details = await errorOf(() => ({ body: { tasks: full, ...said } }));
			expect(details.serviceMessage).toContain(reason);
			expect(details.received).toBe(100);
		},
	);

	test('does not exist if a page with an unknown field is not full', async () => {
		expect(await countOf({ tasks: numbered(0, 99), bookmark: 'eyJv2' })).toBe(99);
	});

	test('is not requested if the same cursor comes again, and the list fails', async () => {
		let count = 0;
		const respond: Respond = () => ({
			body: {
				tasks: numbered(count * 100, ++count * 100),
				next_cursor: count % 2 === 0 ? 'b' : 'a',
			},
		});
		expect(await errorOf(respond)).toMatchObject({
			serviceMessage:
				"the same cursor a second time, so the list has no end (fields 'tasks', 'next_cursor')",
			received: 300,
		});
	});

	test('is not needed if the user wants no more records', async () => {
		expect(
			(await walk(() => ({ body: { tasks: full, has_more: true } }), {}, 100)).ids,
		).toHaveLength(100);
	});
});

describe('the next page', () => {
	test('may be the last of many, whatever the service says of them all', async () => {
		const { client } = startClient({
			reply: () => ({ body: { tasks: numbered(200, 250), total: 250 } }),
		});
		expect(
			(await nextPage(paginate(client, { name: 'tasks', pageSize: 100 }, '200'))).records,
		).toHaveLength(50);
	});

	test('is the first one with records if empty pages come before it', async () => {
		const respond: Respond = ({ searchParams }) => {
			const index = Number(searchParams.get('cursor') ?? 0);
			return {
				body: {
					tasks: numbered(index * 10, index * 11),
					next_cursor: index < 3 ? index + 1 : null,
				},
			};
		};
		const { client } = startClient({ reply: respond });
		expect(await nextPage(paginate(client, { name: 'tasks', pageSize: 100 }))).toEqual({
			records: [{ id: '10' }],
			next: '2',
		});
	});
});
