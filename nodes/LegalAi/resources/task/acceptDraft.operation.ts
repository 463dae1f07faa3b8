import { updateTask } from '../../api/task';
import { taskLocator } from '../../lookups/locators';
import type { Operation } from '../../operation';
import { readTaskId } from './fields';
import { readPresentation, simplifyField } from './simplify';

/** PATCH /tasks/{task_id} with `draft: false`. */
export const acceptDraft: Operation = {
	option: {
		name: 'Accept Draft',
		value: 'acceptDraft',
		action: 'Accept draft task',
		description: 'Turn a draft into a task that counts',
	},
	fields: [taskLocator, simplifyField],
	plan: (run, itemIndex) => {
		const taskId = readTaskId(run, itemIndex);
		const present = readPresentation(run, itemIndex);
		return {
			lane: `task ${taskId}`,
			perform: async () => [present(await updateTask(run.client, taskId, { draft: false }))],
		};
	},
};
