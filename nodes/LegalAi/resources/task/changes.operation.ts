import { fetchLatest, things, updateTask } from '../../api';
import { defineOperation, type Operation } from '../../execution/operation';
import { hints, invalidInput, parameterMessages } from '../../messages';
import { choices, collection, converted, group, type Parameter } from '../../parameters';
import {
	changeableFields,
	draftId,
	simplifiedFields,
	simplify,
	taskId,
	taskItem,
} from './taskFields';

const clearableFields = {
	additional_context: { name: 'Additional Context' },
	assigned_agent: { name: 'Assigned Assistant' },
	assigned_team_id: { name: 'Assigned Team' },
	assigned_to: { name: 'Assigned To' },
	description: { name: 'Description' },
	complete_by: { name: 'Due Date' },
	linked_items: { name: 'Linked Items' },
	matter_id: { name: 'Matter' },
	tags: { name: 'Tags' },
};

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
			const both = cleared.find((name) => set[name] !== undefined);
			if (both !== undefined) {
				const { name: field } = clearableFields[both];
				throw invalidInput(parameterMessages.fieldSetAndCleared, { field });
			}
			return {
				...set,
				...Object.fromEntries(cleared.map((name) => [name, LISTS.includes(name) ? [] : null])),
			};
		},
	),
);

/** PATCH /tasks/{task_id} with `archived: true`. */
export const archive = taskChange(
	{ name: 'Archive', action: 'Archive task', description: 'Move a task to the archive' },
	{ properties: [], read: () => ({ archived: true }) },
);

/** PATCH /tasks/{task_id} with `draft: false`. */
export const acceptDraft = taskChange(
	{
		name: 'Accept Draft',
		action: 'Accept draft task',
		description: 'Turn a draft into an active task',
	},
	{ properties: [], read: () => ({ draft: false }) },
	draftId,
);

/**
 * An operation that changes fields of a task, with changes of one task one after the other. If nothing is to change, nothing is
 * written, and the task is output as it is.
 */
function taskChange(
	option: Operation['option'],
	change: Parameter<Parameters<typeof updateTask>[2]>,
	task: Parameter<string> = taskId,
): Operation {
	return defineOperation({
		option,
		parameters: { taskId: task, change, isSimplified: simplify },
		output: simplifiedFields,
		concurrencyKey: (values) => values.taskId,
		execute: async ({ client, hint }, values) => {
			const isUnchanged = Object.values(values.change).every((value) => value === undefined);
			if (isUnchanged) hint(hints.nothingToUpdate);
			const changed = await (isUnchanged
				? fetchLatest(client, things.task, { id: values.taskId })
				: updateTask(client, values.taskId, values.change));
			return [taskItem(changed, values.isSimplified)];
		},
	});
}
