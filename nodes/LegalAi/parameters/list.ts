import { isRecord, readJson, type JsonRecord } from '../api/json';
import { parameterMessages } from '../messages/parameterMessages';
import { fillTemplate, InvalidInputError } from '../messages/template';
import { isEmpty, parameterOf, type FieldDescription, type Parameter } from './parameter';

/** A list of words, entered with commas or given as an array. An empty array says that there are none. */
export function list(field: FieldDescription): Parameter<string[] | undefined> {
	return parameterOf({ default: '', ...field, type: 'string' }, (value) => parseList(value, field.displayName));
}

/** A list of words as the API's queries take it: comma-separated. */
export function commaSeparated(field: FieldDescription): Parameter<string | undefined> {
	return parameterOf(
		{ default: '', ...field, type: 'string' },
		(value) => parseList(value, field.displayName)?.join(',') || undefined,
	);
}

/** An array of objects, given as JSON text or as an array. */
export function jsonObjects(field: FieldDescription): Parameter<JsonRecord[] | undefined> {
	return parameterOf({ default: '', ...field, type: 'json' }, (value) => {
		if (isEmpty(value)) return undefined;
		const objects = typeof value === 'string' ? readJson(value) : value;
		if (Array.isArray(objects) && objects.every(isRecord)) return objects;
		throw new InvalidInputError(fillTemplate(parameterMessages.notJsonObjects, { field: field.displayName }));
	});
}

/** @throws {InvalidInputError} for what is no list of words */
export function parseList(value: unknown, field: string): string[] | undefined {
	if (isEmpty(value)) return undefined;
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	if (entries.some((entry) => typeof entry !== 'string' && typeof entry !== 'number')) {
		throw new InvalidInputError(fillTemplate(parameterMessages.notList, { field }));
	}
	const words = (Array.isArray(value) ? entries.map(String) : String(value).split(','))
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
	return words.length === 0 && !Array.isArray(value) ? undefined : words;
}
