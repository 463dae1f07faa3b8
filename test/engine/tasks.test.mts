import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { runNode, type NodeRun, type NodeRunOptions } from '../support/engine/engine.mts';
import { sandboxOfFile } from '../support/lifetimes.mts';

const sandbox = await sandboxOfFile({ requestsPerMinute: Infinity });

const run = async (
	operation: string,
	parameters: INodeParameters = {},
	options: Omit<Partial<NodeRunOptions>, 'parameters'> = {},
): Promise<NodeRun> =>
	await runNode({ sandbox, parameters: { resource: 'task', operation, ...parameters }, ...options });

const on = (id: string): INodeParameters => ({ taskId: { __rl: true, mode: 'id', value: id } });

const sent = (): unknown => sandbox.requests.at(-1)?.body;

function seeded(title: string): string {
	const task = sandbox.tasks.ordered().find((each) => each.title.includes(title));
	if (task === undefined) throw new Error(`No task is called ${title}`);
	return task.id;
}

const { properties } = new LegalAi().description;

/** What the editor saves of a collection if each of its fields is added, and none is filled in. */
function asAdded(operation: string, name: string): INodeParameters {
	const collection = properties.find(({ name: own, displayOptions }) => own === name && displayOptions?.show?.operation?.includes(operation));
	const fields = (collection?.options ?? []).filter((option) => 'type' in option);
	return Object.fromEntries(fields.map((field) => [field.name, field.default])) as INodeParameters;
}

describe('task: create', () => {
	test('sends the fields that were set, under the API\'s names, and nothing else', async () => {
		const parent = seeded('NDA');
		const { json, error } = await run('create', {
			title: ' Review lease ',
			additionalFields: {
				description: 'Check the break clause.',
				parentTaskId: parent,
				assignedTo: sandbox.organization.people.ben,
				assignedAgent: '',
				matterId: '={{ $json.nothing }}',
				status: 'open',
				priority: { __rl: true, mode: 'value', value: '={{ $json.urgency }}' },
				completeBy: '2026-10-25T12:00:00',
				tags: 'lease, property',
				linkedItems: '[{ "type": "task", "id": "t-1" }]',
				draft: true,
			},
		}, { items: [{ json: { urgency: 'high' } }], settings: { timezone: 'Europe/Berlin' } });

		expect(error).toBeUndefined();
		expect(sent()).toEqual({
			title: 'Review lease',
			description: 'Check the break clause.',
			parent_task_id: parent,
			assigned_to: sandbox.organization.people.ben,
			status: 'open',
			priority: 'high',
			complete_by: '2026-10-25T11:00:00.000Z',
			tags: ['lease', 'property'],
			linked_items: [{ type: 'task', id: 't-1' }],
			draft: true,
		});
		expect(json).toMatchObject([{ title: 'Review lease', draft: true, priority: 'high' }]);
		expect(Object.keys(json[0] ?? {})).toHaveLength(10);
	});

	test('takes people, agents, teams, matters and values as they were picked', async () => {
		const { people, teams } = sandbox.organization;
		const picked = (value: unknown): INodeParameters => ({ __rl: true, mode: 'list', value, cachedResultName: 'Picked' }) as INodeParameters;
		await run('create', {
			title: 'Picked',
			additionalFields: {
				assignedTo: picked(people.ben),
				assignedAgent: picked(people.ada),
				assignedTeamId: picked(teams.privacy),
				matterId: { __rl: true, mode: 'id', value: '={{ $json.matter }}' },
				status: picked('2'),
				priority: picked(2),
				completeBy: '2026-10-25T00:00:00',
			},
		}, { items: [{ json: { matter: teams.commercial } }], settings: { timezone: 'Europe/Berlin' } });
		expect(sent()).toEqual({
			title: 'Picked',
			assigned_to: people.ben,
			assigned_agent: people.ada,
			assigned_team_id: teams.privacy,
			matter_id: teams.commercial,
			status: '2',
			priority: 2,
			complete_by: '2026-10-25T22:59:59.999Z',
		});
	});

	test('sends nothing for fields that were added and not filled in, and takes yes for a flag', async () => {
		const added = asAdded('create', 'additionalFields');
		expect(Object.keys(added)).toHaveLength(12);
		const { error } = await run('create', { title: 'Added', additionalFields: added });
		expect(error).toBeUndefined();
		expect(sent()).toEqual({ title: 'Added', draft: true });
	});

	test.each<[string, INodeParameters, string]>([
		['title', { title: '  ' }, '"Title" is empty [item 0]'],
		['date', { additionalFields: { completeBy: 'next week' } }, '"Due Date" is not a date: next week [item 0]'],
		['link', { additionalFields: { linkedItems: '[{' } }, '"Linked Items" must be a JSON array [item 0]'],
		['tag', { additionalFields: { tags: '={{ {} }}' } }, '"Tags" must be a list of words [item 0]'],
		['status', { additionalFields: { status: '={{ ({ id: 1 }) }}' } }, '"Status" can\'t be object [item 0]'],
		['flag', { additionalFields: { draft: '={{ "maybe" }}' } }, '"Draft" must be true or false [item 0]'],
	])('an unusable %s is refused by its name, with advice', async (_what, bad, message) => {
		const { error } = await run('create', { title: 'Good', ...bad });

		expect(error).toMatchObject({ name: 'NodeOperationError', message, description: expect.stringMatching(/\w+/) as string });
		expect(sandbox.requests).toEqual([]);
	});
});

describe('task: update', () => {
	test('changes what was set, clears what was chosen, leaves the rest', async () => {
		const id = seeded('Redline');
		const before = { ...sandbox.tasks.get(id) };
		const { json, error } = await run('update', {
			...on(id),
			updateFields: { title: '', priority: 'low', tags: '', description: '', archived: false, completeBy: null, linkedItems: '' },
			clearFields: ['additional_context', 'complete_by'],
			simplify: false,
		});

		expect(error).toBeUndefined();
		expect(sent()).toEqual({ priority: 'low', archived: false, additional_context: null, complete_by: null });
		expect(json[0]).toMatchObject({ id, title: before.title, priority: 'low', complete_by: null, assignees: [{}, {}] });
		expect(sandbox.tasks.get(id)).toEqual({
			...before,
			priority: 'low',
			additional_context: null,
			complete_by: null,
			updated_at: expect.any(String) as string,
		});
	});

	test('sends nothing for fields that were added and not filled in, and takes what the editor shows for a flag', async () => {
		const { error } = await run('update', { ...on(seeded('NDA')), updateFields: asAdded('update', 'updateFields') });
		expect(error).toBeUndefined();
		expect(sent()).toEqual({ draft: false, archived: true });
	});

	test('empties tags and linked items with an empty list', async () => {
		await run('update', { ...on(seeded('Redline')), clearFields: ['tags', 'linked_items', 'matter_id'] });
		expect(sent()).toEqual({ tags: [], linked_items: [], matter_id: null });
		await run('update', { ...on(seeded('Redline')), updateFields: { tags: '={{ [] }}' } });
		expect(sent()).toEqual({ tags: [] });
	});

	test.each<[string, INodeParameters, string]>([
		['a field both set and cleared', { updateFields: { description: 'x' }, clearFields: ['description'] }, '"Description" is both set and cleared [item 0]'],
		['a field that stays', { clearFields: ['title'] }, '"Clear Fields" can\'t be "title" [item 0]'],
	])('refuses %s before a request', async (_what, parameters, message) => {
		const { error } = await run('update', { ...on(seeded('NDA')), ...parameters });
		expect(error?.message).toBe(message);
		expect(sandbox.requests).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['no field', {}],
		['fields without a value', { updateFields: { title: '', status: '', assignedTo: null } }],
	])('with %s outputs the task as it is, with one request that writes nothing, and says so', async (_what, parameters) => {
		const id = seeded('NDA');
		const before = { ...sandbox.tasks.get(id) };
		const { json, error, hints } = await run('update', { ...on(id), ...parameters });

		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id, title: before.title }]);
		expect(hints).toEqual([expect.stringContaining('No field had a value')]);
		expect(sandbox.requests.map(({ route }) => route)).toEqual(['GET /tasks/:task_id']);
		expect(sandbox.tasks.get(id)).toEqual(before);
	});

	test('an item with nothing to update does not end a batch', async () => {
		const ids = ['NDA', 'Redline', 'Triage'].map(seeded);
		const items = ids.map((id, index) => ({ json: { id, title: index === 1 ? '' : `Changed ${index}` } }));
		const { json, error } = await run('update', { ...on('={{ $json.id }}'), updateFields: { title: '={{ $json.title }}' } }, { items });

		expect(error).toBeUndefined();
		expect(json.map(({ id }) => id)).toEqual(ids);
		expect(ids.map((id) => sandbox.tasks.get(id).title)).toEqual([
			'Changed 0',
			expect.stringContaining('Redline'),
			'Changed 2',
		]);
	});

	test('changes one task in the order of the items', async () => {
		const id = seeded('NDA');
		sandbox.faults.add({ kind: 'latency', ms: 200, match: 'PATCH /tasks/:task_id' });
		const items = ['first', 'second', 'third'].map((title) => ({ json: { title } }));
		await run('update', { ...on(id), updateFields: { title: '={{ $json.title }}' } }, { items });
		expect(sandbox.tasks.get(id).title).toBe('third');
	});
});

describe('task: get, archive, accept draft', () => {
	test('get gives the task as it is, or its ten most useful fields', async () => {
		const id = seeded('Redline');
		const raw = await run('get', { ...on(id), simplify: false });
		expect(raw.json[0]).toMatchObject({ id, linked_items: [], assignees: [{}, {}], url: expect.any(String) as string });

		const simple = await run('get', { ...on(` ${id} `), simplify: true });
		expect(Object.keys(simple.json[0] ?? {})).toEqual([
			...['display_id', 'id', 'title', 'description', 'status', 'priority', 'complete_by', 'assignees', 'tags', 'linked_items'],
		]);
		expect(simple.json[0]).toMatchObject({ description: 'Second round of comments.', assignees: [{ name: 'Ben Silva' }, { name: 'Redliner' }] });
	});

	test('archive archives, accept draft accepts, and neither does more', async () => {
		const id = seeded('File signed lease');
		expect((await run('archive', on(id))).json).toMatchObject([{ id, archived: true, status: 'completed' }]);
		expect(sent()).toEqual({ archived: true });

		const draft = seeded('Triage');
		const [accepted] = (await run('acceptDraft', on(draft))).json;
		expect(accepted).toMatchObject({ id: draft, description: expect.stringContaining('Staged') as string });
		expect(accepted).not.toHaveProperty('draft');
		expect(sent()).toEqual({ draft: false });
	});

	test.each(['get', 'update', 'archive', 'acceptDraft'])('%s says which task is missing', async (operation) => {
		const fields = { updateFields: { title: 'x' } };
		const empty = await run(operation, { ...on('={{ $json.nothing }}'), ...fields });
		expect(empty.error?.message).toBe('"Task" is empty [item 0]');
		expect(sandbox.requests).toEqual([]);

		const unknown = await run(operation, { ...on('00000000-0000-4000-8000-000000000000'), ...fields });
		expect(unknown.error).toMatchObject({ name: 'NodeApiError', httpCode: '404' });
		expect(unknown.error?.message).toContain('The task was not found');
	});
});
