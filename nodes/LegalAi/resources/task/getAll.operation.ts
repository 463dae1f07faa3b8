import { readObject } from '../../api/json';
import { collect } from '../../api/pagination';
import { paginateTasks, TASK_FLAGS } from '../../api/tasks';
import { defineOperation } from '../../execution/operation';
import { hints } from '../../messages/hints';
import { fillText } from '../../messages/template';
import { collection, optionsOf } from '../../parameters/collection';
import { dateTime } from '../../parameters/dateTime';
import { chosenValues, list } from '../../parameters/list';
import { number, resultLimit } from '../../parameters/number';
import { text } from '../../parameters/text';
import { simplifiedFields, simplify, taskItem } from './simplify';
import { flag, person, priority, team } from './taskFields';

const LARGEST_PAGE = 100;

/** GET /tasks, page after page. */
export const getAll = defineOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many tasks',
		description: 'List or search tasks, ordered by priority and due date. Archived tasks and drafts are left out unless you filter for them.',
	},
	parameters: {
		limit: resultLimit(),
		filters: collection(
			{ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' },
			{
				archived: flag('Archived', {
					default: true,
					description: 'Whether to return only archived tasks, which are otherwise left out',
				}),
				assigned_to: person({
					displayName: 'Assigned To',
					name: 'assignedTo',
					description: 'Only tasks that this person is responsible for',
				}),
				draft: flag('Draft', {
					default: true,
					description: 'Whether to return only drafts, which are otherwise left out',
				}),
				complete_by_from: dateTime(
					{ displayName: 'Due After', name: 'completeByFrom', description: 'Only tasks due at this time or later' },
					'start',
				),
				complete_by_to: dateTime(
					{ displayName: 'Due Before', name: 'completeByTo', description: 'Only tasks due at this time or earlier' },
					'end',
				),
				involving: person({
					displayName: 'Involving',
					name: 'involving',
					description: 'Only tasks that this person is responsible for, created, or has access to',
				}),
				priority: priority({ description: 'Only tasks with this priority' }),
				query: text({
					displayName: 'Search',
					name: 'query',
					placeholder: 'e.g. supplier NDA',
					description: 'Words to find in title, description, additional context and comments',
				}),
				status: chosenValues(
					{
						displayName: 'Status',
						name: 'status',
						description: 'Only tasks with one of these statuses. The list shows the statuses of your tasks. To enter others, switch to Expression, e.g. completed, on_hold.',
					},
					'getStatuses',
				),
				tags: list({
					displayName: 'Tags',
					name: 'tags',
					placeholder: 'e.g. nda, supplier',
					description: 'Only tasks with these labels, separated by commas',
				}),
				team_id: team('searchTaskTeams', { displayName: 'Team', name: 'teamId', description: 'Only tasks of this team' }),
			},
		),
		isSimplified: simplify,
		options: optionsOf({
			pageSize: number(
				{
					displayName: 'Page Size',
					name: 'pageSize',
					default: LARGEST_PAGE,
					description: 'How many tasks to load with each request, up to 100',
				},
				{ min: 1, max: LARGEST_PAGE, whole: true },
			),
		}),
	},
	output: simplifiedFields,
	execute: async ({ client, hint }, { limit, filters, isSimplified, options }) => {
		const { archived, draft, status = [], ...others } = filters;
		const flags = TASK_FLAGS.filter((flag) => ({ archived, draft })[flag]);
		const query = { ...others, priority: others.priority?.toString(), tags: others.tags?.join(',') || undefined };
		const isFilteredByStatusAlone = flags.length === 0 && Object.values(query).every((value) => value === undefined);
		const missing = new Set(status);
		const pages = paginateTasks(client, {
			query: { ...query, status: status.join(',') || undefined },
			// Of tasks with a flag, any number may be left out of a page.
			pageSize: flags.length > 0 ? options.pageSize : Math.min(options.pageSize, limit),
			flags,
		});
		const items = await collect(pages, limit, (task) => {
			missing.delete(String(task.status));
			return taskItem(readObject(task), isSimplified);
		});
		if (isFilteredByStatusAlone && missing.size > 0 && items.length < limit) {
			hint(fillText(hints.noTaskWithStatus, { statuses: [...missing].map((each) => `"${each}"`).join(', ') }));
		}
		return items;
	},
});
