import type { JsonRecord } from '../../api/json';
import { updateTask } from '../../api/task';
import type { Run, Work } from '../../operation';
import { readTaskId } from './fields';
import { readPresentation } from './simplify';

/** The change of an item's task to what `readChange` says. Changes of one task go one after the other. */
export function planChange(
	run: Run,
	itemIndex: number,
	readChange: (run: Run, itemIndex: number) => JsonRecord,
): Work {
	const taskId = readTaskId(run, itemIndex);
	const body = readChange(run, itemIndex);
	const present = readPresentation(run, itemIndex);
	return {
		lane: `task ${taskId}`,
		perform: async () => [present(await updateTask(run.client, taskId, body))],
	};
}
