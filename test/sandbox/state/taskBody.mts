import { invalidBody } from '../errors.mts';
import {
	isoTime,
	object,
	optionalArray,
	optionalBoolean,
	optionalString,
	optionalUuid,
	requiredString,
	type Fields,
} from '../fields.mts';
import type { TaskChange, TaskDraft } from './tasks.mts';

/** The fields that an explicit null clears; for any other field of an update, null is ignored. */
const CLEARED_BY_NULL = [
	'description',
	'additional_context',
	'assigned_to',
	'assigned_agent',
	'assigned_team_id',
	'complete_by',
	'matter_id',
] as const;

/** The body of POST /tasks, checked, without the fields that only an update sets. */
export function newTask(body: unknown): TaskDraft {
	const fields = object(body, 'The request body');
	const settable = setFields(fields);
	delete settable.archived;
	delete settable.additional_context;
	return {
		...settable,
		...present('parent_task_id', optionalUuid(fields, 'parent_task_id')),
		title: requiredString(fields, 'title'),
	};
}

/** The body of PATCH /tasks/{task_id}, checked: what it changes, by the rules for null. */
export function taskChange(body: unknown): TaskChange {
	const fields = object(body, 'The request body');
	const cleared = CLEARED_BY_NULL.filter((name) => fields[name] === null).map((name) => [name, null] as const);
	const rest = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
	return { ...setFields(rest), ...Object.fromEntries(cleared) };
}

function setFields(fields: Fields): TaskChange {
	return {
		...present('title', optionalTitle(fields)),
		...present('description', optionalString(fields, 'description')),
		...present('additional_context', optionalString(fields, 'additional_context')),
		...present('assigned_to', optionalUuid(fields, 'assigned_to')),
		...present('assigned_agent', optionalUuid(fields, 'assigned_agent')),
		...present('assigned_team_id', optionalUuid(fields, 'assigned_team_id')),
		...present('matter_id', optionalUuid(fields, 'matter_id')),
		...present('status', optionalString(fields, 'status')),
		...present('priority', optionalString(fields, 'priority')),
		...present('complete_by', optionalTime(fields)),
		...present('tags', optionalTags(fields)),
		...present('linked_items', optionalLinks(fields)),
		...present('draft', optionalBoolean(fields, 'draft')),
		...present('archived', optionalBoolean(fields, 'archived')),
	};
}

function present<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
	const change: Partial<Record<Name, Value>> = {};
	if (value !== undefined) change[name] = value;
	return change;
}

function optionalTitle(fields: Fields): string | undefined {
	return fields.title === undefined ? undefined : requiredString(fields, 'title');
}

function optionalTime(fields: Fields): string | undefined {
	const value = optionalString(fields, 'complete_by');
	if (value === undefined) return undefined;
	const time = isoTime(value);
	if (time === undefined) throw invalidBody('complete_by must be an ISO 8601 date-time');
	return new Date(time).toISOString();
}

function optionalTags(fields: Fields): string[] | undefined {
	return optionalArray(fields, 'tags')?.map((tag) => {
		if (typeof tag !== 'string') throw invalidBody('tags must be strings');
		return tag;
	});
}

/** The specification says only that a linked item is an object. */
function optionalLinks(fields: Fields): Fields[] | undefined {
	return optionalArray(fields, 'linked_items')?.map((item) => object(item, 'A linked item'));
}
