import { createTask, things } from '../../api';
import { waitingTooltips } from '../../messages';
import { collection, group, required } from '../../parameters';
import { defineSendingOperation } from '../../waiting/sendingOperation';
import { newTaskFields, simplifiedFields, simplify, taskItem, title } from './taskFields';

/** POST /tasks: sent once, never repeated if it may have been accepted. */
export const create = defineSendingOperation({
	thing: things.task,
	waitingTooltip: waitingTooltips.creatingTasks,
	option: {
		name: 'Create',
		action: 'Create task',
		description: "Add a task to your organization's default team",
	},
	parameters: {
		title: required(title),
		fields: collection(
			'additionalFields',
			'Additional Fields',
			{ placeholder: 'Add Field' },
			newTaskFields,
		),
	},
	options: group({ isSimplified: simplify }),
	output: simplifiedFields,
	content: ({ values }) => values,
	begin: async ({ client, sendOnce }, { values }, turn) => {
		const body = { title: values.title, ...values.fields };
		return await sendOnce(
			values,
			async (beforeSending) => await createTask(client, body, { ...turn, beforeSending }),
		);
	},
	finish: async (_item, task, { isSimplified }) => taskItem(task, isSimplified),
});
