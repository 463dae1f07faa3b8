import { TASK_FLAGS, type TaskList } from '../../api/tasks';
import { dateTime } from '../../parameters/dateTime';
import { chosenValues, list } from '../../parameters/list';
import type { FieldDescription, ValuesOf } from '../../parameters/parameter';
import { text } from '../../parameters/text';
import { flag, person, priority, team } from './taskFields';

/** Statuses, chosen from those of the user's tasks, or any others. */
export function statuses(field: FieldDescription & { description: string }): ReturnType<typeof chosenValues> {
	const more = { description: `${field.description}. The list shows the statuses of your tasks. To enter others, switch to Expression, e.g. completed, on_hold.` };
	return chosenValues({ ...field, ...more }, 'getStatuses');
}

/** What the list of tasks can be filtered by, by the API's names. */
export const filterFields = {
	archived: flag('Archived', { default: true, description: 'Whether to return only archived tasks, if your service can filter for them' }),
	assigned_to: person({ displayName: 'Assigned To', name: 'assignedTo', description: 'Only tasks that this person is responsible for' }),
	draft: flag('Draft', { default: true, description: 'Whether to return only drafts, if your service can filter for them' }),
	complete_by_from: dateTime({ displayName: 'Due After', name: 'completeByFrom', description: 'Only tasks due at this time or later' }, 'start'),
	complete_by_to: dateTime({ displayName: 'Due Before', name: 'completeByTo', description: 'Only tasks due at this time or earlier' }, 'end'),
	involving: person({
		displayName: 'Involving',
		name: 'involving',
		description: 'Only tasks that are assigned to this person, created by them, or shared with them',
	}),
	priority: priority({ description: 'Only tasks with this priority' }),
	query: text({
		displayName: 'Search',
		name: 'query',
		placeholder: 'e.g. supplier NDA',
		description: 'Words to find in title, description, additional context and comments',
	}),
	status: statuses({ displayName: 'Status', name: 'status', description: 'Only tasks with one of these statuses' }),
	tags: list({
		displayName: 'Tags',
		name: 'tags',
		placeholder: 'e.g. nda, supplier',
		description: 'Only tasks with these labels, separated by commas',
	}),
	team_id: team('searchTaskTeams', { displayName: 'Team', name: 'teamId', description: 'Only tasks of this team' }),
};

/** The part of the list of tasks that passes the filters. */
export function filteredList(filters: ValuesOf<typeof filterFields>): Required<Omit<TaskList, 'pageSize'>> {
	const { archived, draft, status, priority: rank, tags, ...others } = filters;
	const query = { ...others, status: status?.join(',') || undefined, priority: rank?.toString(), tags: tags?.join(',') || undefined };
	return { query, flags: TASK_FLAGS.filter((each) => ({ archived, draft })[each]) };
}
