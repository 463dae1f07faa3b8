import { readTask, createTask } from '../../api/tasks';
import { defineOperation } from '../../execution/operation';
import { collection } from '../../parameters/collection';
import { requiredWord } from '../../parameters/text';
import { simplifiedFields, simplify, taskItem } from './simplify';
import { newTaskFields } from './taskFields';

/** POST /tasks: sent once, never repeated if it may have been accepted. */
export const create = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create task',
		description: "Add a task to your organization's default team",
	},
	parameters: {
		title: requiredWord({
			displayName: 'Title',
			name: 'title',
			placeholder: 'e.g. Review supplier NDA',
			description: 'A short summary',
		}),
		fields: collection(
			{ displayName: 'Additional Fields', name: 'additionalFields', placeholder: 'Add Field' },
			newTaskFields,
		),
		isSimplified: simplify,
	},
	output: simplifiedFields,
	execute: async ({ client, acceptOnce }, { title, fields, isSimplified }) => {
		const task = await acceptOnce(async () => await createTask(client, { title, ...fields }), readTask);
		return [taskItem(task, isSimplified)];
	},
});
