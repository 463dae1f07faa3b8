import { parameterMessages } from '../../messages/parameterMessages';
import { fillTemplate, InvalidInputError } from '../../messages/template';
import { choices } from '../../parameters/choice';
import { collection } from '../../parameters/collection';
import { taskChange } from './taskChange';
import { changeableFields, clearableFields, emptyValueOf } from './taskFields';

/** PATCH /tasks/{task_id}: sets and clears the chosen fields, and leaves the others as they are. */
export const update = taskChange(
	{
		name: 'Update',
		value: 'update',
		action: 'Update task',
		description: 'Change some fields of a task and leave the others as they are',
	},
	{
		set: collection(
			{ displayName: 'Update Fields', name: 'updateFields', placeholder: 'Add Field' },
			changeableFields,
		),
		cleared: choices(
			{
				displayName: 'Clear Fields',
				name: 'clearFields',
				description: 'Fields to empty. A field that is neither here nor in "Update Fields" does not change.',
			},
			clearableFields,
		),
	},
	({ set, cleared }) => {
		const both = clearableFields.find(({ value }) => cleared.includes(value) && set[value] !== undefined);
		if (both !== undefined) {
			throw new InvalidInputError(fillTemplate(parameterMessages.fieldSetAndCleared, { field: both.name }));
		}
		return { ...set, ...Object.fromEntries(cleared.map((name) => [name, emptyValueOf(name)])) };
	},
);
