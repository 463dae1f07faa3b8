import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { runNode, type NodeRun, type NodeRunOptions } from '../support/engine/engine.mts';
import { sandboxOfFile } from '../support/lifetimes.mts';

const sandbox = await sandboxOfFile({ requestsPerMinute: Infinity });

const list = async (
	parameters: INodeParameters,
	options: Omit<Partial<NodeRunOptions>, 'parameters'> = {},
): Promise<NodeRun> =>
	await runNode({ sandbox, parameters: { resource: 'task', operation: 'getAll', ...parameters }, ...options });

const queries = (): unknown[] => sandbox.requests.map(({ query }) => query);

const titles = ({ json }: NodeRun): unknown[] => json.map(({ title }) => title);

/** What the list of the service has, in its order. */
const expected = (): string[] =>
	sandbox.tasks.ordered().filter(({ draft, archived }) => !draft && !archived).map(({ title }) => title);

describe('task: get many', () => {
	const cursor: unknown = expect.any(String);

	test.each<[limit: number, pageSize: number, pages: object[]]>([
		[7, 100, [{ limit: '7' }]],
		[100, 100, [{ limit: '100' }]],
		[120, 50, [{ limit: '50' }, { limit: '50', cursor }, { limit: '50', cursor }]],
	])('fetches no more than a limit of %i needs, with one page size on every page', async (limit, pageSize, pages) => {
		sandbox.tasks.seed(300);
		expect(titles(await list({ limit, options: { pageSize } }))).toEqual(expected().slice(0, limit));
		expect(queries()).toEqual(pages);
	});

	test('walks 10,000 tasks in 100 pages, each once and in order', async () => {
		sandbox.tasks.clear();
		sandbox.tasks.seed(10_000);
		const { json, items } = await list({ returnAll: true });

		expect(sandbox.requests).toHaveLength(100);
		expect(json.map(({ title }) => title)).toEqual(expected());
		expect(new Set(json.map(({ id }) => id)).size).toBe(10_000);
		expect(Object.keys(json[0] ?? {})).toHaveLength(10);
		expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
	}, 30_000);

	test('sends the filters under the API\'s names', async () => {
		const { people, teams } = sandbox.organization;
		const { json, error } = await list({
			returnAll: true,
			filters: {
				query: 'request',
				status: 'open, in_progress ',
				priority: 'high',
				assignedTo: '',
				involving: people.ben,
				teamId: teams.privacy,
				tags: '={{ ["privacy", "other"] }}',
				completeByFrom: '2020-01-01',
				completeByTo: '2099-01-01',
				archived: false,
				draft: '',
			},
		}, { settings: { timezone: 'Asia/Tokyo' } });

		expect(error).toBeUndefined();
		expect(queries()).toEqual([{
			query: 'request',
			status: 'open,in_progress',
			priority: 'high',
			involving: people.ben,
			team_id: teams.privacy,
			tags: 'privacy,other',
			complete_by_from: '2019-12-31T15:00:00.000Z',
			complete_by_to: '2099-01-01T14:59:59.999Z',
			limit: '100',
		}]);
		expect(json).toMatchObject([{ title: 'Answer data subject request' }]);
	});

	test.each([
		['archived', 'Old trademark search'],
		['draft', 'Triage: marketing claims'],
	])('lists the tasks that are %s, and only those', async (flag, title) => {
		const run = await list({ limit: 1, filters: { [flag]: true }, options: { pageSize: 5 } });
		expect(titles(run)).toEqual([title]);
		expect(queries()).toEqual([{ [flag]: 'true', limit: '5' }]);
		expect((await list({ filters: { archived: true, draft: true } })).json).toEqual([]);
	});

	describe('if the service takes "drafts" for "drafts, too"', () => {
		const answers = (...pages: object[][]): void => {
			for (const [index, tasks] of pages.entries()) {
				const body = JSON.stringify({ tasks, next_cursor: pages.length > index + 1 ? `page ${index + 2}` : null });
				sandbox.faults.add({ kind: 'body', body, status: 200, match: 'GET /tasks' });
			}
		};
		const no = (...ids: string[]): object[] => ids.map((id) => ({ id, draft: false }));

		test('tasks that say that they are none are left out, and those that do not say are taken', async () => {
			answers([...no('1'), { id: '2', draft: true }, { id: '3' }]);
			expect((await list({ filters: { draft: true } })).json).toEqual([{ id: '2', draft: true }, { id: '3' }]);
			answers([{ id: '3' }, { id: '4' }]);
			expect((await list({ filters: { draft: true } })).json).toEqual([{ id: '3' }, { id: '4' }]);
		});

		test('the limit counts what is left, over as many pages as that takes, and none is fetched beyond it', async () => {
			answers(no('1', '2'), no('3', '4'), [...no('5'), { id: '6', draft: true }], [{ id: '7', draft: true }], no('8'));
			const { json } = await list({ limit: 2, filters: { draft: true }, options: { pageSize: 2 }, simplify: false });
			expect(json.map(({ id }) => id)).toEqual(['6', '7']);
			expect(queries()).toHaveLength(4);
		});

		test('it is an error if some are none in the whole list, and nothing is one', async () => {
			answers([{ id: '1' }], no('2'), [{ id: '3', draft: null }]);
			const { error, json } = await list({ filters: { draft: true } });
			expect(error).toMatchObject({ name: 'NodeApiError', description: expect.stringContaining('Remove "Archived" or "Draft"') as string });
			expect(error?.message).toBe(
				'The service did not filter the tasks: it returned tasks with "draft": false, and none with "draft": true [item 0]',
			);
			expect(json).toEqual([]);
		});

		test('archived drafts are those that are neither said to be no draft nor said not to be archived', async () => {
			answers([{ id: '1', archived: true, draft: false }, { id: '2', archived: true, draft: true }, { id: '3', archived: false, draft: true }]);
			const { json } = await list({ filters: { archived: true, draft: true }, simplify: false });
			expect(json.map(({ id }) => id)).toEqual(['2']);
		});
	});

	test('filters by several statuses, chosen or given as text or a list, and says which of them no task has', async () => {
		const items = [{ json: { words: 'open, In Progress', list: ['open', 3] } }];
		const chosen = await list({ filters: { status: ['open', 'completed'] } }, { items });
		expect(chosen.hints).toEqual([]);
		const words = await list({ filters: { status: '={{ $json.words }}' } }, { items });
		expect(words.hints).toEqual([expect.stringContaining('No task was found with the status "In Progress".')]);
		const cut = await list({ limit: 10, filters: { status: '={{ $json.list }}' } }, { items });
		expect(cut.hints).toEqual([expect.stringContaining('status "3"')]);
		expect(queries()).toMatchObject([{ status: 'open,completed' }, { status: 'open,In Progress' }, { status: 'open,3' }]);
	});

	test.each<INodeParameters>([{ query: 'no such words' }, { tags: 'none' }, { priority: 'none' }, { archived: true }, { completeByTo: '2001-01-01' }])(
		'says nothing of a status if %j may be what no task matches',
		async (other) => {
			const { json, hints } = await list({ filters: { status: ['completed'], ...other } });
			expect([json, hints]).toEqual([[], []]);
		},
	);

	test('a filter that was added and not chosen filters nothing', async () => {
		const preset = { mode: 'list', value: '' };
		const filters = { assignedTo: preset, involving: preset, priority: preset, teamId: preset, status: [], query: '', tags: '', completeByFrom: '' };
		expect(titles(await list({ filters }))).toEqual(expected());
		expect(queries()).toEqual([{ limit: '50' }]);
	});

	test('gives each item its own tasks', async () => {
		const items = [{ json: { words: 'NDA' } }, { json: { words: 'no such words' } }, { json: { words: 'lease' } }];
		const { items: out } = await list({ filters: { query: '={{ $json.words }}' } }, { items });
		expect(out).toMatchObject([
			{ json: { title: 'Review supplier NDA' }, pairedItem: { item: 0 } },
			{ json: { title: 'File signed lease' }, pairedItem: { item: 2 } },
		]);
	});
});

describe('a walk that can not go on', () => {
	test('empty pages with ever fresh cursors end it, although only 5 tasks are wanted', async () => {
		let count = 0;
		const body = (): string => JSON.stringify({ tasks: [], next_cursor: `fresh ${count++}` });
		sandbox.faults.add({ kind: 'body', body, status: 200, match: 'GET /tasks', times: Infinity });
		const { error } = await list({ limit: 5 });
		expect(error?.message).toContain('50 empty pages in a row');
		expect(sandbox.requests).toHaveLength(51);
	});

	test('a middle page that fails fails the item, never a list cut short', async () => {
		sandbox.tasks.seed(50);
		const second = (request: { query: unknown }): boolean => JSON.stringify(request.query).includes('cursor');
		sandbox.faults.add({ kind: 'status', status: 400, match: second });
		const { items } = await list({ returnAll: true, options: { pageSize: 20 } }, { node: { onError: 'continueRegularOutput' } });

		expect(items).toMatchObject([{ json: { error: expect.stringContaining('(400)') as string }, pairedItem: { item: 0 } }]);
	});
});
