import { expect, test } from 'vitest';

import { collect } from '../../../nodes/LegalAi/api/pagination.ts';
import { paginateTasks, readTask, type TaskList } from '../../../nodes/LegalAi/api/tasks.ts';
import { clientOf } from './clients.mts';

const task = { id: 't', title: 'Review' };

test.each([task, { task }, { data: task }, { id: '', data: task }])('a task is read from %j', (answer) => {
	expect(readTask(answer)).toEqual(task);
});

test.each([undefined, [], [task], {}, { id: 7 }, { other: task }, { data: { task } }])('no task is read from %j', (answer) => {
	expect(() => readTask(answer)).toThrow('invalidResponse');
});

/** Walks through a list of two tasks a page; gives the numbers of those that come out. */
async function walk(tasks: readonly object[], flags?: TaskList['flags'], limit = Infinity): Promise<{ numbers: unknown[]; queries: string[] }> {
	const { client, requests } = clientOf(({ searchParams }) => {
		const from = Number(searchParams.get('cursor') ?? 0);
		const page = tasks.slice(from, from + 2).map((task, index) => ({ ...task, id: String(from + index) }));
		return { body: { tasks: page, next_cursor: from + 2 < tasks.length ? from + 2 : null } };
	});
	const numbers = await collect(paginateTasks(client, { flags, pageSize: 2, query: { query: 'nda' } }), limit, ({ id }) => Number(id));
	return { numbers, queries: requests.map(({ search }) => search) };
}

test('a flag is filtered for on every page, beside the other filters', async () => {
	const { numbers, queries } = await walk([{ draft: true }, {}, { draft: true }], ['draft']);
	expect(numbers).toEqual([0, 1, 2]);
	expect(queries).toEqual(['?query=nda&draft=true&limit=2', '?query=nda&draft=true&cursor=2&limit=2']);
	expect((await walk([{ draft: false }])).queries).toEqual(['?query=nda&limit=2']);
});

test('a task that says that it lacks a flag is an error, on any page', async () => {
	const error: unknown = await walk([{ archived: true, draft: true }, {}, { archived: true, draft: false }], ['archived', 'draft']).catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ kind: 'filterIgnored' });
	expect(error).toMatchObject({ details: { serviceMessage: 'a task with "draft": false was returned' } });
});
