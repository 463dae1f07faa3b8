import type { JsonRecord } from '../../api/json';
import { taskLocator } from '../../lookups/locators';
import type { Operation, Run } from '../../operation';
import { refusal } from '../../parameters';
import { collectionOf, readCollection, type Field } from './fields';
import { planChange } from './planChange';
import { simplifyField } from './simplify';
import { changeableFields, clearableFields } from './taskFields';
import { words } from './values';

/** PATCH /tasks/{task_id}: what was set changes, what was chosen to be cleared is emptied, all else stays. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update task',
		description: 'Change some fields of a task and leave the others as they are',
	},
	fields: [
		taskLocator,
		simplifyField,
		collectionOf(
			{ displayName: 'Update Fields', name: 'updateFields', placeholder: 'Add Field' },
			changeableFields,
		),
		{
			displayName: 'Clear Fields',
			name: 'clearFields',
			type: 'multiOptions',
			default: [],
			description: 'Fields to empty. To leave a field as it is, name it neither here nor above.',
			options: clearableFields.map(({ apiName, property }) => ({ name: property.displayName, value: apiName })),
		},
	],
	plan: (run, itemIndex) => planChange(run, itemIndex, readChange),
};

function readChange(run: Run, itemIndex: number): JsonRecord {
	const body = readCollection(run, itemIndex, 'updateFields', changeableFields);
	for (const { apiName, property } of readCleared(run, itemIndex)) {
		if (Object.hasOwn(body, apiName)) {
			throw refusal(
				run,
				itemIndex,
				`'${property.displayName}' is both set and cleared`,
				"Take it out of 'Update Fields' or out of 'Clear Fields'.",
			);
		}
		body[apiName] = null;
	}
	if (Object.keys(body).length > 0) return body;
	throw refusal(
		run,
		itemIndex,
		'There is nothing to update',
		"Add a field with a value in 'Update Fields', or choose one in 'Clear Fields'. A field whose value is empty is not sent.",
	);
}

function readCleared(run: Run, itemIndex: number): Field[] {
	const names = words(run.context.getNodeParameter('clearFields', itemIndex, []), run.context.getTimezone()) ?? [];
	const chosen = Array.isArray(names) ? names : [names];
	const fields = clearableFields.filter(({ apiName }) => chosen.includes(apiName));
	if (chosen.every((name) => fields.some(({ apiName }) => apiName === name))) return fields;
	throw refusal(
		run,
		itemIndex,
		"'Clear Fields' names a field that can't be cleared",
		`These can: ${clearableFields.map(({ apiName }) => apiName).join(', ')}.`,
	);
}
