import { nextPage } from '../api/pagination';
import { paginateTasks, type TaskList } from '../api/taskList';
import { idOf, taskLabel } from './label';
import { askService, type ListSearch } from './search';

const TASKS_A_PAGE = 50;

/** Tasks that the service finds for the words typed, a page at a time. */
export const searchTasks = taskSearch([]);

/** Drafts that the service finds for the words typed, a page at a time. */
export const searchDrafts = taskSearch(['draft']);

function taskSearch(flags: TaskList['flags']): ListSearch {
	return async function search(filter, paginationToken) {
		const page = await askService(this, async (client, budget) => {
			const query = { query: filter?.trim() || undefined };
			return await nextPage(paginateTasks(client, { flags, query, pageSize: TASKS_A_PAGE, ...budget }, paginationToken));
		});
		const results = page.records.flatMap((task) => {
			const value = idOf(task);
			return value === undefined ? [] : [{ name: taskLabel(task), value }];
		});
		return { results, paginationToken: page.next };
	};
}
