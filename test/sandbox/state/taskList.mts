import { Refusal } from '../errors.mts';
import type { Task, Tasks } from './tasks.mts';

/** Whether a task is one that a parameter of GET /tasks asks for. */
const FILTERS = {
	archived: ({ archived }, value) => String(archived) === value,
	draft: ({ draft }, value) => String(draft) === value,
	query: ({ title, description, additional_context, comments }, words) =>
		[title, description, additional_context, ...comments]
			.join('\n')
			.toLowerCase()
			.includes(words.toLowerCase()),
	status: ({ status }, statuses) => splitList(statuses).includes(status),
	priority: ({ priority }, value) => priority === value,
	assigned_to: ({ assigned_to }, person) => assigned_to === person,
	involving: ({ assigned_to, created_by, shared_with }, person) =>
		[assigned_to, created_by, ...shared_with].includes(person),
	team_id: ({ team_id }, team) => team_id === team,
	tags: ({ tags }, wanted) => splitList(wanted).some((tag) => tags.includes(tag)),
	complete_by_from: (task, from) => readDueTime(task) >= Date.parse(from),
	complete_by_to: (task, to) => readDueTime(task) <= Date.parse(to),
} satisfies Readonly<Record<string, (task: Task, value: string) => boolean>>;

/** The query of GET /tasks. */
export type TaskQuery = Readonly<
	Partial<Record<keyof typeof FILTERS | 'cursor' | 'limit', string>>
>;

/** The page that a query asks for, and the cursor of the next page. Archived tasks and drafts are left out unless it asks for them. */
export function taskPage(all: Tasks, query: TaskQuery) {
	const limit = Number(query.limit ?? 20);
	const wanted = Object.entries({ archived: 'false', draft: 'false', ...query });
	const filters = wanted.flatMap(([name, value]) =>
		name in FILTERS ? [[FILTERS[name as keyof typeof FILTERS], value] as const] : [],
	);
	const found = all
		.ordered()
		.slice(findFirst(all, query.cursor, limit))
		.filter((task) => filters.every(([matches, value]) => matches(task, value)));
	const tasks = found.slice(0, limit);
	const last = tasks.at(-1);
	return {
		tasks,
		next: found.length > limit && last !== undefined ? all.cursorAfter(last, limit) : null,
	};
}

/** The index at which a page begins. A cursor is tied to the page size that it was issued with. */
function findFirst(all: Tasks, cursor: string | undefined, limit: number) {
	if (cursor === undefined) return 0;
	const issued = all.cursors.get(cursor);
	if (issued?.limit !== limit) {
		throw new Refusal(
			400,
			'invalid_request_parameter',
			'cursor must be one that was issued, and limit the one that it was issued with',
		);
	}
	return all.ordered().indexOf(issued.last) + 1;
}

const splitList = (parts: string) => parts.split(',').map((part) => part.trim());

/** NaN if it has no due date. */
const readDueTime = ({ complete_by }: Task) => Date.parse(complete_by ?? '');
