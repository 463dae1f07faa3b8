import type { IDataObject } from 'n8n-workflow';

import { fillText, hints, responseDetails, serviceDetails, serviceMessages } from '../messages';
import type { LegalAiClient, Turn } from './client';
import { ApiError } from './errors';
import { isRecord, type JsonRecord } from './json';
import { paginate, type List, type Page } from './pagination';
import { fetchLatest, type Thing } from './thing';

/** A task: its fields are whatever the service has, beside the ID. */
export interface Task extends IDataObject {
	id: string;
}

/** What both a new task and a change of one can have. */
export interface SettableFields {
	assigned_agent?: string;
	assigned_team_id?: string;
	assigned_to?: string;
	/** ISO 8601. */
	complete_by?: string;
	description?: string;
	draft?: boolean;
	linked_items?: unknown[];
	matter_id?: string;
	priority?: string | number;
	status?: string | number;
	tags?: string[];
}

/** The body of POST /tasks. */
export interface NewTask extends SettableFields {
	title: string;
	parent_task_id?: string;
}

/** The body of PATCH /tasks/{task_id}, except that null empties some fields. */
export interface TaskChange extends SettableFields {
	title?: string;
	additional_context?: string;
	archived?: boolean;
}

/** A task that is created, or waited for. */
export const task: Thing<Task> = {
	notFound: serviceMessages.taskNotFound,
	path: () => ['tasks'],
	read: readTask,
	isOver: ({ archived }) => archived === true,
	isSentAgain: () => false,
	unanswered: readTask,
	opensSession: false,
	waiting: (until) => fillText(hints.waitingForTasks, { until }),
};

/** Creates a task, once. */
export async function createTask(
	client: LegalAiClient,
	body: NewTask,
	turn: Turn = {},
): Promise<Task> {
	return await client.request(
		{
			method: 'POST',
			words: { notFound: task.notFound, maybeAccepted: serviceDetails.taskMaybeAccepted },
			path: task.path({}),
			body: { ...body },
			idempotent: false,
			...turn,
		},
		readTask,
	);
}

/** Changes the fields of a task that the body has, and no others. An answer without the task is a success, too. */
export async function updateTask(
	client: LegalAiClient,
	id: string,
	body: { readonly [Name in keyof TaskChange]: TaskChange[Name] | null },
): Promise<Task> {
	const changed = await client.request(
		{
			method: 'PATCH',
			words: { notFound: task.notFound },
			path: [...task.path({}), id],
			body: { ...body },
		},
		findTask,
	);
	return changed ?? (await fetchLatest(client, task, { id }));
}

/**
 * Reads a task: the answer itself, or the object under `task` or `data` in it.
 *
 * @throws {ApiError} of kind `invalidResponse` if none of them has an id
 */
export function readTask(answer: unknown): Task {
	const task = findTask(answer);
	if (task === undefined)
		throw new ApiError('invalidResponse', { serviceMessage: responseDetails.taskWithoutId });
	return task;
}

function findTask(answer: unknown): Task | undefined {
	const task = isRecord(answer) ? [answer, answer.task, answer.data].find(hasId) : undefined;
	return task && { ...(task as IDataObject), id: task.id };
}

function hasId(value: unknown): value is JsonRecord & { id: string } {
	return isRecord(value) && typeof value.id === 'string' && value.id !== '';
}

/** Flags of tasks. The list leaves out the tasks that have one unless it is filtered for. */
export const TASK_FLAGS = ['archived', 'draft'] as const;

export type TaskFlag = (typeof TASK_FLAGS)[number];

/** What the list of tasks can be filtered by at the service, beside flags and statuses. */
export interface TaskFilters {
	assigned_to?: string;
	complete_by_from?: string;
	complete_by_to?: string;
	involving?: string;
	priority?: string;
	query?: string;
	/** Separated by commas. */
	tags?: string;
	team_id?: string;
}

/** The list of tasks, and which part of it is wanted. */
export interface TaskList extends Pick<List, 'pageSize'> {
	query?: TaskFilters;
	/** Only tasks that have all of these. */
	flags?: readonly TaskFlag[];
	/** Only tasks that have one of these; empty for all. */
	statuses?: readonly string[];
}

/**
 * The pages of the list of tasks. A service may take a flag for "these too", and ignore a status that it does not know: tasks that say
 * that they lack a flag, or have another status, are left out.
 *
 * @param from the cursor to begin with, if not with the first page
 * @throws {ApiError} of kind `filterIgnored` if, in the whole list, some tasks do not pass such a filter and none does
 */
export async function* paginateTasks(
	client: LegalAiClient,
	{ flags = [], statuses = [], query, ...list }: TaskList,
	from?: string,
): AsyncGenerator<Page, void> {
	const filters: List['query'] = Object.fromEntries(flags.map((flag) => [flag, 'true']));
	if (statuses.length > 0) filters.status = statuses.join(',');
	const seenStatuses = new Set<string>();
	/** Flags that some tasks have, and that some say they lack. */
	const [found, lacking] = [new Set<TaskFlag>(), new Set<TaskFlag>()];
	for await (const { records, next } of paginate(
		client,
		{ ...list, name: 'tasks', query: { ...query, ...filters } },
		from,
	)) {
		for (const task of records) {
			seenStatuses.add(String(task.status));
			for (const flag of flags) {
				if (task[flag] === true) found.add(flag);
				if (task[flag] === false) lacking.add(flag);
			}
		}
		const passing = records.filter(
			(task) =>
				(statuses.length === 0 || statuses.includes(String(task.status))) &&
				flags.every((flag) => task[flag] !== false),
		);
		yield { records: passing, next };
	}
	if (from !== undefined) return;
	const flag = flags.find((each) => lacking.has(each) && !found.has(each));
	if (flag !== undefined) throw filterIgnored(fillText(responseDetails.flagFalse, { flag }));
	if (statuses.length === 0 || seenStatuses.size === 0) return;
	if (statuses.some((status) => seenStatuses.has(status))) return;
	const others = [...seenStatuses].map((status) => `"${status}"`).join(', ');
	throw filterIgnored(fillText(responseDetails.otherStatuses, { statuses: others }));
}

function filterIgnored(serviceMessage: string): ApiError {
	return new ApiError('filterIgnored', { serviceMessage });
}
