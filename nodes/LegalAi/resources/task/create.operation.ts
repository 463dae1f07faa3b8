import { readTask, createTask } from '../../api/tasks';
import { defineOperation } from '../../execution/operation';
import { collection } from '../../parameters/collection';
import { required } from '../../parameters/parameter';
import { simplifiedFields, simplify, taskItem } from './simplify';
import { newTaskFields, title } from './taskFields';

/** POST /tasks: sent once, never repeated if it may have been accepted. */
export const create = defineOperation({
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create task',
		description: "Add a task to your organization's default team",
	},
	parameters: {
		title: required(title),
		fields: collection({ displayName: 'Additional Fields', name: 'additionalFields', placeholder: 'Add Field' }, newTaskFields),
		isSimplified: simplify,
	},
	output: simplifiedFields,
	execute: async ({ client, acceptOnce }, values) => {
		const body = { title: values.title, ...values.fields };
		const task = await acceptOnce(body, async () => await createTask(client, body), readTask);
		return [taskItem(task, values.isSimplified)];
	},
});
