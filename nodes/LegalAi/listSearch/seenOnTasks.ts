import type { ILoadOptionsFunctions, INodeListSearchItems, INodePropertyOptions } from 'n8n-workflow';

import { isRecord, readObject, textOrNull, type JsonRecord } from '../api/json';
import { collect } from '../api/pagination';
import { paginateTasks } from '../api/taskList';
import { idOf, nameOf, taskLabel } from './label';
import { askService, byName, wholeList, type Load } from './search';

const TASKS_LOOKED_AT = 500;

const loadTasks: Load<JsonRecord[]> = async (client, budget) =>
	await collect(paginateTasks(client, { pageSize: 100, ...budget }), TASKS_LOOKED_AT, (task) => task);

/** The statuses of the user's own tasks. */
export const searchStatuses = wholeList(async (...service) => valuesOf('status', await loadTasks(...service)));

/** The same, for choosing several. */
export async function getStatuses(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return valuesOf('status', await askService(this, loadTasks));
}

/** The priorities of the user's own tasks, in the order that the service ranks them. */
export const searchPriorities = wholeList(async (...service) => valuesOf('priority', await loadTasks(...service)));

/** The user, then the people on the user's tasks. */
export const searchPeople = wholeList(async (...service) => {
	const user = await loadUser(...service);
	const people = referencesIn(['assigned_to', 'assignees'], await loadTasks(...service));
	return [...user, ...people.filter(({ value }) => value !== user[0]?.value)];
});

/** The teams of the user's tasks. */
export const searchTeams = wholeList(async (...service) => referencesIn(['assigned_team_id'], await loadTasks(...service)));

/** The matters of the user's tasks. */
export const searchMatters = wholeList(async (...service) => referencesIn(['matter_id'], await loadTasks(...service)));

const loadUser: Load<INodeListSearchItems[]> = async (client, budget) => {
	const user = await client.request({ method: 'GET', subject: 'other', path: ['me'], ...budget }, readObject);
	const name = [user.user_name, user.user_email].map(textOrNull).find((each) => each?.trim());
	return typeof user.user_id === 'string' ? [{ name: name ? `Me (${name})` : 'Me', value: user.user_id }] : [];
};

/** Texts and numbers, each as it is: an object can't be picked. */
function valuesOf(field: string, tasks: JsonRecord[]): Array<{ name: string; value: string | number }> {
	const values = tasks.flatMap((task) => {
		const value = task[field];
		return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? [value] : [];
	});
	return [...new Set(values)].map((value) => ({ name: String(value), value }));
}

/**
 * Who or what tasks refer to in those fields, as an ID or an object with one, sorted by name. What has no name is told apart
 * by a task that refers to it. The assistants among the assignees are left out.
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
