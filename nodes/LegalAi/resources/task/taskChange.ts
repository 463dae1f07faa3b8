import { fetchLatest, things, updateTask } from '../../api';
import { defineOperation, type Operation } from '../../execution/operation';
import { hints } from '../../messages';
import type { Parameter } from '../../parameters';
import { simplifiedFields, simplify, taskItem } from './simplify';
import { taskId } from './taskFields';

/**
 * An operation that changes fields of a task, with changes of one task one after the other. If nothing is to change, nothing is
 * written, and the task is output as it is.
 */
export function taskChange(
	option: Operation['option'],
	change: Parameter<Parameters<typeof updateTask>[2]>,
	task: Parameter<string> = taskId,
): Operation {
	return defineOperation({
		option,
		parameters: { taskId: task, change, isSimplified: simplify },
		output: simplifiedFields,
		concurrencyKey: (values) => values.taskId,
		execute: async ({ client, hint }, values) => {
			const isUnchanged = Object.values(values.change).every((value) => value === undefined);
			if (isUnchanged) hint(hints.nothingToUpdate);
			const changed = await (isUnchanged
				? fetchLatest(client, things.task, { id: values.taskId })
				: updateTask(client, values.taskId, values.change));
			return [taskItem(changed, values.isSimplified)];
		},
	});
}
