import { TASK_FLAGS, type TaskFilters, type TaskFlag, type TaskList } from '../../api';
import {
	chosenValues,
	dateTime,
	list,
	text,
	type Parameter,
	type ValuesOf,
} from '../../parameters';
import { flag, person, priority, team } from './taskFields';

/** Statuses, chosen from those of the user's tasks, or any others. */
export function statuses(
	name: string,
	displayName: string,
	words: string,
): ReturnType<typeof chosenValues> {
	const description = `${words}. The list shows the statuses of your tasks. To enter others, switch to Expression, e.g. completed, on_hold.`;
	return chosenValues(name, displayName, { description }, 'getStatuses');
}

/** What the list of tasks can be filtered by, by the API's names. */
export const filterFields = {
	archived: flag(
		'Archived',
		true,
		'Whether to return only archived tasks, if your service can filter for them',
	),
	assigned_to: person(
		'assignedTo',
		'Assigned To',
		'Only tasks that this person is responsible for',
	),
	draft: flag('Draft', true, 'Whether to return only drafts, if your service can filter for them'),
	complete_by_from: dateTime(
		'completeByFrom',
		'Due After',
		{ description: 'Only tasks due at this time or later' },
		'start',
	),
	complete_by_to: dateTime(
		'completeByTo',
		'Due Before',
		{ description: 'Only tasks due at this time or earlier' },
		'end',
	),
	involving: person(
		'involving',
		'Involving',
		'Only tasks that are assigned to this person, created by them, or shared with them',
	),
	priority: priority('Only tasks with this priority'),
	query: text('query', 'Search', {
		placeholder: 'e.g. supplier NDA',
		description: 'Words to find in title, description, additional context and comments',
	}),
	status: statuses('status', 'Status', 'Only tasks with one of these statuses'),
	tags: list('tags', 'Tags', {
		placeholder: 'e.g. nda, supplier',
		description: 'Only tasks with these labels, separated by commas',
	}),
	team_id: team('searchTaskTeams', 'teamId', 'Team', 'Only tasks of this team'),
} satisfies Record<keyof TaskFilters | 'status' | TaskFlag, Parameter<unknown>>;

/** The part of the list of tasks that passes the filters. */
export function filteredList(
	filters: ValuesOf<typeof filterFields>,
): Required<Omit<TaskList, 'pageSize'>> {
	const { archived, draft, status: statuses, priority: rank, tags, ...others } = filters;
	const query = {
		...others,
		priority: rank?.toString(),
		tags: tags?.join(',') || undefined,
	};
	return {
		query,
		statuses: statuses ?? [],
		flags: TASK_FLAGS.filter((each) => ({ archived, draft })[each]),
	};
}
