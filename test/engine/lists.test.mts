import { describe, expect, test } from 'vitest';

import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { ASSISTANTS } from '../sandbox/state/organization.mts';
import type { FaultRule } from '../sandbox/sandbox.mts';
import { listSearch, loadOptions, runNode, type NodeRun } from '../support/engine/engine.mts';
import { sandboxOfFile } from '../support/lifetimes.mts';

const sandbox = await sandboxOfFile({ requestsPerMinute: Infinity });

describe.each(['assistant', 'playbook', 'template'] as const)('%s: get many', (resource) => {
	const getAll = async (parameters: object = {}): Promise<NodeRun> =>
		await runNode({ sandbox, parameters: { resource, operation: 'getAll', ...parameters } });

	const expected = (): { id: string; name: string }[] =>
		resource === 'assistant'
			? sandbox.organization.assistants.filter(({ apiIntake }) => apiIntake)
			: sandbox.organization[`${resource}s`];

	test('gives all records, or no more than the limit', async () => {
		const { items, error } = await getAll({ returnAll: true });
		expect(error).toBeUndefined();
		expect(items).toEqual(expected().map(({ id, name }) => ({ json: { id, name }, pairedItem: { item: 0 } })));
		expect(sandbox.requests).toMatchObject([{ route: `GET /${resource}s`, query: {} }]);
		expect((await getAll({ returnAll: false, limit: 1 })).json).toMatchObject([{ id: expected()[0]?.id }]);
		expect((await getAll({ limit: '1.5' })).error?.message).toContain('"Limit" must be a whole number of at least 1');
	});
});

describe('the lists of the editor', () => {
	const CARA = '3d2e1c74-8d3f-4b20-9d7a-4c9f6e50a182';
	const BEN = '2e1d0b63-7c2e-4a1f-8c69-3b8e5d4f6071';

	const search = async (method: string, filter?: string, paginationToken?: string): ReturnType<typeof listSearch> =>
		await listSearch(method, { sandbox, ...(filter && { filter }), ...(paginationToken && { paginationToken }) });
	const namesOf = async (method: string, filter?: string): Promise<string[]> => (await search(method, filter)).results.map(({ name }) => name);

	/** What the service answers, once, to requests of this kind. */
	const answers = (match: FaultRule['match'], body: unknown): void => {
		sandbox.faults.add({ kind: 'body', body: JSON.stringify(body), match });
	};

	test('assistants: the general one first, although the service does not list it', async () => {
		const general = { name: 'General Assistant', value: 'default' };
		const intake = { name: 'Contract Intake', value: ASSISTANTS.contracts };
		expect(await search('searchAssistants')).toEqual({ results: [general, intake] });
		sandbox.organization.assistants.splice(0, 1);
		expect((await search('searchAssistants')).results).toEqual([general, intake]);
		expect((await search('searchAssistants', 'INTAKE')).results).toEqual([intake]);
		expect((await search('searchAssistants', 'general')).results).toEqual([general]);
	});

	test('assistants that can be given a task: those of the service that have an ID', async () => {
		expect((await search('searchAgents')).results).toEqual([{ name: 'Contract Intake', value: ASSISTANTS.contracts }]);
		expect((await search('searchAgents', 'no such name')).results).toEqual([]);
	});

	test.each([
		['searchPlaybooks', 'playbooks'],
		['searchTemplates', 'templates'],
	] as const)('%s: in the order in which people count, by the words typed, and only what has an ID', async (method, name) => {
		const records = [{ id: 1, name: 'NDA 10' }, { id: 2, name: 'lease' }, { id: 3, name: 'NDA 2' }, { name: 'No ID' }];
		for (let time = 0; time < 2; time++) answers(`GET /${name}`, { [name]: records });
		expect(await namesOf(method)).toEqual(['lease', 'NDA 2', 'NDA 10']);
		expect((await search(method, ' nda 1 ')).results).toEqual([{ name: 'NDA 10', value: '1' }]);
	});

	test('tasks: the service searches, and the list goes on page after page', async () => {
		sandbox.tasks.seed(120);
		const first = await search('searchTasks', ' seeded ');
		const second = await search('searchTasks', ' seeded ', first.paginationToken);
		const third = await search('searchTasks', ' seeded ', second.paginationToken);
		expect([first, second, third].map(({ results }) => results.length)).toEqual([50, 50, 20]);
		expect(third.paginationToken).toBeUndefined();
		expect(sandbox.requests.map(({ query }) => query)).toMatchObject([1, 2, 3].map(() => ({ query: 'seeded', limit: '50' })));
		expect(await namesOf('searchTasks', 'redline cloud')).toEqual(['LEGAL-2 Redline cloud services agreement']);
	});

	test('drafts: those of the service alone, page after page, as the service finds them', async () => {
		for (let number = 1; number <= 60; number += 1) sandbox.tasks.create({ title: `Held ${number}`, draft: true });
		const first = await search('searchDrafts', 'held');
		const second = await search('searchDrafts', 'held', first.paginationToken);
		expect([first, second].map(({ results }) => results.length)).toEqual([50, 10]);
		expect(sandbox.requests.map(({ query }) => query)).toMatchObject([1, 2].map(() => ({ query: 'held', draft: 'true', limit: '50' })));

		answers('GET /tasks', { tasks: [{ id: '1', draft: false }], next_cursor: null });
		await expect(search('searchDrafts')).rejects.toThrow('The service did not filter the tasks');
	});

	test('people: the user first, then those on the tasks, and no assistants', async () => {
		const { people } = sandbox.organization;
		const me = { name: 'Me (Ada Okafor)', value: people.ada };
		expect((await search('searchPeople')).results).toEqual([me, { name: 'Ben Silva', value: people.ben }]);
		expect((await search('searchPeople', 'me (')).results).toEqual([me]);
		sandbox.organization.user.user_name = null;
		expect(await namesOf('searchPeople', people.ada)).toEqual(['Me (ada.okafor@example.com)']);
	});

	test('people, teams and matters: under the names that can be set, by name, and else by a task that refers to them', async () => {
		const task = { id: 't', title: 'Review' };
		answers('GET /tasks', {
			tasks: [
				{ ...task, assigned_to: { id: BEN }, assignees: [CARA, { id: BEN, name: 'Ben' }], created_by: { id: 'x', name: 'Xu' } },
				{ id: 'u', assigned_to: CARA, owner: 'y' },
			],
		});
		expect((await search('searchPeople')).results.slice(1)).toEqual([
			{ name: 'Ben', value: BEN },
			{ name: 'Review (3d2e1c74…)', value: CARA },
		]);
		answers('GET /tasks', { tasks: [{ ...task, assigned_team_id: { id: 'privacy', name: 'Privacy' }, team: { id: 'z', name: 'Zoo' } }] });
		expect((await search('searchAssignedTeams')).results).toEqual([{ name: 'Privacy', value: 'privacy' }]);
		answers('GET /tasks', { tasks: [{ ...task, matter_id: BEN }, { id: 'u', matter_id: null, matter: { id: CARA } }] });
		expect((await search('searchMatters', 'review')).results).toEqual([{ name: 'Review (2e1d0b63…)', value: BEN }]);
	});

	test('teams to filter by: those that tasks belong to, and not those that tasks are assigned to', async () => {
		const { teams } = sandbox.organization;
		const { results } = await search('searchTaskTeams');
		expect(new Set(results.map(({ value }) => value))).toEqual(new Set(Object.values(teams)));
		const privacy = results.find(({ name }) => name.includes('Answer data subject request'))?.value;
		const filters = { teamId: { __rl: true, mode: 'list', value: String(privacy) } };
		const { json } = await runNode({ sandbox, parameters: { resource: 'task', operation: 'getAll', filters } });
		expect(json.map(({ title }) => title)).toEqual(['Answer data subject request']);
		expect((await search('searchAssignedTeams')).results.map(({ value }) => value)).toEqual([teams.commercial]);
	});

	test('statuses and priorities: those of the user\'s own tasks, each as it is, and no objects', async () => {
		const tasks = [{ status: 'on_hold', priority: 2 }, { status: '2', priority: 'asap' }, { status: { id: 's1' }, priority: 2 }, { status: ' ' }];
		for (let time = 0; time < 4; time++) answers('GET /tasks', { tasks });
		const statuses = [{ name: 'on_hold', value: 'on_hold' }, { name: '2', value: '2' }];
		expect((await search('searchStatuses')).results).toEqual(statuses);
		expect(await loadOptions('getStatuses', { sandbox })).toEqual(statuses);
		expect((await search('searchPriorities')).results).toEqual([{ name: '2', value: 2 }, { name: 'asap', value: 'asap' }]);
		expect((await search('searchPriorities', ' AS ')).results).toEqual([{ name: 'asap', value: 'asap' }]);
	});

	test('what tasks have is taken from 500 of them at most, loaded a hundred at a time', async () => {
		sandbox.tasks.seed(700);
		await search('searchStatuses');
		expect(sandbox.requests.map(({ query }) => query)).toMatchObject(Array.from({ length: 5 }, () => ({ limit: '100' })));
	});

	const methods = Object.keys(new LegalAi().methods.listSearch);

	test.each(methods)('%s: what goes wrong is said in a sentence', async (method) => {
		const refused = listSearch(method, { sandbox, credential: { apiKey: 'sk-svc-api1-unknown' } });
		await expect(refused).rejects.toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('does not know this API key') as string,
		});
	});

	test.each(methods)('%s: nobody waits for longer than 15 seconds', async (method) => {
		sandbox.faults.add({ kind: 'status', status: 503, headers: { 'Retry-After': '16' } });
		await expect(search(method)).rejects.toMatchObject({ name: 'NodeApiError' });
		expect(sandbox.requests).toHaveLength(1);
	});
});
