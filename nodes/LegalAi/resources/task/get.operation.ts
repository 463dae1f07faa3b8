import { fetchLatest, things } from '../../api';
import { defineOperation } from '../../execution/operation';
import { simplifiedFields, simplify, taskId, taskItem } from './taskFields';

/** GET /tasks/{task_id}. */
export const get = defineOperation({
	option: {
		name: 'Get',
		action: 'Get task',
		description: 'Get one task with its assignees, status, due date, tags and links',
	},
	parameters: { taskId, isSimplified: simplify },
	output: simplifiedFields,
	execute: async ({ client }, { taskId: id, isSimplified }) => [
		taskItem(await fetchLatest(client, things.task, { id }), isSimplified),
	],
});
