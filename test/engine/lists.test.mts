import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { ASSISTANTS } from '../sandbox/state/organization.mts';
import { listSearch, loadOptions, type Sandbox, test as base } from '../support/fixtures.mts';

type Search = (method: string, filter?: string) => ReturnType<typeof listSearch>;

const test = base.extend<{
	search: Search;
	findNames: (method: string, filter?: string) => Promise<string[]>;
}>({
	search: async ({ service }, use) => {
		await use((method, filter) => listSearch(method, { service, ...(filter && { filter }) }));
	},
	findNames: async ({ search }, use) => {
		await use(async (method, filter) =>
			(await search(method, filter)).results.map(({ name }) => name),
		);
	},
});

describe('what the editor has emptied, because the list of another credential lacks it,', () => {
	const emptied = { __rl: true, mode: 'list', value: '', cachedResultName: '' };
	const question = 'Is the cap usual?';

	test.for([
		['playbook', 'Playbook'],
		['template', 'Template'],
	] as const)(
		'is an error before anything is asked: %s',
		async ([name, label], { service, run }) => {
			const { error } = await run('question.ask', { question, [name]: emptied });
			expect(error?.message).toBe(
				`"${label}" is empty: n8n emptied it when the credential was changed`,
			);
			expect(error?.description).toContain('Choose again from the list.');
			expect(service.requests).toEqual([]);
		},
	);

	test('is the general assistant, without a word', async ({ service, run }) => {
		const { hints, error } = await run('question.ask', {
			question,
			assistantId: emptied,
			template: { __rl: true, mode: 'list', value: '' },
		});
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect(service.asked().assistantId).toBe('default');
	});
});

describe('a list in the editor', () => {
	const CARA = '3d2e1c74-8d3f-4b20-9d7a-4c9f6e50a182';
	const BEN = '2e1d0b63-7c2e-4a1f-8c69-3b8e5d4f6071';

	/** What the service answers to all requests of a kind from now on. */
	const answer = ({ faults }: Sandbox, match: 'GET /tasks' | 'GET /playbooks', body: unknown) => {
		faults.clear();
		faults.add({ kind: 'body', body: JSON.stringify(body), match, times: Infinity });
	};

	const lists = new LegalAi().methods;
	const withoutCredential = { node: { credentials: undefined } };

	test.for(Object.keys(lists.listSearch))(
		'is empty, and no error, in a node that has no credential yet: %s',
		async (method, { service }) => {
			const { results } = await listSearch(method, { service, ...withoutCredential });
			expect(results).toEqual([]);
			expect(service.requests).toEqual([]);
		},
	);

	test('of statuses has those of the specification alone in a node that has no credential yet', async ({
		service,
	}) => {
		const statuses = await loadOptions('getStatuses', { service, ...withoutCredential });
		expect(statuses.map(({ value }) => value)).toEqual(['in_progress', 'completed']);
	});

	test('of assistants begins with the general assistant, although the service does not list it', async ({
		service,
		search,
	}) => {
		const general = { name: 'General Assistant', value: 'default' };
		const intake = { name: 'Contract Intake', value: ASSISTANTS.contracts };
		expect(await search('searchAssistants')).toEqual({ results: [general, intake] });
		service.organization.assistants.splice(0, 1);
		expect((await search('searchAssistants')).results).toEqual([general, intake]);
		expect((await search('searchAssistants', 'INTAKE')).results).toEqual([intake]);
	});

	test('of assistants for a task shows only those that have an ID', async ({ search }) => {
		expect((await search('searchAgents')).results).toEqual([
			{ name: 'Contract Intake', value: ASSISTANTS.contracts },
		]);
	});

	test('sorts numbers as people count, and filters by the words typed', async ({
		service,
		search,
		findNames,
	}) => {
		answer(service, 'GET /playbooks', [
			{ id: 1, name: 'NDA 10' },
			{ id: 2, name: 'lease' },
			{ id: 3, name: 'NDA 2' },
			{ name: 'No ID' },
		]);
		expect(await findNames('searchPlaybooks')).toEqual(['lease', 'NDA 2', 'NDA 10']);
		const { results } = await search('searchPlaybooks', ' nda 1 ');
		expect(results).toEqual([{ name: 'NDA 10', value: '1' }]);
	});

	test('of drafts shows what the service finds', async ({ service, search }) => {
		service.tasks.create({ title: 'Held', draft: true });
		expect((await search('searchDrafts', ' held ')).results).toMatchObject([
			{ name: 'LEGAL-9 Held' },
		]);
		expect(service.requests.map(({ query }) => query)).toMatchObject([
			{ query: 'held', draft: 'true', limit: '50' },
		]);
		expect(await search('searchDrafts', 'no such task')).toEqual({ results: [] });
	});

	test('of people shows the user first, then those on the tasks, and no assistants', async ({
		service,
		search,
		findNames,
	}) => {
		const { people } = service.organization;
		const me = { name: 'Me (Ada Okafor)', value: people.ada };
		expect((await search('searchPeople')).results).toEqual([
			me,
			{ name: 'Ben Silva', value: people.ben },
		]);
		expect((await search('searchPeople', 'me (')).results).toEqual([me]);
		service.organization.user.user_name = null;
		expect(await findNames('searchPeople', people.ada)).toEqual(['Me (ada.okafor@example.com)']);
		service.organization.user.user_id = '';
		expect(await findNames('searchPeople', 'me')).toEqual([]);
	});

	test('of people, teams or matters shows each by its name, or by a task that refers to it', async ({
		service,
		search,
	}) => {
		const task = { id: 't', title: 'Review' };
		answer(service, 'GET /tasks', {
			tasks: [
				{
					...task,
					assigned_to: { id: BEN },
					assignees: [CARA, { id: BEN, name: 'Ben' }],
					created_by: { id: 'x', name: 'Xu' },
				},
				{ id: 'u', assigned_to: CARA, owner: 'y', matter_id: null, matter: { id: CARA } },
				{
					...task,
					id: 'v',
					assigned_team_id: { id: 'privacy', name: 'Privacy' },
					team: { id: 'z', name: 'Zoo' },
					matter_id: BEN,
				},
			],
		});
		expect((await search('searchPeople')).results.slice(1)).toEqual([
			{ name: 'Ben', value: BEN },
			{ name: `Review (${CARA})`, value: CARA },
		]);
		expect((await search('searchAssignedTeams')).results).toEqual([
			{ name: 'Privacy', value: 'privacy' },
		]);
		expect((await search('searchMatters', 'review')).results).toEqual([
			{ name: `Review (${BEN})`, value: BEN },
		]);
	});

	test('of teams to filter by shows those that tasks belong to, not those that tasks are assigned to', async ({
		service,
		search,
	}) => {
		const { teams } = service.organization;
		const { results } = await search('searchTaskTeams');
		expect(new Set(results.map(({ value }) => value))).toEqual(new Set(Object.values(teams)));
	});

	test("of statuses or priorities shows the unchanged values of the user's own tasks, and no objects", async ({
		service,
		search,
	}) => {
		const tasks = [
			{ status: 'on_hold', priority: 2 },
			{ status: '2', priority: 'asap' },
			{ status: { id: 's1' }, priority: 2 },
			{ status: ' ' },
		];
		answer(service, 'GET /tasks', { tasks });
		const statuses = [
			{ name: 'on_hold', value: 'on_hold' },
			{ name: '2', value: '2' },
		];
		expect((await search('searchStatuses')).results).toEqual(statuses);
		expect((await search('searchPriorities')).results).toEqual([
			{ name: '2', value: 2 },
			{ name: 'asap', value: 'asap' },
		]);
		expect((await search('searchPriorities', ' AS ')).results).toEqual([
			{ name: 'asap', value: 'asap' },
		]);
	});

	test('of statuses to choose several from has those of tasks, and those that the specification names, once each', async ({
		service,
	}) => {
		answer(service, 'GET /tasks', { tasks: [{ status: 'on_hold' }, { status: 'completed' }] });
		const values = (await loadOptions('getStatuses', { service })).map(({ value }) => value);
		expect(values).toEqual(['on_hold', 'completed', 'in_progress']);
	});

	test('of what tasks have is taken from at most 500 tasks, loaded a hundred at a time', async ({
		service,
		search,
	}) => {
		service.tasks.seed(700);
		await search('searchStatuses');
		expect(service.requests.map(({ query }) => query)).toMatchObject(
			Array.from({ length: 5 }, () => ({ limit: '100' })),
		);
	});

	test('is requested again if loading fails, or shows an error if that takes long', async ({
		service,
		search,
	}) => {
		service.faults.add({ status: 503 });
		expect((await search('searchTasks')).results).not.toEqual([]);
		service.requests.splice(0);
		service.faults.add({ status: 503, headers: { 'Retry-After': '16' } });
		await expect(search('searchTasks')).rejects.toMatchObject({ name: 'NodeApiError' });
		expect(service.requests).toHaveLength(1);
	});
});
