import { updateTask } from '../../api/task';
import { taskLocator } from '../../lookups/locators';
import type { Operation } from '../../operation';
import { readTaskId } from './fields';
import { readPresentation, simplifyField } from './simplify';

/** PATCH /tasks/{task_id} with `archived: true`. */
export const archive: Operation = {
	option: {
		name: 'Archive',
		value: 'archive',
		action: 'Archive task',
		description: 'Put a task into the archive, out of the list',
	},
	fields: [taskLocator, simplifyField],
	plan: (run, itemIndex) => {
		const taskId = readTaskId(run, itemIndex);
		const present = readPresentation(run, itemIndex);
		return {
			lane: `task ${taskId}`,
			perform: async () => [present(await updateTask(run.client, taskId, { archived: true }))],
		};
	},
};
