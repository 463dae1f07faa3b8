import { invalidParameter } from '../errors.mts';
import { isoTime, isUuid } from '../fields.mts';
import { comparePlaces, placeOf } from './taskOrder.mts';
import type { Task, Tasks } from './tasks.mts';

/** The query of GET /tasks. A parameter that is given twice is an array. */
export type TaskQuery = Readonly<Record<string, unknown>>;

/** Whether a task is wanted. */
export type Filter = (task: Task) => boolean;

/** The page that a query asks for, and the cursor of the next page. */
export function taskPage(all: Tasks, query: TaskQuery): { tasks: Task[]; next: string | null } {
	const limit = readLimit(query);
	const matches = taskFilter(query);
	const ordered = all.ordered();
	const start = firstOfPage(all, text(query, 'cursor'), limit);
	const found: Task[] = [];
	for (let index = start; index < ordered.length && found.length <= limit; index += 1) {
		const task = ordered[index];
		if (task !== undefined && matches(task)) found.push(task);
	}
	const tasks = found.slice(0, limit);
	const last = tasks.at(-1);
	return { tasks, next: found.length > limit && last !== undefined ? all.cursorAfter(last, limit) : null };
}

/** Whether a task is one that a query asks for. */
export function taskFilter(query: TaskQuery): Filter {
	const filters = readFilters(query);
	return (task) => filters.every((matches) => matches(task));
}

function readLimit(query: TaskQuery): number {
	const limit = text(query, 'limit') ?? '20';
	if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > 100) {
		throw invalidParameter('limit must be an integer from 1 to 100');
	}
	return Number(limit);
}

function readFilters(query: TaskQuery): Filter[] {
	const filters: (Filter | undefined)[] = [
		flag(query, 'archived'),
		flag(query, 'draft'),
		given(text(query, 'query')?.toLowerCase(), (words) => (task) => searched(task).includes(words)),
		given(list(query, 'status'), (statuses) => (task) => statuses.includes(task.status)),
		given(text(query, 'priority'), (priority) => (task) => task.priority === priority),
		given(uuid(query, 'assigned_to'), (person) => (task) => task.assigned_to === person),
		given(uuid(query, 'involving'), (person) => (task) => involved(task).includes(person)),
		given(uuid(query, 'team_id'), (team) => (task) => task.team_id === team),
		given(list(query, 'tags'), (tags) => (task) => tags.some((tag) => task.tags.includes(tag))),
		given(time(query, 'complete_by_from'), (from) => (task) => (due(task) ?? -Infinity) >= from),
		given(time(query, 'complete_by_to'), (to) => (task) => (due(task) ?? Infinity) <= to),
	];
	return filters.filter((filter) => filter !== undefined);
}

function given<Value>(value: Value | undefined, filter: (value: Value) => Filter): Filter | undefined {
	return value === undefined ? undefined : filter(value);
}

/** A filter by a flag returns only the tasks that have it. Without the filter, those tasks are left out. */
function flag(query: TaskQuery, name: 'archived' | 'draft'): Filter {
	const value = text(query, name) ?? 'false';
	if (value !== 'true' && value !== 'false') throw invalidParameter(`${name} must be true or false`);
	return (task) => task[name] === (value === 'true');
}

function text(query: TaskQuery, name: string): string | undefined {
	const value = query[name];
	if (value === undefined) return undefined;
	if (typeof value !== 'string') throw invalidParameter(`${name} must be given once`);
	return value;
}

function list(query: TaskQuery, name: string): string[] | undefined {
	return text(query, name)
		?.split(',')
		.map((part) => part.trim());
}

function uuid(query: TaskQuery, name: string): string | undefined {
	const value = text(query, name);
	if (value !== undefined && !isUuid(value)) throw invalidParameter(`${name} must be a uuid`);
	return value?.toLowerCase();
}

function time(query: TaskQuery, name: string): number | undefined {
	const value = text(query, name);
	if (value === undefined) return undefined;
	const ms = isoTime(value);
	if (ms === undefined) throw invalidParameter(`${name} must be an ISO 8601 timestamp`);
	return ms;
}

const due = (task: Task): number | undefined => (task.complete_by === null ? undefined : Date.parse(task.complete_by));

const involved = (task: Task): (string | null)[] => [task.assigned_to, task.created_by, ...task.shared_with];

function searched({ title, description, additional_context, comments }: Task): string {
	return [title, description, additional_context, ...comments].join('\n').toLowerCase();
}

/** The index at which a page begins. */
function firstOfPage(all: Tasks, cursor: string | undefined, limit: number): number {
	if (cursor === undefined) return 0;
	const issued = all.cursors.get(cursor);
	if (issued === undefined) throw invalidParameter('cursor is malformed');
	if (issued.limit !== limit) throw invalidParameter('limit must be the one that the cursor was issued with');
	const index = all.ordered().findIndex((task) => comparePlaces(placeOf(task), issued.place) > 0);
	return index === -1 ? Infinity : index;
}
