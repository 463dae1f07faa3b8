import type { INodeListSearchItems } from 'n8n-workflow';

import {
	collect,
	isRecord,
	paginateTasks,
	readObject,
	SERVICE_LIMITS,
	textOrNull,
	type JsonRecord,
} from '../api';
import { byName, idOf, labelOf, nameOf, type Load } from './search';

const TASKS_LOOKED_AT = 500;

const loadTasks: Load<JsonRecord[]> = async (client) =>
	await collect(
		paginateTasks(client, { pageSize: SERVICE_LIMITS.pageSize }),
		TASKS_LOOKED_AT,
		(task) => task,
	);

/** The texts and numbers in a field of the user's own tasks: an object can't be picked. The service ranks priorities. */
export function valuesOnTasks(
	field: string,
): Load<Array<{ name: string; value: string | number }>> {
	return async (client) => {
		const values = (await loadTasks(client)).flatMap(({ [field]: value }) =>
			typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
				? [value]
				: [],
		);
		return [...new Set(values)].map((value) => ({ name: String(value), value }));
	};
}

/** The user, then the people on the user's tasks. */
export const loadPeople: Load<INodeListSearchItems[]> = async (client) => {
	const user = await client.request({ method: 'GET', path: ['me'] }, readObject);
	const people = await referencesOnTasks('assigned_to', 'assignees')(client);
	const { user_id: value } = user;
	if (typeof value !== 'string') return people;
	const name = [user.user_name, user.user_email].map(textOrNull).find((each) => each?.trim());
	return [
		{ name: name ? `Me (${name})` : 'Me', value },
		...people.filter((person) => person.value !== value),
	];
};

/**
 * Who or what the user's tasks refer to in these fields, as an ID or an object with one, sorted by name. What has no name is
 * labeled with a task that refers to it, and its ID. The assistants among the assignees are left out.
 */
export function referencesOnTasks(...fields: string[]): Load<INodeListSearchItems[]> {
	return async (client) => {
		const found = new Map<string, { name?: string; label: string }>();
		for (const task of await loadTasks(client)) {
			for (const entry of fields.flatMap((field) => task[field])) {
				const record = isRecord(entry) ? entry : { id: entry };
				const id = idOf(record);
				if (id === undefined || id === task.assigned_agent) continue;
				const { name = nameOf(record), label = `${labelOf(task)} (${id})` } = found.get(id) ?? {};
				found.set(id, { name, label });
			}
		}
		return [...found]
			.map(([value, { name, label }]) => ({ name: name ?? label, value }))
			.sort(byName);
	};
}
