import type { INodeProperties } from 'n8n-workflow';

import { InvalidInputError } from '../../nodes/LegalAi/messages/template.ts';
import type { ItemScope, Parameter } from '../../nodes/LegalAi/parameters/parameter.ts';

/** Name and label of the field of the editor that tests fill in. */
export const FIELD = ['someField', 'Some Field'] as const;

/** What the item has besides its parameters. */
export const ITEM: ItemScope = {
	timezone: 'Europe/Berlin',
	json: {},
	files: {},
	isFileField: () => false,
	isExpression: () => false,
};

/** Reads a parameter of which only its first field, or the fields named, have a value. */
export function read<Value>(
	parameter: Parameter<Value>,
	value: unknown,
	others: Record<string, unknown> = {},
	item: Partial<ItemScope> = {},
): Value {
	const [first] = parameter.properties;
	return parameter.read((name) => (name === first?.name ? value : others[name]), {
		...ITEM,
		...item,
	});
}

/** What is said about a value that is not accepted. */
export function complaintAbout(
	parameter: Parameter<unknown>,
	...reading: [value: unknown, others?: Record<string, unknown>, item?: Partial<ItemScope>]
): string {
	try {
		read(parameter, ...reading);
	} catch (error) {
		if (error instanceof InvalidInputError) return error.message;
		throw error;
	}
	throw new Error(`${JSON.stringify(reading[0])} was accepted`);
}

/** What the editor shows of a parameter of one field. */
export function fieldOf({ properties }: Parameter<unknown>): INodeProperties {
	const [field, ...others] = properties;
	if (field === undefined || others.length > 0) throw new Error('Not a parameter of one field');
	return field;
}
