import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import type { LegalAiClient } from '../api/client';
import { isRecord, readObject, textOrNull, type JsonRecord } from '../api/json';
import { collect, type List } from '../api/pagination';
import { paginateTasks } from '../api/taskList';
import { isNamedValue, toLocatorText } from '../parameters/namedValue';
import { labelOf, taskLabel } from './label';
import { referencesIn, type ReferenceKind } from './references';
import { byName, matching, searchService } from './search';

const TASKS_LOOKED_AT = 500;

/** The statuses of the user's own tasks. */
export async function searchStatuses(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return { results: (await valuesSeen(this, 'status')).filter(matching(filter)) };
}

/** The priorities of the user's own tasks, in the order that the service ranks them. */
export async function searchPriorities(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return { results: (await valuesSeen(this, 'priority')).filter(matching(filter)) };
}

/** The user, then the people on the user's tasks. */
export async function searchPeople(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const results = await searchService(this, async (client, budget) => {
		const user = await getUser(client, budget);
		const people = referred(await loadTasks(client, budget), 'person');
		return [...user, ...people.filter(({ value }) => value !== user[0]?.value)];
	});
	return { results: results.filter(matching(filter)) };
}

/** The teams of the user's tasks. */
export async function searchTeams(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const tasks = await searchService(this, loadTasks);
	return { results: referred(tasks, 'team').filter(matching(filter)) };
}

/** The matters of the user's tasks. */
export async function searchMatters(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const tasks = await searchService(this, loadTasks);
	return { results: referred(tasks, 'matter').filter(matching(filter)) };
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

async function valuesSeen(context: ILoadOptionsFunctions, field: string): Promise<INodeListSearchItems[]> {
	const tasks = await searchService(context, loadTasks);
	const values = tasks.map((task) => task[field]).filter(isNamedValue);
	const names = new Map(values.map((value) => [toLocatorText(value), isRecord(value) ? labelOf(value) : String(value)]));
	return [...names].map(([value, name]) => ({ name: name || value, value }));
}

/** Who or what tasks refer to, by name; whatever has no name is told apart by a task that refers to it. */
function referred(tasks: JsonRecord[], kind: ReferenceKind): INodeListSearchItems[] {
	const found = new Map<string, INodeListSearchItems & { isNamed: boolean }>();
	for (const task of tasks) {
		for (const { id, name } of referencesIn(task, kind)) {
			if (found.get(id)?.isNamed === true || (name === undefined && found.has(id))) continue;
			found.set(id, { name: name ?? `${id} (${taskLabel(task)})`, value: id, isNamed: name !== undefined });
		}
	}
	return [...found.values()].map(({ name, value }) => ({ name, value })).sort(byName);
}
