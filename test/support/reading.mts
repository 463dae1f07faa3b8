import { NodeHelpers, type NodeParameterValueType } from 'n8n-workflow';

import { type Field, type Item, toProperties } from '../../nodes/LegalAi/fields/field.ts';
import { readFields } from '../../nodes/LegalAi/fields/read.ts';
import { answerFields } from '../../nodes/LegalAi/resources/question/answerFields.ts';

/** Reads a field. */
export function read(field: Field, value: unknown, item: Partial<Item> = {}): unknown {
	const inBerlin = { timezone: 'Europe/Berlin', ...item };
	return readFields({ someField: field }, () => value, inBerlin).someField;
}

/** The answer fields of a question, as they are read from what a workflow has saved. */
export function readSavedAnswerFields(saved: NodeParameterValueType) {
	const properties = toProperties({ answerFields });
	const given = { answerFields: saved };
	const filled = NodeHelpers.getNodeParameters(properties, given, true, false, null, null);
	return readFields({ answerFields }, (name) => filled?.[name]).answerFields;
}
