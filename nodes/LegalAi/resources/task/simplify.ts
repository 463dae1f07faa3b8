import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { listField, recordField, TASK_FLAGS, textField } from '../../api';
import { toggle } from '../../parameters';

/** The fields of a simplified task, in this order; a flag that is true stands after the status. */
export const simplifiedFields = {
	display_id: textField,
	title: textField,
	status: textField,
	id: textField,
	description: textField,
	priority: textField,
	complete_by: textField,
	assignees: listField(recordField({ id: textField, name: textField })),
	tags: listField(textField),
	linked_items: listField(),
};

const MAX_FIELDS = Object.keys(simplifiedFields).length;

const FLAGS: string[] = [...TASK_FLAGS, 'timed_out'];

/** Whether to output a task's most useful fields alone. */
export const simplify = toggle('simplify', 'Simplify', {
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** A task's output item. */
export function taskItem(task: IDataObject, isSimplified: boolean): INodeExecutionData {
	return { json: isSimplified ? simplified(task) : task };
}

/** At most ten of a task's fields: the most useful ones that it has, then others in its own order. */
export function simplified(task: IDataObject): IDataObject {
	const isShown = (name: string): boolean => {
		if (FLAGS.includes(name)) return task[name] === true;
		// The ID alone does not tell a reader who it is.
		if (name === 'assigned_to') return !Object.hasOwn(task, 'assignees');
		return Object.hasOwn(task, name);
	};
	const useful = Object.keys(simplifiedFields).flatMap((name) =>
		name === 'status' ? [name, ...FLAGS] : [name],
	);
	const names = new Set([...useful, ...Object.keys(task)].filter(isShown));
	return Object.fromEntries([...names].slice(0, MAX_FIELDS).map((name) => [name, task[name]]));
}
