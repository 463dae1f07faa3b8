import { expect, test } from 'vitest';

import { FilterIgnoredError } from '../../../nodes/LegalAi/api/errors.ts';
import { collect } from '../../../nodes/LegalAi/api/pagination.ts';
import { paginateTasks, type TaskList } from '../../../nodes/LegalAi/api/taskList.ts';
import type { PageQuery } from '../../../nodes/LegalAi/api/pagingInfo.ts';
import { clientOf } from './clients.mts';

interface Flags {
	readonly archived?: unknown;
	readonly draft?: unknown;
}

/** Walks through a list of two tasks a page; gives the numbers of those that come out. */
async function walk(
	tasks: readonly Flags[],
	flags: TaskList['flags'],
	limit = Infinity,
	start?: PageQuery,
): Promise<{ numbers: unknown[]; queries: string[] }> {
	const { client, requests } = clientOf(({ searchParams }) => {
		const from = Number(searchParams.get('cursor') ?? 0);
		const page = tasks.slice(from, from + 2).map((task, index) => ({ ...task, id: String(from + index) }));
		return { body: { tasks: page, next_cursor: from + 2 < tasks.length ? from + 2 : null } };
	});
	const pages = paginateTasks(client, { flags, pageSize: 2, query: { query: 'nda' } }, start);
	const numbers = await collect(pages, limit, ({ id }) => Number(id));
	return { numbers, queries: requests.map(({ search }) => search) };
}

test('a flag is filtered for on every page, beside the other filters', async () => {
	const { numbers, queries } = await walk([{ draft: true }, { draft: true }, { draft: true }], ['draft']);
	expect(numbers).toEqual([0, 1, 2]);
	expect(queries).toEqual(['?query=nda&draft=true&limit=2', '?cursor=2&query=nda&draft=true&limit=2']);
	expect((await walk([{ draft: true, archived: true }], ['archived', 'draft'])).numbers).toEqual([0]);
	expect((await walk([{}], undefined)).queries).toEqual(['?query=nda&limit=2']);
});

test('where the service takes a filter for "these, too", only those come out that were filtered for', async () => {
	const tasks = [{ draft: false }, {}, { draft: true }, { draft: 'true' }, { draft: true }];
	expect((await walk(tasks, ['draft'])).numbers).toEqual([2, 4]);
	expect((await walk(tasks, ['draft'], 1)).queries).toHaveLength(2);
	expect((await walk([{}, { draft: true }], ['draft'])).numbers).toEqual([1]);
	expect((await walk([{ draft: true }, { archived: true }, { archived: true, draft: true }], ['archived', 'draft'])).numbers).toEqual([2]);
});

test.each<[string, readonly Flags[], TaskList['flags'], string]>([
	['ignores the filter', [{ draft: false }, { draft: false }, { draft: false }], ['draft'], 'none of the tasks has "draft": true (3 received)'],
	['does not show the flag', [{}], ['archived'], 'none of the tasks has "archived": true (1 received)'],
	['ignores one of two filters', [{ archived: true }], ['archived', 'draft'], 'none of the tasks has "draft": true (1 received)'],
])('a service that %s is told of', async (_what, tasks, flags, serviceMessage) => {
	const error: unknown = await walk(tasks, flags).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(FilterIgnoredError);
	expect(error).toMatchObject({ details: { serviceMessage } });
});

test('no tasks at all are what was filtered for', async () => {
	expect((await walk([], ['draft'])).numbers).toEqual([]);
});

test('the pages that are left of a list may show nothing of what was filtered for', async () => {
	expect((await walk([{ draft: true }, {}, {}], ['draft'], Infinity, { cursor: '2' })).numbers).toEqual([]);
});
