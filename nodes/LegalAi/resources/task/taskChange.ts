import type { INodePropertyOptions } from 'n8n-workflow';

import type { JsonRecord } from '../../api/json';
import { getTask, updateTask } from '../../api/tasks';
import { defineOperation, type Operation } from '../../execution/operation';
import { hints } from '../../messages/hints';
import { group, type Parameter, type Parameters, type ValuesOf } from '../../parameters/parameter';
import { simplifiedFields, simplify, taskItem } from './simplify';
import { taskId } from './taskFields';

/**
 * An operation that changes a task to what `changeOf` says. Changes of one task run one after the other. If nothing is to
 * change, the task is output as it is, and nothing is written.
 *
 * @param task which task it is
 */
export function taskChange<P extends Parameters>(
	option: INodePropertyOptions,
	parameters: P,
	changeOf: (values: ValuesOf<P>) => JsonRecord,
	task: Parameter<string> = taskId,
): Operation {
	return defineOperation({
		option,
		parameters: { taskId: task, change: group(parameters), isSimplified: simplify },
		output: simplifiedFields,
		prepare: (_services, { change }) => changeOf(change),
		concurrencyKey: (values) => values.taskId,
		execute: async ({ client, hint }, values, change) => {
			const isUnchanged = Object.values(change).every((value) => value === undefined);
			if (isUnchanged) hint(hints.nothingToUpdate);
			const changed = isUnchanged
				? await getTask(client, values.taskId)
				: await updateTask(client, values.taskId, change);
			return [taskItem(changed, values.isSimplified)];
		},
	});
}
