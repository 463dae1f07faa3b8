import type { IBinaryKeyData, INodeProperties } from 'n8n-workflow';

import { InvalidInputError } from '../../../nodes/LegalAi/messages/template.ts';
import type { Parameter } from '../../../nodes/LegalAi/parameters/parameter.ts';

/** The field of the editor that tests fill in. */
export const FIELD = { displayName: 'Some Field', name: 'someField' } as const;

/** What the item has besides its parameters. */
export const ITEM = { timezone: 'Europe/Berlin', json: {}, files: {} as IBinaryKeyData };

/** Reads a parameter of which only its first field, or the fields named, have a value. */
export function read<Value>(parameter: Parameter<Value>, value: unknown, others: Record<string, unknown> = {}): Value {
	const [first] = parameter.properties;
	return parameter.read((name) => (name === first?.name ? value : others[name]), ITEM);
}

/** What is said about a value that is not accepted. */
export function complaintAbout(parameter: Parameter<unknown>, value: unknown, others?: Record<string, unknown>): string {
	try {
		read(parameter, value, others);
	} catch (error) {
		if (error instanceof InvalidInputError) return error.message;
		throw error;
	}
	throw new Error(`${JSON.stringify(value)} was accepted`);
}

/** What the editor shows of a parameter of one field. */
export function fieldOf({ properties }: Parameter<unknown>): INodeProperties {
	const [field, ...others] = properties;
	if (field === undefined || others.length > 0) throw new Error('Not a parameter of one field');
	return field;
}
