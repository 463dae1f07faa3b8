import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { nextPage } from '../api/pagination';
import { paginateTasks, type TaskList } from '../api/taskList';
import { idOf, taskLabel } from './label';
import { searchService } from './search';

const TASKS_A_PAGE = 50;

/** Tasks that the service finds for the words typed, a page at a time. */
export async function searchTasks(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await findTasks(this, {}, filter, paginationToken);
}

/** Drafts that the service finds for the words typed, a page at a time. */
export async function searchDrafts(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await findTasks(this, { flags: ['draft'] }, filter, paginationToken);
}

async function findTasks(
	context: ILoadOptionsFunctions,
	list: Pick<TaskList, 'flags'>,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const page = await searchService(context, async (client, budget) => {
		const query = { query: filter?.trim() || undefined };
		return await nextPage(paginateTasks(client, { ...list, query, pageSize: TASKS_A_PAGE, ...budget }, paginationToken));
	});
	const results = page.records.flatMap((task) => {
		const value = idOf(task);
		return value === undefined ? [] : [{ name: taskLabel(task), value }];
	});
	return { results, paginationToken: page.next };
}
