import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Run } from '../../operation';

const MOST_USEFUL = [
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

const FIELDS_KEPT = 10;

/** Whether tasks come out with the fields that matter most, or with all. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** How one item's tasks come out: as `simplify` says. */
export function readPresentation({ context }: Run, itemIndex: number): (task: IDataObject) => INodeExecutionData {
	const chosen: unknown = context.getNodeParameter('simplify', itemIndex, true);
	const raw = chosen === false || chosen === 'false';
	return (task) => ({ json: raw ? task : simplified(task) });
}

/** At most ten of a task's fields: the most useful ones that it has, then others in its own order. */
export function simplified(task: IDataObject): IDataObject {
	const known = MOST_USEFUL.filter((name) => Object.hasOwn(task, name));
	const others = Object.keys(task).filter((name) => !known.includes(name));
	return Object.fromEntries([...known, ...others].slice(0, FIELDS_KEPT).map((name) => [name, task[name]]));
}
