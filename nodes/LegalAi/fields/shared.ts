import type { INodePropertyMode } from 'n8n-workflow';

import type { Fields } from './field';

/** The longest wait, in minutes. */
export const YEAR = 366 * 24 * 60;

/** Picks from a list that a method of `listSearch` fills; the editor shows "Choose…" unless told otherwise. */
export function fromList(searchListMethod: string, placeholder?: string): INodePropertyMode {
	const typeOptions = { searchListMethod, searchable: true };
	const mode = { displayName: 'From List', name: 'list', typeOptions };
	return { ...mode, type: 'list', ...(placeholder && { placeholder }) };
}

/** Enters an ID, a name or a value. */
export function by(what: 'ID' | 'Name' | 'Value', placeholder: string): INodePropertyMode {
	const mode = { displayName: `By ${what}`, name: what.toLowerCase(), placeholder };
	return { ...mode, type: 'string' };
}

/** Shows a field only if another one has one of these values. */
export function shownIf(field: string, ...values: string[]) {
	return { displayOptions: { show: { [field]: values } } };
}

/** How many results are wanted. */
export const limitFields = {
	returnAll: {
		displayName: 'Return All',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	limit: {
		displayName: 'Limit',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
} satisfies Fields;

export function limitOf({ returnAll, limit }: { returnAll: boolean; limit: number }) {
	return returnAll ? Infinity : limit;
}

export function optionsOf<F extends Fields>(options: F) {
	return {
		options: { displayName: 'Options', type: 'collection', placeholder: 'Add Option', options },
	} as const;
}
