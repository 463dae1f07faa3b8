import { invalidInput, parameterMessages } from '../../messages';
import { choices, collection, converted, group } from '../../parameters';
import { taskChange } from './taskChange';
import { changeableFields } from './taskFields';

const clearableFields = [
	{ name: 'Additional Context', value: 'additional_context' },
	{ name: 'Assigned Assistant', value: 'assigned_agent' },
	{ name: 'Assigned Team', value: 'assigned_team_id' },
	{ name: 'Assigned To', value: 'assigned_to' },
	{ name: 'Description', value: 'description' },
	{ name: 'Due Date', value: 'complete_by' },
	{ name: 'Linked Items', value: 'linked_items' },
	{ name: 'Matter', value: 'matter_id' },
	{ name: 'Tags', value: 'tags' },
] as const;

/** The API ignores null for its lists. */
const LISTS = ['linked_items', 'tags'];

/** PATCH /tasks/{task_id}: sets and clears the chosen fields, and leaves the others as they are. */
export const update = taskChange(
	{
		name: 'Update',
		action: 'Update task',
		description: 'Change some fields of a task and leave the others as they are',
	},
	converted(
		group({
			set: collection(
				'updateFields',
				'Update Fields',
				{ placeholder: 'Add Field' },
				changeableFields,
			),
			cleared: choices(
				'clearFields',
				'Clear Fields',
				{
					description:
						'Fields to empty. A field that is neither here nor in "Update Fields" does not change.',
				},
				clearableFields,
			),
		}),
		({ set, cleared }) => {
			const both = clearableFields.find(
				({ value }) => cleared.includes(value) && set[value] !== undefined,
			);
			if (both !== undefined)
				throw invalidInput(parameterMessages.fieldSetAndCleared, { field: both.name });
			return {
				...set,
				...Object.fromEntries(cleared.map((name) => [name, LISTS.includes(name) ? [] : null])),
			};
		},
	),
);
