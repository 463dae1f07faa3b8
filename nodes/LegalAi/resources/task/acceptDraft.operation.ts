import { taskLocator } from '../../lookups/locators';
import type { Operation } from '../../operation';
import { planChange } from './planChange';
import { simplifyField } from './simplify';

/** PATCH /tasks/{task_id} with `draft: false`. */
export const acceptDraft: Operation = {
	option: {
		name: 'Accept Draft',
		value: 'acceptDraft',
		action: 'Accept draft task',
		description: 'Turn a draft into a task that counts',
	},
	fields: [taskLocator, simplifyField],
	plan: (run, itemIndex) => planChange(run, itemIndex, () => ({ draft: false })),
};
