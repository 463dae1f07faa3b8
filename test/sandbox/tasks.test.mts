import { describe, expect, test } from 'vitest';
import { at, call, listAt, refused, sandboxForTests, textLike, type Reply } from './support.mts';

const sandbox = await sandboxForTests({ requestsPerMinute: Infinity });
const { people, teams } = sandbox.organization;
const redline = 'Redline cloud services agreement';

const list = (query = ''): Promise<Reply> => call(sandbox, 'GET', `/tasks${query}`);
const titles = async (query: string): Promise<string[]> =>
	listAt((await list(query)).body, 'tasks').map((task) => at(task, 'title'));
const badParameter = refused(400, 'invalid_request_parameter');

/** Every field that can be set. */
const full = {
	title: 'Full',
	description: 'd',
	additional_context: 'c',
	assigned_to: people.ada,
	assigned_agent: people.ada,
	assigned_team_id: teams.privacy,
	matter_id: people.ada,
	status: 'in_progress',
	priority: 'high',
	complete_by: '2030-01-02T00:00:00.000Z',
	tags: ['a'],
	linked_items: [{ id: '1' }],
};

describe('GET /tasks', () => {
	test('tasks are listed by priority, then due date, then the most recently created', async () => {
		sandbox.tasks.clear();
		const due = (days: number): string => new Date(Date.UTC(2030, 0, days)).toISOString();
		sandbox.tasks.create({ title: 'none, first' });
		sandbox.tasks.create({ title: 'none, second' });
		sandbox.tasks.create({ title: 'low', priority: 'low', complete_by: due(1) });
		sandbox.tasks.create({ title: 'high, undated', priority: 'high' });
		sandbox.tasks.create({ title: 'high, later', priority: 'high', complete_by: due(3) });
		sandbox.tasks.create({ title: 'high, sooner', priority: 'high', complete_by: due(2) });
		sandbox.tasks.create({ title: 'own', priority: 'p0' });
		sandbox.tasks.create({ title: 'urgent', priority: 'urgent' });
		const byDue = ['high, sooner', 'high, later', 'high, undated'];
		expect(await titles('')).toEqual(['urgent', ...byDue, 'low', 'own', 'none, second', 'none, first']);
	});

	test.each([
		['?query=quarter', [redline]],
		['?status=in_progress,completed', [redline, 'File signed lease']],
		[`?involving=${people.ben}`, [redline, 'Answer data subject request', 'Update consultancy template', 'Collect board minutes']],
		[`?team_id=${teams.privacy}`, ['Answer data subject request']],
		['?tags=saas,privacy', [redline, 'Answer data subject request']],
		['?archived=true&draft=true', []],
		['?archived=false&draft=false&priority=low', ['Update consultancy template']],
		['?draft=true&query=nothing', []],
	])('the list of tasks is filtered by %s', async (query, expected) => {
		expect(await titles(query)).toEqual(expected);
	});

	test('the list of tasks is filtered by due date, both ends included', async () => {
		sandbox.tasks.clear();
		for (const day of [1, 2, 3]) {
			sandbox.tasks.create({ title: `day ${day}`, complete_by: new Date(Date.UTC(2030, 0, day)).toISOString() });
		}
		sandbox.tasks.create({ title: 'undated' });
		expect(await titles('?complete_by_from=2030-01-02T00:00:00Z')).toEqual(['day 2', 'day 3']);
		expect(await titles('?complete_by_to=2030-01-02T00:00:00.000Z')).toEqual(['day 1', 'day 2']);
		expect(await titles('?complete_by_from=2030-01-02&complete_by_to=2030-01-02')).toEqual(['day 2']);
	});

	test.each([
		...['?limit=0', '?limit=101', '?limit=ten', '?limit=1.5', '?limit='],
		...['?complete_by_from=soon', '?team_id=legal', '?archived=1', '?draft='],
	])('the list of tasks refuses %s', async (query) => {
		expect(await list(query)).toMatchObject(badParameter);
	});

	test('a page has 20 tasks by default, and the last one a null cursor', async () => {
		sandbox.tasks.clear();
		sandbox.tasks.seed(25);
		const first = (await list()).body;
		expect(listAt(first, 'tasks')).toHaveLength(20);
		const second = (await list(`?cursor=${at(first, 'next_cursor')}`)).body;
		expect(listAt(second, 'tasks')).toHaveLength(5);
		expect(second).toMatchObject({ next_cursor: null });
		expect((await list('?limit=25')).body).toMatchObject({ next_cursor: null });
	});

	test('a cursor is tied to its page size, and one that was not issued is refused', async () => {
		sandbox.tasks.seed(25);
		const cursor = at((await list('?limit=10')).body, 'next_cursor');
		expect(await list(`?limit=10&cursor=${cursor}`)).toMatchObject({ status: 200 });
		expect(await list(`?limit=11&cursor=${cursor}`)).toMatchObject(badParameter);
		expect(await list(`?cursor=${cursor}`)).toMatchObject(badParameter);
		expect(await list(`?limit=10&cursor=${cursor.slice(1)}`)).toMatchObject(badParameter);
		expect(await list('?limit=10&cursor=')).toMatchObject(badParameter);
		expect(await list('?limit=10&cursor=bm90aGluZw')).toMatchObject(badParameter);
	});
});

describe('POST /tasks', () => {
	test('a task is created in the default team, with every field but the additional context', async () => {
		const ignored = { team_id: teams.privacy, visibility: 'private' };
		const reply = await call(sandbox, 'POST', '/tasks', { ...full, draft: true, ...ignored });
		expect(reply.status).toBe(200);
		expect(reply.body).toMatchObject({
			...full,
			additional_context: null,
			draft: true,
			id: textLike(/^[0-9a-f-]{36}$/),
			display_id: textLike(/^LEGAL-\d+$/),
			archived: false,
			team_id: teams.commercial,
			visibility: 'customer',
			assignees: [{ id: people.ada, name: 'Ada Okafor' }, { name: 'Redliner' }],
		});
		expect((await call(sandbox, 'GET', `/tasks/${at(reply.body, 'id')}`)).body).toEqual(reply.body);
	});

	test('a subtask of a task that does not exist is refused', async () => {
		const orphan = { title: 'Orphan', parent_task_id: 'b1c2d3e4-0000-4000-8000-000000000001' };
		expect(await call(sandbox, 'POST', '/tasks', orphan)).toMatchObject(refused(404, 'resource_not_found'));
	});

	test.each([
		{ title: '' },
		{ title: 1 },
		{ title: 'x', assigned_to: 'Ben' },
		{ title: 'x', complete_by: 'tomorrow' },
		{ title: 'x', tags: 'a,b' },
		{ title: 'x', tags: [1] },
		{ title: 'x', linked_items: ['chat'] },
		{ title: 'x', draft: 'yes' },
		{ title: 'x', description: null },
	])('a new task is refused: %j', async (body) => {
		expect(await call(sandbox, 'POST', '/tasks', body)).toMatchObject(refused(400, 'invalid_request_body'));
	});
});

describe('PATCH /tasks/{task_id}', () => {
	const patch = (id: string, body: unknown): Promise<Reply> => call(sandbox, 'PATCH', `/tasks/${id}`, body);
	const created = (): string => sandbox.tasks.create(full).id;

	test.each([{ title: '' }, { assigned_to: 'Ben' }, { tags: 'a' }, { archived: 1 }, [], '{'])(
		'a change of a task is refused: %j',
		async (body) => {
			expect(await patch(created(), body)).toMatchObject(refused(400, 'invalid_request_body'));
		},
	);
});
