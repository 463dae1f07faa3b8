/**
 * How the sandbox answers what the specification leaves open ("not shown"), or says in two ways. The defaults follow the
 * specification's own words as far as there are any. A test sets the fields on `sandbox.shapes`.
 */
export interface Shapes {
	/** The field that lists the tasks of a page; `array` answers the bare list, which leaves no room for a cursor. */
	taskList: 'tasks' | 'data' | 'items' | 'results' | 'array';
	/** The field with the next page's cursor. */
	cursorField: 'next_cursor' | 'nextCursor' | 'cursor' | 'next';
	/** Where that field is: in the page itself, or in an object of this name. */
	cursorIn: 'page' | 'pagination' | 'meta' | 'page_info' | 'paging';
	/** What the last page has there. */
	lastCursor: 'null' | 'absent' | 'empty';
	/** Lists of assistants, playbooks and templates; `named` is `{ assistants: […] }` and so on. */
	lists: 'array' | 'named' | 'data' | 'items' | 'results';
	/** The field with an assistant's name. */
	assistantName: 'name' | 'title' | 'display_name' | 'none';
	/** The field with a playbook's or template's name. */
	libraryName: 'name' | 'title' | 'display_name';
	/** A single task, created, fetched or updated: itself, or wrapped in a field, or in a field of a field. */
	task: 'bare' | 'task' | 'data' | 'data.task' | 'result' | 'item';
	/** The `Retry-After` of a 429. */
	retryAfter: 'seconds' | 'date' | 'absent' | { readonly literal: string };
	/** A synchronous question that takes longer than 30 seconds: a Question still in progress, or an error status. */
	syncPastLimit: 'in_progress' | 408 | 504;
	/** The error body of GET /me: the general one, or the one with `error` and `status`. */
	meError: 'general' | 'error_and_status';
	/** `attachments` of a completed question without files. */
	noAttachments: 'array' | 'null';
	/** Whether a generated file says its name, type and length, or null for each. */
	attachmentDetails: 'given' | 'null';
}

export const defaultShapes = (): Shapes => ({
	taskList: 'tasks',
	cursorField: 'next_cursor',
	cursorIn: 'page',
	lastCursor: 'null',
	lists: 'array',
	assistantName: 'name',
	libraryName: 'name',
	task: 'bare',
	retryAfter: 'seconds',
	syncPastLimit: 'in_progress',
	meError: 'general',
	noAttachments: 'array',
	attachmentDetails: 'given',
});

/** A whole list (assistants, playbooks, templates) in the chosen shape. */
export function shapeList(shapes: Shapes, name: string, records: readonly unknown[]): unknown {
	if (shapes.lists === 'array') return records;
	return { [shapes.lists === 'named' ? name : shapes.lists]: records };
}

/** A page of tasks in the chosen shape. */
export function shapePage(shapes: Shapes, tasks: readonly unknown[], next: string | null): unknown {
	if (shapes.taskList === 'array') return tasks;
	const last = { null: { [shapes.cursorField]: null }, absent: {}, empty: { [shapes.cursorField]: '' } };
	const cursor = next === null ? last[shapes.lastCursor] : { [shapes.cursorField]: next };
	return { [shapes.taskList]: tasks, ...(shapes.cursorIn === 'page' ? cursor : { [shapes.cursorIn]: cursor }) };
}

/** One task in the chosen shape. */
export function shapeTask(shapes: Shapes, task: unknown): unknown {
	if (shapes.task === 'bare') return task;
	return shapes.task.split('.').reduceRight((inner, field) => ({ [field]: inner }), task);
}

/** A name under the chosen field. */
export function shapeName(field: Shapes['assistantName'], name: string): Record<string, string> {
	return field === 'none' ? {} : { [field]: name };
}
