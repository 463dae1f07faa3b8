import type { AcceptedRecord } from '../api/thing';
import { operationOf, type Operation } from '../execution/operation';
import { group, type Parameters } from '../parameters/parameter';
import type { SendingDefinition } from './sendingDefinition';
import { SendingRun } from './sendingRun';

/**
 * Makes an operation of its definition: it sends what the service's limits allow, parks as long as there is more to send or to wait
 * for, and outputs all items at once.
 *
 * @example
 * defineSendingOperation({
 * 	...{ option, output },
 * 	parameters: { title },
 * 	options: group({ isSimplified }),
 * 	thing: things.task,
 * 	content: ({ values }) => values,
 * 	begin: async ({ client, sendOnce }, { values }, turn) =>
 * 		await sendOnce(values, async (beforeSending) => await createTask(client, values, { ...turn, beforeSending })),
 * 	finish: async (_item, task, { isSimplified }) => taskItem(task, isSimplified),
 * });
 */
export function defineSendingOperation<
	P extends Parameters,
	Prepared,
	Options,
	Kept extends AcceptedRecord,
>(definition: SendingDefinition<P, Prepared, Options, Kept>): Operation {
	const { parameters, options } = definition;
	return operationOf(
		definition,
		group({ ...parameters, options }),
		async (run) => await new SendingRun(run, definition).execute(),
	);
}
