import { readObject } from '../../api/json';
import { collect, paginate } from '../../api/pagination';
import { defineOperation } from '../../execution/operation';
import { collection } from '../../parameters/collection';
import { dateTime } from '../../parameters/dateTime';
import { commaSeparated } from '../../parameters/list';
import { number, resultLimit } from '../../parameters/number';
import { withDefault } from '../../parameters/parameter';
import { text, word } from '../../parameters/text';
import { simplifiedFields, simplify, taskItem } from './simplify';
import { personFilter, priorityFilter } from './taskFields';

const LARGEST_PAGE = 100;

/** GET /tasks, page after page. */
export const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many tasks',
		description: 'List or search tasks, in the order of priority and due date, without archived tasks and drafts',
	},
	parameters: {
		limit: resultLimit(),
		isSimplified: simplify,
		filters: collection(
			{ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' },
			{
				assigned_to: personFilter({
					displayName: 'Assigned To',
					name: 'assignedTo',
					description: 'ID of the person who is responsible',
				}),
				complete_by_from: dateTime({
					displayName: 'Due From',
					name: 'completeByFrom',
					description: 'Only tasks due at this time or later. If it has no offset, the time zone of the workflow applies.',
				}),
				complete_by_to: dateTime({
					displayName: 'Due Until',
					name: 'completeByTo',
					description: 'Only tasks due at this time or earlier. If it has no offset, the time zone of the workflow applies.',
				}),
				involving: personFilter({
					displayName: 'Involving',
					name: 'involving',
					description: 'ID of a person who is responsible for the task, created it, or has access to it',
				}),
				priority: priorityFilter,
				query: text({
					displayName: 'Search',
					name: 'query',
					placeholder: 'e.g. supplier NDA',
					description: 'Words to find in title, description, additional context and comments',
				}),
				status: commaSeparated({
					displayName: 'Status',
					name: 'status',
					placeholder: 'e.g. in_progress, completed',
					description: 'Only tasks with one of these statuses, separated by commas',
				}),
				tags: commaSeparated({
					displayName: 'Tags',
					name: 'tags',
					placeholder: 'e.g. nda, supplier',
					description: 'Only tasks with these labels, separated by commas',
				}),
				team_id: word({
					displayName: 'Team ID',
					name: 'teamId',
					placeholder: 'e.g. 9b54c0d6-b82a-4375-ae19-cfd4e3526b70',
					description: 'Only tasks of this team',
				}),
			},
		),
		options: collection(
			{ displayName: 'Options', name: 'options', placeholder: 'Add Option' },
			{
				pageSize: withDefault(
					number(
						{
							displayName: 'Page Size',
							name: 'pageSize',
							default: LARGEST_PAGE,
							description: 'How many tasks to load with each request, up to 100',
						},
						{ min: 1, max: LARGEST_PAGE, whole: true },
					),
					LARGEST_PAGE,
				),
			},
		),
	},
	output: simplifiedFields,
	execute: async ({ client }, { limit, isSimplified, filters, options }) => {
		const pages = paginate(client, { name: 'tasks', query: filters, pageSize: Math.min(options.pageSize, limit) });
		return await collect(pages, limit, (task) => taskItem(readObject(task), isSimplified));
	},
});
