import {
	type INodeParameters,
	resetSafeRegexEngine,
	safeRegex,
	setSafeRegexEngine,
} from 'n8n-workflow';

import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { type Sandbox, someText, test, textWith } from '../support/fixtures.mts';

const on = (id: string) => ({ taskId: { __rl: true, mode: 'id', value: id } });

const sent = ({ requests }: Sandbox) => requests.at(-1)?.body;

/** The ID of a task that the service begins with. */
function seeded({ tasks }: Sandbox, title: string) {
	const task = tasks.ordered().find((each) => each.title.includes(title));
	if (task === undefined) throw new Error(`No task is called ${title}`);
	return task.id;
}

const { properties } = new LegalAi().description;

/** What the editor saves of a collection if each of its fields is added, and none is filled in. */
function asAdded(operation: string, name: string) {
	const collection = properties.find(
		({ name: own, displayOptions }) =>
			own === name && displayOptions?.show?.operation?.includes(operation),
	);
	const fields = (collection?.options ?? []).filter((option) => 'type' in option);
	return Object.fromEntries(fields.map((field) => [field.name, field.default])) as INodeParameters;
}

test('task: create and update send no field that was added but left empty, except flags, as the editor shows them', async ({
	service,
	run,
}) => {
	const additionalFields = asAdded('create', 'additionalFields');
	expect(Object.keys(additionalFields)).toHaveLength(12);
	await run('task.create', { title: 'Added', additionalFields });
	expect(sent(service)).toEqual({ title: 'Added', draft: true });

	await run('task.update', {
		...on(seeded(service, 'NDA')),
		updateFields: asAdded('update', 'updateFields'),
	});
	expect(sent(service)).toEqual({ draft: false, archived: true });
});

test('a date of an expression is text where text is expected', async ({ service, run }) => {
	const date = '={{ DateTime.fromISO("2026-05-31").setZone("utc", { keepLocalTime: true }) }}';
	await run('task.create', { title: date, additionalFields: { description: date } });
	const text = '2026-05-31T00:00:00.000Z';
	expect(sent(service)).toEqual({ title: text, description: text });
});

test('an ID that was entered costs no execution if n8n has no time for a check of its own, as on a busy machine', async ({
	service,
	run,
}) => {
	const test = () => {
		throw new Error('Regular expression execution timed out');
	};
	onTestFinished(resetSafeRegexEngine);
	setSafeRegexEngine({ ...safeRegex, test });
	const { json } = await run('task.update', {
		...on(seeded(service, 'NDA')),
		updateFields: {
			assignedTo: { __rl: true, mode: 'id', value: service.organization.user.user_id },
		},
	});
	expect(json).toHaveLength(1);
});

describe('task: update', () => {
	test('changes what was set, clears what was chosen, leaves the rest', async ({
		service,
		run,
	}) => {
		const id = seeded(service, 'Redline');
		const before = { ...service.tasks.get(id) };
		const { json, hints } = await run('task.update', {
			...on(id),
			updateFields: {
				title: '',
				priority: 'low',
				tags: ' , ',
				description: '',
				archived: false,
				completeBy: null,
				linkedItems: '',
			},
			clearFields: ['additional_context', 'complete_by'],
			simplify: false,
		});

		expect(sent(service)).toEqual({
			priority: 'low',
			archived: false,
			additional_context: null,
			complete_by: null,
		});
		expect(json).toMatchObject([
			{ id, title: before.title, priority: 'low', complete_by: null, assignees: [{}, {}] },
		]);
		expect(hints).toEqual([]);
		const updated_at = someText;
		expect(service.tasks.get(id)).toEqual({
			...before,
			priority: 'low',
			additional_context: null,
			complete_by: null,
			updated_at,
		});
	});

	test.for<[INodeParameters, object]>([
		[
			{ clearFields: ['tags', 'linked_items', 'matter_id'] },
			{ tags: [], linked_items: [], matter_id: null },
		],
		[{ updateFields: { tags: '={{ [] }}' } }, { tags: [] }],
	])(
		'clears lists by sending empty ones: for %j it sends %j',
		async ([parameters, body], { service, run }) => {
			await run('task.update', { ...on(seeded(service, 'Redline')), ...parameters });
			expect(sent(service)).toEqual(body);
		},
	);

	test.for<[string, INodeParameters, string]>([
		[
			'a field both set and cleared',
			{ updateFields: { description: 'x' }, clearFields: ['description'] },
			'"Description" is both set and cleared',
		],
		[
			"a field that can't be cleared",
			{ clearFields: ['title'] },
			'"Clear Fields" can\'t be "title"',
		],
	])('rejects %s before a request', async ([, parameters, message], { service, run }) => {
		const { error } = await run('task.update', { ...on(seeded(service, 'NDA')), ...parameters });
		expect(error?.message).toBe(message);
		expect(service.requests).toEqual([]);
	});

	test('outputs the unchanged task with a hint if no field has a value', async ({
		service,
		run,
	}) => {
		const id = seeded(service, 'NDA');
		const { title } = service.tasks.get(id);
		const { json, hints } = await run('task.update', {
			...on(id),
			updateFields: { title: '', status: '', assignedTo: null },
		});

		expect(json).toMatchObject([{ id, title }]);
		expect(hints).toEqual([textWith('No field had a value')]);
		expect(service.requests).toMatchObject([{ route: 'PATCH /tasks/:task_id', body: {} }]);
	});

	test.for<[number, object | string]>([
		[204, ''],
		[200, { success: true }],
	])(
		'is sent once if the service answers %i and %j, and the task is fetched',
		async ([status, body], { service, run }) => {
			const id = seeded(service, 'NDA');
			const { display_id } = service.tasks.get(id);
			service.faults.add({ status, body, match: 'PATCH /tasks/:task_id' });
			const { json } = await run('task.update', { ...on(id), updateFields: { title: 'New' } });
			expect(json).toMatchObject([{ id, display_id }]);
			expect(service.requests.map(({ route }) => route)).toEqual([
				'PATCH /tasks/:task_id',
				'GET /tasks/:task_id',
			]);
		},
	);

	test('changes one task in the order of the items, and goes on after an item with nothing to update', async ({
		service,
		run,
	}) => {
		service.faults.add({ kind: 'latency', ms: 200, match: 'PATCH /tasks/:task_id' });
		const id = seeded(service, 'NDA');
		const items = ['first', '', 'third'].map((title) => ({ json: { title } }));
		const { json } = await run(
			'task.update',
			{ ...on(id), updateFields: { title: '={{ $json.title }}' } },
			{ items },
		);
		expect(json.map(({ title }) => title)).toEqual(['first', 'first', 'third']);
	});
});

describe('task: get, archive, accept draft', () => {
	test.for([
		['get', 'NDA', {}],
		['archive', 'NDA', { archived: true }],
		['acceptDraft', 'Triage', { draft: false }],
	] as const)(
		'%s outputs the task, of which it changes nothing but the flag',
		async ([operation, title, change], { service, run }) => {
			const task = service.tasks.get(seeded(service, title));
			const before = { ...task };
			const { json } = await run(`task.${operation}`, { ...on(task.id), simplify: false });
			expect(task).toEqual({ ...before, ...change, updated_at: task.updated_at });
			expect(json).toEqual([service.tasks.view(task)]);
		},
	);
});

test.for(['get', 'update', 'archive', 'acceptDraft'])(
	'task: %s says so if there is no such task',
	async (operation, { run }) => {
		const { error } = await run(`task.${operation}`, {
			...on('1b0fd7b9-5478-4548-8626-8b39ed708b84'),
			...(operation === 'update' && { updateFields: { title: 'x' } }),
		});
		expect(error?.message).toContain('The task was not found');
	},
);
