import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { ServiceDescription } from './services.mts';
import { invalid, NOT_FOUND, refuse } from './errors.mts';
import type { Json } from './pages.mts';
import { uuidOf } from './random.mts';
import { shown, taskOf, type Task } from './records.mts';
import { sendJson, type Truth } from './truth.mts';

const CLEARABLE = ['description', 'additional_context', 'assigned_to', 'assigned_agent', 'assigned_team_id', 'matter_id', 'complete_by'];

type TaskRequest = FastifyRequest<{ Params: { id: string } }>;

/** POST, GET and PATCH of one task. */
export function addTasks(app: FastifyInstance, description: ServiceDescription, truth: Truth): void {
	const { tasks } = truth;
	const { envelope } = description.tasks;
	const send = (reply: FastifyReply, task: Task): FastifyReply => {
		const record = shown(description, task);
		return sendJson(reply, description, envelope === null ? record : { [envelope]: record });
	};
	const find = ({ params }: TaskRequest): Task | undefined => tasks.find(({ record }) => record.id === params.id);

	app.post('/tasks', (request, reply) => {
		const body = jsonOf(request);
		if (typeof body?.title !== 'string') return refuse(reply, description, invalid('title is missing'));
		const number = tasks.length + 1;
		const task = taskOf(description, {
			id: uuidOf(description.seed, `created ${number}`),
			display_id: `LEG-${number}`,
			...body,
		});
		tasks.push(task);
		return send(reply, task);
	});

	app.get('/tasks/:id', (request: TaskRequest, reply) => {
		const task = find(request);
		return task === undefined ? refuse(reply, description, NOT_FOUND) : send(reply, task);
	});

	app.patch('/tasks/:id', (request: TaskRequest, reply) => {
		const task = find(request);
		const body = jsonOf(request);
		if (task === undefined) return refuse(reply, description, NOT_FOUND);
		if (body === undefined) return refuse(reply, description, invalid('The body is not a JSON object'));
		for (const [name, value] of Object.entries(body)) {
			if (name === 'archived' && typeof value === 'boolean') task.archived = value;
			else if (name === 'draft' && typeof value === 'boolean') task.draft = value;
			else if (value !== null || CLEARABLE.includes(name)) task.record[name] = value;
		}
		return send(reply, task);
	});
}

/** The JSON object that a request carries; undefined where it carries none. */
export function jsonOf({ body }: FastifyRequest): Json | undefined {
	if (!Buffer.isBuffer(body)) return undefined;
	try {
		const value: unknown = JSON.parse(body.toString());
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
