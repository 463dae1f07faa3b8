import { UserError } from 'n8n-workflow';

import type { Field, Item } from '../../nodes/LegalAi/fields/field.ts';
import { readFields } from '../../nodes/LegalAi/fields/read.ts';

/** What the item has besides its fields. */
export const ITEM: Item = {
	timezone: 'Europe/Berlin',
	json: {},
	files: {},
	isFileField: () => false,
	isExpression: () => false,
};

/** Reads a field. */
export function read(field: Field, value: unknown, item: Partial<Item> = {}): unknown {
	return readFields({ someField: field }, () => value, { ...ITEM, ...item }).someField;
}

/** What is said about a value that is not accepted. */
export function complaintAbout(field: Field, value: unknown, item: Partial<Item> = {}) {
	try {
		read(field, value, item);
	} catch (error) {
		if (error instanceof UserError) return error.message;
		throw error;
	}
	throw new Error(`${JSON.stringify(value)} was accepted`);
}
