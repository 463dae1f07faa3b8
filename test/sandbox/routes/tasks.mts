import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.mts';
import type { Organization } from '../state/organization.mts';
import { newTask, taskChange } from '../state/taskBody.mts';
import { taskPage, type TaskQuery } from '../state/taskList.mts';
import type { Task } from '../state/tasks.mts';

/** The fields of a task that the API does not show. */
const NOT_SHOWN = new Set<string>(['sequence', 'shared_with', 'comments'] satisfies (keyof Task)[]);

/** A task as the API shows it. */
export function taskView(task: Task, { people: { ada } }: Organization): Record<string, unknown> {
	const shown = Object.fromEntries(Object.entries(task).filter(([name]) => !NOT_SHOWN.has(name)));
	const person = { id: task.assigned_to, name: task.assigned_to === ada ? 'Ada Okafor' : 'Ben Silva' };
	const agent = { id: task.assigned_agent, name: 'Redliner' };
	const assignees = [person, agent].filter(({ id }) => id !== null);
	return { ...shown, assignees, url: `https://app.legal-ai.example/tasks/${task.display_id}` };
}

/** GET and POST /tasks, GET and PATCH /tasks/{task_id}. */
export function taskRoutes(app: FastifyInstance, { tasks, organization }: Service): void {
	const view = (task: Task): Record<string, unknown> => taskView(task, organization);

	app.get<{ Querystring: TaskQuery }>('/tasks', ({ query }) => {
		const page = taskPage(tasks, query);
		return { tasks: page.tasks.map(view), next_cursor: page.next };
	});

	app.post<{ Body: unknown }>('/tasks', ({ body }) => {
		const draft = newTask(body);
		if (draft.parent_task_id != null) tasks.get(draft.parent_task_id);
		return view(tasks.create(draft));
	});

	app.get<{ Params: { task_id: string } }>('/tasks/:task_id', ({ params }) => view(tasks.get(params.task_id)));

	app.patch<{ Params: { task_id: string }; Body: unknown }>('/tasks/:task_id', ({ params, body }) => {
		const task = tasks.get(params.task_id);
		tasks.update(task, taskChange(body));
		return view(task);
	});
}
