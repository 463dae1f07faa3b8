import { taskChange } from './taskChange';
import { draftId } from './taskFields';

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
