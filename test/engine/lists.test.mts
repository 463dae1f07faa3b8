import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { ASSISTANTS } from '../sandbox/state/organization.mts';
import { startSandbox } from '../sandbox/sandbox.mts';
import { listSearch, runNode, type NodeRun } from '../support/engine/engine.mts';

const sandbox = await startSandbox({ requestsPerMinute: Infinity });
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

describe.each(['assistant', 'playbook', 'template'] as const)('%s: get many', (resource) => {
	const getAll = async (parameters: object = {}): Promise<NodeRun> =>
		await runNode({ sandbox, parameters: { resource, operation: 'getAll', ...parameters } });

	const expected = (): { id: string; name: string }[] =>
		resource === 'assistant'
			? sandbox.organization.assistants.filter(({ apiIntake }) => apiIntake)
			: sandbox.organization[`${resource}s`];

	test.each(['array', 'named', 'data', 'items', 'results'] as const)('gives all records of a list that comes as %s', async (shape) => {
		sandbox.shapes.lists = shape;
		const { items, error } = await getAll({ returnAll: true });
		expect(error).toBeUndefined();
		expect(items).toEqual(expected().map(({ id, name }) => ({ json: { id, name }, pairedItem: { item: 0 } })));
		expect(sandbox.requests).toMatchObject([{ route: `GET /${resource}s`, query: {} }]);
	});

	test('gives the records of all pages', async () => {
		for (const next of ['b', 'c', null]) {
			const body = JSON.stringify({ data: [{ id: `before ${String(next)}` }], pagination: { next_cursor: next } });
			sandbox.faults.add({ kind: 'body', body, status: 200 });
		}
		expect((await getAll({ returnAll: true })).json).toEqual(['b', 'c', 'null'].map((next) => ({ id: `before ${next}` })));
		expect(sandbox.requests.map(({ query }) => query)).toEqual([{}, { cursor: 'b' }, { cursor: 'c' }]);
	});

	test('gives no more than the limit', async () => {
		expect((await getAll({ returnAll: false, limit: 1 })).json).toMatchObject([{ id: expected()[0]?.id }]);
		expect((await getAll({ limit: '1.5' })).error?.message).toContain('"Limit" must be a whole number of at least 1');
	});
});

describe('the lists of the editor', () => {
	const search = async (method: string, filter?: string, paginationToken?: string): ReturnType<typeof listSearch> =>
		await listSearch(method, { sandbox, ...(filter && { filter }), ...(paginationToken && { paginationToken }) });

	test.each(['name', 'title', 'display_name', 'none'] as const)('assistants: the general one first, called by their %s', async (field) => {
		sandbox.shapes.assistantName = field;
		const named = field !== 'none';
		expect(await search('searchAssistants')).toEqual({
			results: [
				{ name: named ? 'General Assistant' : 'default', value: 'default' },
				{ name: named ? 'Contract Intake' : ASSISTANTS.contracts, value: ASSISTANTS.contracts },
			],
		});
	});

	test('assistants: the general one is there although the service does not list it', async () => {
		sandbox.organization.assistants.splice(0, 1);
		expect((await search('searchAssistants')).results.map(({ value }) => value)).toEqual(['default', ASSISTANTS.contracts]);
		expect((await search('searchAssistants', 'INTAKE')).results.map(({ value }) => value)).toEqual([ASSISTANTS.contracts]);
		expect((await search('searchAssistants', 'general')).results.map(({ value }) => value)).toEqual(['default']);
	});

	test.each(['Playbooks', 'Templates'] as const)('%s: by name, whatever shape the list has', async (library) => {
		sandbox.shapes.lists = 'data';
		sandbox.shapes.libraryName = 'title';
		const records = sandbox.organization[library === 'Playbooks' ? 'playbooks' : 'templates'];
		const { results } = await search(`search${library}`);
		expect(results.map(({ name }) => name)).toEqual(records.map(({ name }) => name).sort());

		const [first] = records;
		expect((await search(`search${library}`, first?.name.slice(0, 7).toLowerCase())).results).toContainEqual({
			name: first?.name,
			value: first?.id,
		});
		expect((await search(`search${library}`, 'no such name')).results).toEqual([]);
	});

	test('tasks: the service searches, and the list goes on page after page', async () => {
		sandbox.tasks.seed(120);
		const first = await search('searchTasks', ' seeded ');
		const second = await search('searchTasks', ' seeded ', first.paginationToken);
		const third = await search('searchTasks', ' seeded ', second.paginationToken);
		expect([first, second, third].map(({ results }) => results.length)).toEqual([50, 50, 20]);
		expect(third.paginationToken).toBeUndefined();
		expect(sandbox.requests.map(({ query }) => query)).toMatchObject(
			[1, 2, 3].map(() => ({ query: 'seeded', limit: '50' })),
		);

		const [redline] = (await search('searchTasks', 'redline cloud')).results;
		expect(redline).toEqual({
			name: 'LEGAL-2 Redline cloud services agreement',
			value: sandbox.tasks.ordered().find(({ title }) => title.startsWith('Redline'))?.id,
		});
	});

	test('drafts: those of the service alone, page after page, as the service finds them', async () => {
		for (let number = 1; number <= 60; number += 1) sandbox.tasks.create({ title: `Held ${number}`, draft: true });
		const first = await search('searchDrafts', 'held');
		const second = await search('searchDrafts', 'held', first.paginationToken);
		expect([first, second].map(({ results }) => results.length)).toEqual([50, 10]);
		expect(sandbox.requests.map(({ query }) => query)).toMatchObject([1, 2].map(() => ({ query: 'held', draft: 'true', limit: '50' })));
		expect((await search('searchDrafts', 'triage')).results).toMatchObject([{ name: 'LEGAL-8 Triage: marketing claims' }]);

		sandbox.faults.add({ kind: 'body', body: '{"tasks": [{"id": "1"}], "next_cursor": null}', match: 'GET /tasks' });
		await expect(search('searchDrafts')).rejects.toThrow('The service did not filter the tasks');
	});

	test('agents: the assistants of the service that have an ID', async () => {
		expect((await search('searchAgents')).results).toEqual([{ name: 'Contract Intake', value: ASSISTANTS.contracts }]);
		expect((await search('searchAgents', 'no such name')).results).toEqual([]);
	});

	test('people: the user first, then those on the tasks, and no agents', async () => {
		const { people } = sandbox.organization;
		const me = { name: 'Me (Ada Okafor)', value: people.ada };
		expect((await search('searchPeople')).results).toEqual([me, { name: 'Ben Silva', value: people.ben }]);
		expect((await search('searchPeople', 'me (')).results).toEqual([me]);
		sandbox.organization.user.user_name = null;
		expect((await search('searchPeople', people.ada)).results).toEqual([{ name: 'Me (ada.okafor@example.com)', value: people.ada }]);
	});

	test('teams and matters: those of the tasks, told apart by a task if they have no name', async () => {
		const { teams } = sandbox.organization;
		const matter = 'b1c2d3e4-0000-4000-8000-000000000001';
		sandbox.tasks.create({ title: 'Sue', matter_id: matter });
		expect((await search('searchMatters')).results).toEqual([{ name: `${matter} (LEGAL-9 Sue)`, value: matter }]);
		expect((await search('searchTeams')).results.map(({ value }) => value).sort()).toEqual([teams.commercial, teams.privacy].sort());
		expect((await search('searchTeams', 'data subject')).results.map(({ value }) => value)).toEqual([teams.privacy]);
	});

	test('statuses are those of tasks alone, however well known others are', async () => {
		sandbox.tasks.clear();
		expect((await search('searchStatuses')).results).toEqual([]);
		sandbox.tasks.create({ title: 'Odd', status: '3' });
		expect((await search('searchStatuses')).results).toEqual([{ name: '3', value: '"3"' }]);
	});

	test('statuses and priorities: those of the user\'s own tasks', async () => {
		sandbox.tasks.create({ title: 'Odd', status: 'on_hold', priority: 'asap' });
		const statuses = (await search('searchStatuses')).results.map(({ value }) => value);
		expect(statuses.sort()).toEqual(['completed', 'in_progress', 'on_hold', 'open']);
		const priorities = (await search('searchPriorities')).results.map(({ value }) => value);
		expect(priorities).toEqual(['urgent', 'high', 'medium', 'low', 'asap']);
		expect((await search('searchPriorities', 'as')).results).toEqual([{ name: 'asap', value: 'asap' }]);
	});

	test.each([
		...['searchAgents', 'searchAssistants', 'searchDrafts', 'searchMatters', 'searchPeople', 'searchPlaybooks'],
		...['searchPriorities', 'searchStatuses', 'searchTasks', 'searchTeams', 'searchTemplates'],
	])(
		'%s: what goes wrong is said in a sentence',
		async (method) => {
			const refused = listSearch(method, { sandbox, credential: { apiKey: 'sk-svc-api1-unknown' } });
			await expect(refused).rejects.toMatchObject({
				name: 'NodeApiError',
				message: expect.stringContaining('does not know this API key') as string,
			});
			sandbox.faults.add({ kind: 'body', body: '{"hits": 1}', match: ({ route }) => route !== 'GET /me' });
			await expect(search(method)).rejects.toMatchObject({ message: expect.stringContaining("fields 'hits'") as string });
		},
	);
});
