import { collect, paginateTasks, readObject, SERVICE_LIMITS } from '../../api';
import { defineOperation } from '../../execution/operation';
import { fillText, hints } from '../../messages';
import { collection, resultLimit } from '../../parameters';
import { filteredList, filterFields } from './filters';
import { simplifiedFields, simplify, taskItem } from './taskFields';

/** GET /tasks, page after page. */
export const getAll = defineOperation({
	option: {
		name: 'Get Many',
		action: 'Get many tasks',
		description:
			'List or search tasks, ordered by priority and due date. Archived tasks and drafts are left out unless you filter for them.',
	},
	parameters: {
		limit: resultLimit(),
		filters: collection('filters', 'Filters', { placeholder: 'Add Filter' }, filterFields),
		isSimplified: simplify,
	},
	output: simplifiedFields,
	execute: async ({ client, hint }, { limit, filters, isSimplified }) => {
		const { query, flags, statuses } = filteredList(filters);
		const isFilteredByStatusAlone =
			flags.length === 0 && Object.values(query).every((value) => value === undefined);
		const missing = new Set(statuses);
		// Of tasks with a flag, any number may be left out of a page.
		const pageSize = Math.min(SERVICE_LIMITS.pageSize, flags.length > 0 ? Infinity : limit);
		const pages = paginateTasks(client, { query, pageSize, flags, statuses });
		const items = await collect(pages, limit, (task) => {
			missing.delete(String(task.status));
			return taskItem(readObject(task), isSimplified);
		});
		if (isFilteredByStatusAlone && missing.size > 0 && items.length < limit) {
			hint(
				fillText(hints.noTaskWithStatus, {
					statuses: [...missing].map((each) => `"${each}"`).join(', '),
				}),
			);
		}
		return items;
	},
});
