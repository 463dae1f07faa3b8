import { taskLocator } from '../../lookups/locators';
import type { Operation } from '../../operation';
import { planChange } from './planChange';
import { simplifyField } from './simplify';

/** PATCH /tasks/{task_id} with `archived: true`. */
export const archive: Operation = {
	option: {
		name: 'Archive',
		value: 'archive',
		action: 'Archive task',
		description: 'Put a task into the archive, out of the list',
	},
	fields: [taskLocator, simplifyField],
	plan: (run, itemIndex) => planChange(run, itemIndex, () => ({ archived: true })),
};
