import type { INodeListSearchItems } from 'n8n-workflow';

import { isRecord, readObject, textOrNull, type JsonRecord } from '../api/json';
import { collect } from '../api/pagination';
import { paginateTasks } from '../api/tasks';
import { idOf, nameOf, taskLabel } from './label';
import { byName, type Load } from './search';

const TASKS_LOOKED_AT = 500;

const loadTasks: Load<JsonRecord[]> = async (client) =>
	await collect(paginateTasks(client, { pageSize: 100 }), TASKS_LOOKED_AT, (task) => task);

/** The statuses of the user's own tasks. */
export const loadStatuses: Load<TaskValue[]> = async (client) => valuesOf('status', await loadTasks(client));

/** The priorities of the user's own tasks, in the order that the service ranks them. */
export const loadPriorities: Load<TaskValue[]> = async (client) => valuesOf('priority', await loadTasks(client));

/** The user, then the people on the user's tasks. */
export const loadPeople: Load<INodeListSearchItems[]> = async (client) => {
	const user = await client.request({ method: 'GET', subject: 'other', path: ['me'] }, readObject);
	const people = referencesIn(['assigned_to', 'assignees'], await loadTasks(client));
	const { user_id: value } = user;
	if (typeof value !== 'string') return people;
	const name = [user.user_name, user.user_email].map(textOrNull).find((each) => each?.trim());
	return [{ name: name ? `Me (${name})` : 'Me', value }, ...people.filter((person) => person.value !== value)];
};

/** The teams of the user's tasks. */
export const loadTeams: Load<INodeListSearchItems[]> = async (client) =>
	referencesIn(['assigned_team_id'], await loadTasks(client));

/** The matters of the user's tasks. */
export const loadMatters: Load<INodeListSearchItems[]> = async (client) => referencesIn(['matter_id'], await loadTasks(client));

interface TaskValue {
	name: string;
	value: string | number;
}

/** Texts and numbers, each as it is: an object can't be picked. */
function valuesOf(field: string, tasks: JsonRecord[]): TaskValue[] {
	const values = tasks.flatMap((task) => {
		const value = task[field];
		return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? [value] : [];
	});
	return [...new Set(values)].map((value) => ({ name: String(value), value }));
}

/**
 * Who or what tasks refer to in those fields, as an ID or an object with one, sorted by name. What has no name is labeled with
 * a task that refers to it. The assistants among the assignees are left out.
 */
function referencesIn(fields: string[], tasks: JsonRecord[]): INodeListSearchItems[] {
	const found = new Map<string, { name?: string; label: string }>();
	for (const task of tasks) {
		for (const entry of fields.flatMap((field) => task[field])) {
			const record = isRecord(entry) ? entry : { id: entry };
			const id = idOf(record);
			if (id === undefined || id === task.assigned_agent) continue;
			const { name = nameOf(record), label = `${id} (${taskLabel(task)})` } = found.get(id) ?? {};
			found.set(id, { name, label });
		}
	}
	return [...found].map(([value, { name, label }]) => ({ name: name ?? label, value })).sort(byName);
}
