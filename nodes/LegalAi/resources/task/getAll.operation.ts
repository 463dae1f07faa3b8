import { readObject } from '../../api/json';
import { take, walk, type List } from '../../api/paging';
import type { Operation, Run } from '../../operation';
import { refusal } from '../../parameters';
import { limitFields, readLimit } from '../limit';
import { collectionOf, readCollection } from './fields';
import { taskFilters } from './filters';
import { readPresentation, simplifyField } from './simplify';

const LARGEST_PAGE = 100;

/** GET /tasks, page after page. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many tasks',
		description: 'List or search tasks, by priority and due date. Archived tasks and drafts are not in it.',
	},
	fields: [
		...limitFields,
		simplifyField,
		collectionOf({ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' }, taskFilters),
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				{
					displayName: 'Page Size',
					name: 'pageSize',
					type: 'number',
					typeOptions: { minValue: 1, maxValue: LARGEST_PAGE },
					default: LARGEST_PAGE,
					description: 'How many tasks to fetch with each request, up to 100',
				},
			],
		},
	],
	plan: (run, itemIndex) => {
		const limit = readLimit(run, itemIndex);
		const list: List = {
			name: 'tasks',
			query: readFilters(run, itemIndex),
			pageSize: Math.min(readPageSize(run, itemIndex), limit),
		};
		const present = readPresentation(run, itemIndex);
		return { perform: async () => await take(walk(run.client, list), limit, (task) => present(readObject(task))) };
	},
};

function readFilters(run: Run, itemIndex: number): Record<string, string> {
	const filters = readCollection(run, itemIndex, 'filters', taskFilters);
	return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]));
}

function readPageSize(run: Run, itemIndex: number): number {
	const pageSize = Number(run.context.getNodeParameter('options.pageSize', itemIndex, LARGEST_PAGE));
	if (Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= LARGEST_PAGE) return pageSize;
	throw refusal(
		run,
		itemIndex,
		"'Page Size' is not a whole number from 1 to 100",
		"Enter one, or remove it from 'Options' to have pages of 100.",
	);
}
