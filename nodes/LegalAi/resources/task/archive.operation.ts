import { taskChange } from './taskChange';

/** PATCH /tasks/{task_id} with `archived: true`. */
export const archive = taskChange(
	{ name: 'Archive', action: 'Archive task', description: 'Move a task to the archive' },
	{ properties: [], read: () => ({ archived: true }) },
);
