import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { textOrNull, type JsonRecord } from '../api/json';
import { collect, nextPage, paginate } from '../api/pagination';
import { idOf, labelOf } from './label';
import { searchService } from './search';

const TASKS_A_PAGE = 50;
const TASKS_LOOKED_AT = 500;

/** The statuses that the API's specification uses as examples; it lists none. */
const KNOWN_STATUSES = ['in_progress', 'completed'];

/** Tasks that the service finds for the words typed, a page at a time. */
export async function searchTasks(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const page = await searchService(this, async (client, budget) => {
		const query = { query: filter?.trim() || undefined };
		const from = paginationToken === undefined ? undefined : Object.fromEntries(new URLSearchParams(paginationToken));
		return await nextPage(client, { name: 'tasks', query, pageSize: TASKS_A_PAGE, ...budget }, from);
	});
	const results = page.records.flatMap((task) => {
		const value = idOf(task);
		return value === undefined ? [] : [{ name: nameOf(task), value }];
	});
	return { results, paginationToken: page.next && new URLSearchParams(page.next).toString() };
}

/** The statuses of the user's own tasks. */
export async function searchStatuses(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return await valuesSeen(this, 'status', KNOWN_STATUSES, filter);
}

/** The priorities of the user's own tasks, in the order that the service ranks them. */
export async function searchPriorities(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return await valuesSeen(this, 'priority', [], filter);
}

async function valuesSeen(
	context: ILoadOptionsFunctions,
	field: string,
	known: string[],
	filter = '',
): Promise<INodeListSearchResult> {
	const seen = await searchService(context, async (client, budget) => {
		const tasks = paginate(client, { name: 'tasks', pageSize: 100, ...budget });
		return await collect(tasks, TASKS_LOOKED_AT, (task) => textOrNull(task[field]) ?? '');
	});
	const values = new Set([...known, ...seen].filter((value) => value !== ''));
	const words = filter.trim().toLowerCase();
	return {
		results: [...values]
			.filter((value) => value.toLowerCase().includes(words))
			.map((value) => ({ name: value, value })),
	};
}

/** E.g. `LEGAL-12 Review supplier NDA`. */
function nameOf(task: JsonRecord): string {
	const key = textOrNull(task.display_id);
	return key === null ? labelOf(task) : `${key} ${labelOf(task)}`;
}
