import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { booleanField, listField, textField } from '../../api/fields';
import { choices, toggle, variants } from '../../parameters/choice';
import { notForTools, onlyForTools, propertiesOf, withDefault, type Parameter, type ValueOf } from '../../parameters/parameter';
import { changeableFields, newTaskFields } from './taskFields';

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

/** Those fields, and what takes the place of those that a task lacks before its other fields do. */
const PREFERRED = [...Object.keys(simplifiedFields), 'assigned_agent', 'assignees'];

const isSimplified = notForTools(
	withDefault(
		toggle({
			displayName: 'Simplify',
			name: 'simplify',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		}),
		true,
	),
);

/** The fields that the API is known to have, by their labels. */
const allFields = [
	{ name: 'Display ID', value: 'display_id' },
	...Object.entries({ ...newTaskFields, ...changeableFields }).flatMap(([value, { properties }]) =>
		properties.map(({ displayName }) => ({ name: displayName, value })),
	),
].sort((one, other) => (one.name < other.name ? -1 : 1));

/** What a model is given costs by the field: as a tool, it can be less than a simplified task. */
const outputForTools = onlyForTools(
	variants(
		{ displayName: 'Output', name: 'output', default: 'simple', description: 'How much of each task to return' },
		{
			simple: { name: 'Simplified', description: 'The ten most useful fields' },
			raw: { name: 'Raw', description: 'All fields' },
			fields: {
				name: 'Selected Fields',
				description: 'The ID and the fields of your choice',
				parameters: {
					names: choices({ displayName: 'Fields', name: 'fields', description: 'Fields to return besides the ID' }, allFields),
				},
			},
		},
	),
);

/** How much of a task is output. */
export const taskDetail: Parameter<ValueOf<typeof outputForTools>> = {
	properties: propertiesOf({ isSimplified, outputForTools }),
	read: (raw, item) => (isSimplified.read(raw, item) ? outputForTools.read(raw, item) : { kind: 'raw' }),
};

/** A task's output item. */
export function taskItem(task: IDataObject, detail: ValueOf<typeof taskDetail>): INodeExecutionData {
	if (detail.kind === 'raw') return { json: task };
	return { json: detail.kind === 'simple' ? simplified(task) : pick(task, ['id', ...detail.names]) };
}

/** At most ten of a task's fields: the most useful ones that it has, then others in its own order. */
export function simplified(task: IDataObject): IDataObject {
	return pick(task, [...PREFERRED, ...Object.keys(task).filter((name) => !PREFERRED.includes(name))], MAX_FIELDS);
}

/** The first of those fields that a task has. A sweep does this ten thousand times: no list is made that is not needed. */
function pick(task: IDataObject, names: string[], most = names.length): IDataObject {
	const picked: Array<[string, IDataObject[string]]> = [];
	for (const name of names) {
		if (picked.length < most && Object.hasOwn(task, name)) picked.push([name, task[name]]);
	}
	return Object.fromEntries(picked);
}
