import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { toggle } from '../../parameters/choice';
import { withDefault } from '../../parameters/parameter';

/** What is most useful of a task, in this order. */
const PREFERRED_FIELDS = [
	'display_id',
	'id',
	'title',
	'status',
	'priority',
	'complete_by',
	'assigned_to',
	'tags',
	'draft',
	'archived',
	'assigned_agent',
	'assignees',
];

const MAX_FIELDS = 10;

/** Whether tasks are output with the fields that matter most, or with all. */
export const simplify = withDefault(
	toggle({
		displayName: 'Simplify',
		name: 'simplify',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	}),
	true,
);

/** A task's output item. */
export function taskItem(task: IDataObject, isSimplified: boolean): INodeExecutionData {
	return { json: isSimplified ? simplified(task) : task };
}

/** At most ten of a task's fields: the most useful ones that it has, then others in its own order. */
export function simplified(task: IDataObject): IDataObject {
	const preferred = PREFERRED_FIELDS.filter((name) => Object.hasOwn(task, name));
	const others = Object.keys(task).filter((name) => !preferred.includes(name));
	return Object.fromEntries([...preferred, ...others].slice(0, MAX_FIELDS).map((name) => [name, task[name]]));
}
