import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { LegalAiClient } from '../api/client';
import { isRecord, readObject, textOrNull, type JsonRecord } from '../api/json';
import { collect, type List } from '../api/pagination';
import { paginateTasks } from '../api/taskList';
import { idOf, nameOf, taskLabel } from './label';
import { byName, matching, searchService } from './search';

const TASKS_LOOKED_AT = 500;

/** Fields in which a task refers to people, teams and matters. */
const PEOPLE = ['assigned_to', 'assignees'];
const TEAMS = ['assigned_team_id'];
const MATTERS = ['matter_id'];

/** The statuses of the user's own tasks. */
export async function searchStatuses(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return { results: (await valuesSeen(this, 'status')).filter(matching(filter)) };
}

/** The same, to choose several of. */
export async function getStatuses(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await valuesSeen(this, 'status');
}

/** The priorities of the user's own tasks, in the order that the service ranks them. */
export async function searchPriorities(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return { results: (await valuesSeen(this, 'priority')).filter(matching(filter)) };
}

/** The user, then the people on the user's tasks. */
export async function searchPeople(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const results = await searchService(this, async (client, budget) => {
		const user = await getUser(client, budget);
		const people = referred(await loadTasks(client, budget), PEOPLE);
		return [...user, ...people.filter(({ value }) => value !== user[0]?.value)];
	});
	return { results: results.filter(matching(filter)) };
}

/** The teams of the user's tasks. */
export async function searchTeams(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return { results: referred(await searchService(this, loadTasks), TEAMS).filter(matching(filter)) };
}

/** The matters of the user's tasks. */
export async function searchMatters(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return { results: referred(await searchService(this, loadTasks), MATTERS).filter(matching(filter)) };
}

type Budget = Pick<List, 'deadline'>;

async function loadTasks(client: LegalAiClient, budget: Budget): Promise<JsonRecord[]> {
	return await collect(paginateTasks(client, { pageSize: 100, ...budget }), TASKS_LOOKED_AT, (task) => task);
}

async function getUser(client: LegalAiClient, budget: Budget): Promise<INodeListSearchItems[]> {
	const user = await client.request({ method: 'GET', subject: 'other', path: ['me'], ...budget }, readObject);
	const name = [user.user_name, user.user_email].map(textOrNull).find((each) => each?.trim());
	return typeof user.user_id === 'string' ? [{ name: name ? `Me (${name})` : 'Me', value: user.user_id }] : [];
}

/** Texts and numbers, each as it is: an object can't be picked. */
async function valuesSeen(context: ILoadOptionsFunctions, field: string): Promise<Array<{ name: string; value: string | number }>> {
	const tasks = await searchService(context, loadTasks);
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
function referred(tasks: JsonRecord[], fields: string[]): INodeListSearchItems[] {
	const names = new Map<string, string | undefined>();
	const labels = new Map<string, string>();
	for (const task of tasks) {
		for (const entry of fields.flatMap((field) => task[field])) {
			const id = isRecord(entry) ? idOf(entry) : idOf({ id: entry });
			if (id === undefined || id === task.assigned_agent) continue;
			names.set(id, names.get(id) ?? (isRecord(entry) ? nameOf(entry) : undefined));
			if (!labels.has(id)) labels.set(id, `${id} (${taskLabel(task)})`);
		}
	}
	return [...names].map(([value, name]) => ({ name: name ?? labels.get(value) ?? value, value })).sort(byName);
}
