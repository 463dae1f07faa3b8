import { describe, expect, test } from 'vitest';

import { InvalidPageError } from '../../../nodes/LegalAi/api/errors.ts';
import { collect, nextPage, paginate, type List } from '../../../nodes/LegalAi/api/pagination.ts';
import { clientOf, type Respond } from './clients.mts';

type Numbered = Record<string, unknown>[];

const numbered = (from: number, to: number): Numbered => Array.from({ length: to - from }, (_, index) => ({ id: String(from + index) }));

/** A service whose list is read with a page size; what it answers is made from the query. */
async function walk(respond: Respond, list: Partial<List> = {}, limit = Infinity): Promise<{ ids: unknown[]; requests: URL[] }> {
	const { client, requests } = clientOf(respond);
	const ids = await collect(paginate(client, { name: 'tasks', pageSize: 100, ...list }), limit, ({ id }) => id);
	return { ids, requests };
}

async function reasonOf(respond: Respond, list: Partial<List> = {}, limit = Infinity): Promise<string | undefined> {
	const error: unknown = await walk(respond, list, limit).catch((thrown: unknown) => thrown);
	if (error instanceof InvalidPageError) return error.details.serviceMessage;
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

describe('a list', () => {
	test.each<[string, (next: number | null, tasks: Numbered) => unknown]>([
		['next_page_token', (next, tasks) => ({ tasks, next_page_token: next })],
		['end_cursor in page_info with has_next_page', (next, tasks) => ({ tasks, page_info: { end_cursor: next ?? 9, has_next_page: next !== null } })],
		['page.next_cursor', (next, tasks) => ({ tasks, page: { next_cursor: next } })],
		['paging.cursors.after', (next, tasks) => ({ tasks, paging: { cursors: { after: next } } })],
		['links.next', (next, tasks) => ({ tasks, links: { next: next && `https://legal-ai.example.com/api/v1/tasks?limit=100&cursor=${next}` } })],
		['a cursor that the last page does not have', (next, tasks) => (next === null ? { tasks } : { tasks, next_cursor: next })],
	])('whose next page is told by %s is read to its end', async (_way, around) => {
		for (const total of [250, 200]) {
			const { ids, requests } = await walk(paged(total, around));
			expect(ids).toEqual(numbered(0, total).map(({ id }) => id));
			expect(requests.map(({ searchParams }) => searchParams.get('limit'))).toEqual(requests.map(() => '100'));
		}
	});

	test.each(['assistants', 'playbooks', 'templates'] as const)('of %s that comes in pages is read to its end', async (name) => {
		const { ids } = await walk(paged(75, (next, data) => ({ data, meta: { next_cursor: next } })), { name, pageSize: undefined });
		expect(ids).toHaveLength(75);
	});

	test('is filtered the same way on every page, with links that say only where it goes on', async () => {
		const around = (next: number | null, tasks: Numbered): unknown => ({ tasks, next: next && `?cursor=${next}` });
		const { requests } = await walk(paged(250, around), { query: { status: 'open', tags: undefined } });
		expect(requests.map(({ search }) => search)).toEqual([
			'?status=open&limit=100',
			'?cursor=100&status=open&limit=100',
			'?cursor=200&status=open&limit=100',
		]);
	});

	test('may begin with the same records on each page', async () => {
		const respond = paged(250, (next, tasks) => ({ tasks: [{ id: 'pinned' }, { id: 'pinned, too' }, ...tasks], next_cursor: next }));
		expect((await walk(respond)).ids).toHaveLength(256);
	});

	test('may have records without IDs', async () => {
		const respond = paged(250, (next, tasks) => ({ tasks: tasks.map(({ id }) => ({ name: id })), next_cursor: next }));
		expect((await walk(respond)).ids).toHaveLength(250);
	});

	test('may say how many pages it has', async () => {
		expect((await walk(() => ({ body: { tasks: numbered(0, 50), total_pages: 1 } }))).ids).toHaveLength(50);
	});

	test.each([
		['tasks', 'taskList'],
		['assistants', 'other'],
	] as const)('of %s that is not there says what it is about', async (name, subject) => {
		const methods: unknown[] = [];
		const respond: Respond = (_url, { method }) => {
			methods.push(method);
			return { status: 404, body: '' };
		};
		await expect(walk(respond, { name })).rejects.toMatchObject({ details: { subject } });
		expect(new Set(methods)).toEqual(new Set(['GET']));
	});

	test('ends with a short page that says nothing about paging', async () => {
		expect((await walk(() => ({ body: { tasks: numbered(0, 99) } }))).ids).toHaveLength(99);
		expect((await walk(() => ({ body: numbered(0, 30) }), { name: 'assistants', pageSize: undefined })).ids).toHaveLength(30);
	});

	test('ends with a page whose header links only to the pages before it', async () => {
		const link = '<https://legal-ai.example.com/api/v1/tasks?page=1>; rel="prev"';
		expect((await walk(() => ({ body: numbered(0, 20), headers: { link } }))).ids).toHaveLength(20);
	});

	test('ends with a full page that is all there is', async () => {
		for (const said of [{ total: 100 }, { meta: { total_count: 99 } }, { has_more: false }, { next: null }]) {
			expect((await walk(() => ({ body: { tasks: numbered(0, 100), ...said } }))).ids).toHaveLength(100);
		}
	});

	test('may have pages that filters have left empty', async () => {
		const pages = [0, 0, 3, 0, 2];
		const respond: Respond = ({ searchParams }) => {
			const index = Number(searchParams.get('cursor') ?? 0);
			const tasks = numbered(index * 100, index * 100 + (pages[index] ?? 0));
			return { body: { tasks, next_cursor: index + 1 < pages.length ? index + 1 : null } };
		};
		expect((await walk(respond)).ids).toHaveLength(5);
	});

	test('may grow or shrink while it is read', async () => {
		for (const change of [1, -1]) {
			const around = (next: number | null, tasks: Numbered): unknown => ({ tasks, next, total: 250 + (next === null ? change : 0) });
			expect((await walk(paged(250, around))).ids).toHaveLength(250);
		}
	});
});

describe('a list is not taken for complete', () => {
	const full = numbered(0, 100);

	test.each<[object, string]>([
		[{ total: 5000 }, '100 of 5000 records arrived'],
		[{ count: 5000, next: null }, '100 of 5000 records arrived'],
		[{ total_pages: 50 }, '1 of 50 pages arrived'],
		[{ has_more: true }, 'there are more records, but no way to get them'],
		[{ next_url: 'https://elsewhere.example.com/api/v1/tasks?cursor=x' }, 'no readable cursor'],
		[{ warnings: [], elapsed: 7 }, "a full page that does not say whether there are more (fields 'tasks', 'warnings', 'elapsed')"],
	])('with a full first page and %j', async (said, reason) => {
		expect(await reasonOf(() => ({ body: { tasks: full, ...said } }))).toContain(reason);
	});

	test('with a full page that is a bare list', async () => {
		expect(await reasonOf(() => ({ body: full }))).toBe('a full page that does not say whether there are more (fields none)');
	});

	test('with a full page of a list that says itself how long its pages are', async () => {
		expect(await reasonOf(() => ({ body: { assistants: numbered(0, 20), limit: 20 } }), { name: 'assistants', pageSize: undefined })).toContain('a full page');
	});

	test('but its first records come out if no more are wanted', async () => {
		expect((await walk(() => ({ body: full }), {}, 100)).ids).toHaveLength(100);
	});
});

describe('a list that has no end is told from one that is long', () => {
	test('by a cursor that comes back', async () => {
		const reason = await reasonOf(paged(250, (_next, tasks) => ({ tasks, next_cursor: 'again' })));
		expect(reason).toBe("the same cursor a second time, so the list has no end (fields 'tasks', 'next_cursor')");
	});

	test('by a cursor that comes back after another', async () => {
		let count = 0;
		const respond: Respond = () => ({ body: { tasks: numbered(count * 100, ++count * 100), next_cursor: count % 2 === 0 ? 'b' : 'a' } });
		expect(await reasonOf(respond)).toContain('the same cursor a second time');
		expect(count).toBe(3);
	});

	test('by a page that gives its own cursor for the next one', async () => {
		const respond: Respond = ({ searchParams }) => ({ body: { tasks: numbered(0, 1), cursor: searchParams.get('cursor') ?? 'c1' } });
		expect(await reasonOf(respond)).toMatch(/a second time/);
	});

	test('by a first page that comes again with an ever fresh cursor, of which nothing is put out twice', async () => {
		let count = 0;
		const respond: Respond = () => ({ body: { tasks: numbered(0, 20), next_cursor: `fresh ${count++}` } });
		expect(await reasonOf(respond, {}, 50)).toContain('the first page a second time');
		expect(count).toBe(2);
	});

	test('by a first page that comes again with one of its fields changed', async () => {
		let count = 0;
		const respond: Respond = () => ({ body: { tasks: numbered(0, 20).map((task) => ({ ...task, seen_at: count })), next_cursor: `fresh ${count++}` } });
		expect(await reasonOf(respond, {}, 50)).toContain('the first page a second time');
	});

	test('by empty pages with ever fresh cursors, although only 5 records are wanted', async () => {
		let count = 0;
		const respond: Respond = () => ({ body: { tasks: [], next_cursor: `fresh ${count++}` } });
		expect(await reasonOf(respond, {}, 5)).toContain('50 empty pages in a row');
		expect(count).toBe(51);
	});
});

describe('the next page', () => {
	const around = (next: number | null, tasks: Numbered): unknown => ({ tasks, next });

	test('has records, and how to go on', async () => {
		const { client } = clientOf(paged(250, around));
		const list: List = { name: 'tasks', pageSize: 100 };
		const first = await nextPage(paginate(client, list));
		const second = await nextPage(paginate(client, list, first.next));
		const third = await nextPage(paginate(client, list, second.next));
		expect([first, second, third].map(({ records }) => records.length)).toEqual([100, 100, 50]);
		expect(third.next).toBeUndefined();
	});

	test('is not an empty one that leads on', async () => {
		const respond: Respond = ({ searchParams }) => {
			const index = Number(searchParams.get('cursor') ?? 0);
			return { body: { tasks: numbered(index * 10, index * 11), next_cursor: index < 3 ? index + 1 : null } };
		};
		const { client } = clientOf(respond);
		const { records, next } = await nextPage(paginate(client, { name: 'tasks', pageSize: 100 }));
		expect(records).toEqual([{ id: '10' }]);
		expect(next).toEqual({ cursor: '2' });
	});

	test('may be the last of many, whatever the service says of them all', async () => {
		const { client } = clientOf(paged(250, (next, tasks) => ({ tasks, next, total: 250, total_pages: 3 })));
		const { records } = await nextPage(paginate(client, { name: 'tasks', pageSize: 100 }, { cursor: '200' }));
		expect(records).toHaveLength(50);
	});

	test('that leaves open whether it is the last is not passed off as it', async () => {
		const { client } = clientOf(() => ({ body: numbered(0, 100) }));
		await expect(nextPage(paginate(client, { name: 'tasks', pageSize: 100 }))).rejects.toThrow(InvalidPageError);
	});
});
