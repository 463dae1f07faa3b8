import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.mts';
import { taskPage, type TaskQuery } from '../state/taskList.mts';
import type { TaskChange, TaskDraft } from '../state/tasks.mts';

const text = { type: 'string' };
const uuid = { type: 'string', format: 'uuid' };
const time = { type: 'string', format: 'date-time' };
const flag = { type: 'boolean' };

/** The fields that a create sets; an update sets others, too. */
const SET_BY_BOTH = {
	title: { ...text, minLength: 1 },
	description: text,
	assigned_to: uuid,
	assigned_agent: uuid,
	assigned_team_id: uuid,
	matter_id: uuid,
	status: text,
	priority: text,
	complete_by: time,
	tags: { type: 'array', items: text },
	// The specification says only that a linked item is an object.
	linked_items: { type: 'array', items: { type: 'object' } },
	draft: flag,
};

const SET_BY_UPDATE = { ...SET_BY_BOTH, additional_context: text, archived: flag };

/** The fields that an explicit null clears; for any other field of an update, null is ignored. */
const CLEARED_BY_NULL = [
	'description',
	'additional_context',
	'assigned_to',
	'assigned_agent',
	'assigned_team_id',
	'complete_by',
	'matter_id',
];

const newTask = {
	type: 'object',
	required: ['title'],
	properties: { ...SET_BY_BOTH, parent_task_id: uuid },
	additionalProperties: false,
};

const taskChange = {
	type: 'object',
	properties: Object.fromEntries(
		Object.entries(SET_BY_UPDATE).map(([name, field]) => [name, { ...field, nullable: true }]),
	),
	additionalProperties: false,
};

const oneOfTwo = { enum: ['true', 'false'] };
const PARAMETERS = {
	...{
		query: text,
		status: text,
		priority: text,
		assigned_to: uuid,
		involving: uuid,
		team_id: uuid,
		tags: text,
	},
	...{ complete_by_from: time, complete_by_to: time, archived: oneOfTwo, draft: oneOfTwo },
	...{ cursor: text, limit: { type: 'string', pattern: '^([1-9][0-9]?|100)$' } },
};

const taskQuery = {
	type: 'object',
	properties: PARAMETERS,
	propertyNames: { enum: Object.keys(PARAMETERS) },
};

/** GET and POST /tasks, GET and PATCH /tasks/{task_id}. */
export function taskRoutes(app: FastifyInstance, { tasks }: Service) {
	app.get<{ Querystring: TaskQuery }>(
		'/tasks',
		{ schema: { querystring: taskQuery } },
		({ query }) => {
			const page = taskPage(tasks, query);
			return { tasks: page.tasks.map((task) => tasks.view(task)), next_cursor: page.next };
		},
	);

	app.post<{ Body: TaskDraft }>('/tasks', { schema: { body: newTask } }, ({ body }) => {
		if (body.parent_task_id != null) tasks.get(body.parent_task_id);
		return tasks.view(tasks.create(body));
	});

	app.get<{ Params: { task_id: string } }>('/tasks/:task_id', ({ params }) =>
		tasks.view(tasks.get(params.task_id)),
	);

	app.patch<{ Params: { task_id: string }; Body: TaskChange }>(
		'/tasks/:task_id',
		{ schema: { body: taskChange } },
		({ params, body }) => {
			const task = tasks.get(params.task_id);
			const change = Object.entries(body).filter(
				([name, value]) => value !== null || CLEARED_BY_NULL.includes(name),
			);
			tasks.update(task, Object.fromEntries(change));
			return tasks.view(task);
		},
	);
}
