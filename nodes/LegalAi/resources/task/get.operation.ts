import { getTask } from '../../api/task';
import { taskLocator } from '../../lookups/locators';
import type { Operation } from '../../operation';
import { readTaskId } from './fields';
import { readPresentation, simplifyField } from './simplify';

/** GET /tasks/{task_id}. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get task',
		description: 'Fetch one task with its assignees, status, due date, tags and links',
	},
	fields: [taskLocator, simplifyField],
	plan: (run, itemIndex) => {
		const taskId = readTaskId(run, itemIndex);
		const present = readPresentation(run, itemIndex);
		return { perform: async () => [present(await getTask(run.client, taskId))] };
	},
};
