import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { LEGAL_AI, type Sandbox, someText, test, textWith } from '../support/fixtures.mts';

const queries = ({ requests }: Sandbox) => requests.map(({ query }) => query);

/** The titles that the list of the service has, in its order. */
const listed = ({ tasks }: Sandbox) =>
	tasks
		.ordered()
		.filter(({ draft, archived }) => !draft && !archived)
		.map(({ title }) => title);

describe('task: get many', () => {
	const cursor = someText;

	test.for<[number, object[]]>([
		[7, [{ limit: '7' }]],
		[100, [{ limit: '100' }]],
		[120, [{ limit: '100' }, { limit: '100', cursor }]],
		[Infinity, [{ limit: '100' }, { limit: '100', cursor }, { limit: '100', cursor }]],
	])(
		'fetches no more than a limit of %f needs, in pages as large as the service allows',
		async ([limit, pages], { service, run }) => {
			service.tasks.seed(290);
			const returnAll = limit === Infinity;
			const { items } = await run('task.getAll', { returnAll, limit: returnAll ? 1 : limit });
			expect(items).toMatchObject(
				listed(service)
					.slice(0, limit)
					.map((title) => ({ json: { title }, pairedItem: { item: 0 } })),
			);
			expect(queries(service)).toEqual(pages);
		},
	);

	test('tells the model of an agent that nothing was found, where it would read an empty text', async ({
		run,
	}) => {
		const type = `${LEGAL_AI}Tool`;
		const options = { node: { type }, nodeTypes: { [type]: new LegalAi() } };
		const filters = { query: 'no such task' };
		const { json } = await run('task.getAll', { filters }, options);
		expect(json).toEqual([{ result: 'Nothing was found.' }]);
		expect((await run('task.getAll', { filters })).json).toEqual([]);
	});

	test('filters by statuses of whatever name, also if the service lists others', async ({
		service,
		run,
	}) => {
		const statuses = ['open', 'In Progress', '3'];
		const tasks = ['closed', ...statuses].map((status) => ({ id: status, status }));
		const body = JSON.stringify({ tasks });
		service.faults.add({ kind: 'body', match: 'GET /tasks', body });
		const { json } = await run('task.getAll', {
			filters: { status: '={{ ["open", "In Progress", 3] }}' },
		});
		expect(queries(service)).toMatchObject([{ status: 'open,In Progress,3' }]);
		expect(json.map(({ status }) => status)).toEqual(statuses);
	});
});

test('a status that the service ignores costs pages as large as they can be, however small the limit is', async ({
	service,
	run,
}) => {
	service.faults.add({
		status: 200,
		body: { tasks: [{ id: 'a', status: 'open' }], next_cursor: 'c' },
		match: 'GET /tasks',
	});
	await run('task.getAll', { limit: 1, filters: { status: ['approved'] } });
	expect(queries(service)).toMatchObject([{ limit: '100' }, { limit: '100' }]);
});

describe('task: get many, if the service returns other tasks along with drafts,', () => {
	const answer = ({ faults }: Sandbox, ...pages: object[][]) => {
		for (const [index, tasks] of pages.entries()) {
			const body = JSON.stringify({
				tasks,
				next_cursor: pages.length > index + 1 ? `page ${index + 2}` : null,
			});
			faults.add({ kind: 'body', body, status: 200, match: 'GET /tasks' });
		}
	};
	const no = (...ids: string[]) => ids.map((id) => ({ id, draft: false }));

	test.for([
		[
			'leaves out tasks marked as no draft, and keeps unmarked ones',
			[...no('1'), { id: '2', draft: true }, { id: '3' }],
			['2', '3'],
		],
		['keeps all tasks if none is marked', [{ id: '3' }, { id: '4' }], ['3', '4']],
	] as const)('%s', async ([, tasks, ids], { service, run }) => {
		answer(service, [...tasks]);
		const { json } = await run('task.getAll', { filters: { draft: true } });
		expect(json.map(({ id }) => id)).toEqual(ids);
	});

	test('counts only drafts toward the limit, and requests no more pages than it needs, each as large as it can be', async ({
		service,
		run,
	}) => {
		answer(
			service,
			no('1', '2'),
			no('3', '4'),
			[...no('5'), { id: '6', draft: true }],
			[{ id: '7', draft: true }],
			no('8'),
		);
		const { json } = await run('task.getAll', {
			limit: 2,
			filters: { draft: true },
			simplify: false,
		});
		expect(json.map(({ id }) => id)).toEqual(['6', '7']);
		expect(queries(service)).toMatchObject(Array(4).fill({ limit: '100' }));
	});

	test('fails if some tasks are marked as no draft and none as a draft', async ({
		service,
		run,
	}) => {
		answer(service, [{ id: '1' }], no('2'), [{ id: '3', draft: null }]);
		const { error, json } = await run('task.getAll', { filters: { draft: true } });
		expect(error).toMatchObject({
			name: 'NodeApiError',
			description: textWith('Remove "Archived" or "Draft"'),
		});
		expect(error?.message).toBe(
			'The service did not filter the tasks: it returned tasks with "draft": false, and none with "draft": true',
		);
		expect(json).toEqual([]);
	});
});
