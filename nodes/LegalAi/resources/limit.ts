import type { INodeProperties } from 'n8n-workflow';

import type { Run } from '../operation';
import { refusal } from '../parameters';

/** How many records are wanted: all, or up to a limit. */
export const limitFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/**
 * How many records an item asks for; Infinity for all.
 *
 * @throws {NodeOperationError} where the limit is no whole number of at least 1
 */
export function readLimit(run: Run, itemIndex: number): number {
	const all: unknown = run.context.getNodeParameter('returnAll', itemIndex, false);
	if (all === true || all === 'true') return Infinity;
	const limit = Number(run.context.getNodeParameter('limit', itemIndex, 50));
	if (Number.isInteger(limit) && limit >= 1) return limit;
	throw refusal(
		run,
		itemIndex,
		"'Limit' is not a whole number of at least 1",
		"Enter how many results you want, e.g. 50, or switch on 'Return All'.",
	);
}
