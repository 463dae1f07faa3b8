import type { JsonRecord } from '../../api/json';
import { getTask, updateTask } from '../../api/tasks';
import { defineOperation, type Operation } from '../../execution/operation';
import { hints } from '../../messages/hints';
import type { Parameter } from '../../parameters/parameter';
import { simplifiedFields, simplify, taskItem } from './simplify';
import { taskId } from './taskFields';

/**
 * An operation that changes the given fields of a task. Changes of one task run one after the other. If nothing is to
 * change, the task is output as it is, and nothing is written.
 *
 * @param task which task it is
 */
export function taskChange(
	option: Operation['option'],
	change: Parameter<JsonRecord>,
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
			const changed = await (isUnchanged ? getTask(client, values.taskId) : updateTask(client, values.taskId, values.change));
			return [taskItem(changed, values.isSimplified)];
		},
	});
}
