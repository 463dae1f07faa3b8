import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { booleanField, listField, textField } from '../../api/fields';
import { toggle } from '../../parameters/choice';

/** The fields of a simplified task, in this order. */
export const simplifiedFields = {
	display_id: textField,
	id: textField,
	title: textField,
	status: textField,
	priority: textField,
	complete_by: textField,
	assigned_to: textField,
	tags: listField(textField),
	draft: booleanField,
	archived: booleanField,
};

const MAX_FIELDS = Object.keys(simplifiedFields).length;

/** Those fields, and the first that replace them if a task lacks some. */
const PREFERRED = [...Object.keys(simplifiedFields), 'assigned_agent', 'assignees'];

/** Whether to output a task's most useful fields alone. */
export const simplify = toggle({
	displayName: 'Simplify',
	name: 'simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** A task's output item. */
export function taskItem(task: IDataObject, isSimplified: boolean): INodeExecutionData {
	return { json: isSimplified ? simplified(task) : task };
}

/** At most ten of a task's fields: the most useful ones that it has, then others in its own order. */
export function simplified(task: IDataObject): IDataObject {
	const useful = PREFERRED.filter((name) => Object.hasOwn(task, name));
	const names = new Set([...useful, ...Object.keys(task)]);
	return Object.fromEntries([...names].slice(0, MAX_FIELDS).map((name) => [name, task[name]]));
}
