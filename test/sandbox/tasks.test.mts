import { at, call, refused, sandboxForTests } from '../support/sandboxClient.mts';

const sandbox = await sandboxForTests({ requestsPerMinute: Infinity });

const list = (query = '') => call(sandbox, 'GET', `/tasks${query}`);
const badParameter = refused(400, 'invalid_request_parameter');
const badBody = refused(400, 'invalid_request_body');

describe('tasks of the sandbox', () => {
	test.each([
		...['?limit=0', '?limit=101', '?limit=ten', '?limit=1.5', '?limit=', '?limit=1&limit=2'],
		...[
			'?complete_by_from=soon',
			'?team_id=legal',
			'?archived=1',
			'?draft=',
			'?cursor=',
			'?page=2',
		],
	])('are not listed by %s', async (query) => {
		expect(await list(query)).toMatchObject(badParameter);
	});

	test('come in pages whose cursor is tied to the page size', async () => {
		sandbox.tasks.seed(25);
		const cursor = at((await list('?limit=10')).body, 'next_cursor');
		expect(await list(`?limit=10&cursor=${cursor}`)).toMatchObject({ status: 200 });
		expect(await list(`?limit=11&cursor=${cursor}`)).toMatchObject(badParameter);
		expect(await list(`?cursor=${cursor}`)).toMatchObject(badParameter);
	});

	test('are not created below a task that does not exist', async () => {
		const orphan = { title: 'Orphan', parent_task_id: 'b1c2d3e4-0000-4000-8000-000000000001' };
		expect(await call(sandbox, 'POST', '/tasks', orphan)).toMatchObject(
			refused(404, 'resource_not_found'),
		);
	});

	test.each([
		...[
			{ title: '' },
			{ title: 1 },
			{ assigned_to: 'Ben' },
			{ complete_by: 'tomorrow' },
			{ tags: 'a,b' },
			{ tags: [1] },
		],
		...[{ linked_items: ['chat'] }, { draft: 'yes' }, { due: '2030-01-01' }, [], '{'],
	])('are neither created nor changed by %j', async (fields: unknown) => {
		const [task] = sandbox.tasks.ordered();
		const created =
			typeof fields === 'string' || Array.isArray(fields)
				? fields
				: { title: 'New', ...(fields as object) };
		expect(await call(sandbox, 'POST', '/tasks', created)).toMatchObject(badBody);
		expect(await call(sandbox, 'PATCH', `/tasks/${task?.id ?? ''}`, fields)).toMatchObject(badBody);
	});

	test("can't be created with null in a field", async () => {
		expect(
			await call(sandbox, 'POST', '/tasks', { title: 'New', description: null }),
		).toMatchObject(badBody);
	});
});
