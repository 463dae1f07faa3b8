import type { Run } from '../../operation';
import { refusal } from '../../parameters';

const MS_PER_MINUTE = 60_000;

/**
 * The field 'Max Wait (Minutes)' of an item, in ms.
 *
 * @throws {NodeOperationError} where it is not a number of minutes
 */
export function readMaxWaitMs(run: Run, itemIndex: number): number {
	const minutes: unknown = run.context.getNodeParameter('maxWait', itemIndex);
	if (typeof minutes === 'number' && minutes >= 0 && Number.isFinite(minutes)) return minutes * MS_PER_MINUTE;
	throw refusal(
		run,
		itemIndex,
		"'Max Wait (Minutes)' is not a number of minutes",
		'Enter a number, e.g. 30. With 0, the question is looked at once.',
	);
}
