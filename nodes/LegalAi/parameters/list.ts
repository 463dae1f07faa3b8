import type { INodeProperties } from 'n8n-workflow';

import { isRecord, readJson } from '../api/json';
import { parameterMessages } from '../messages/parameterMessages';
import { invalidInput } from '../messages/template';
import { converted, isEmpty, parameterOf, required, type FieldDescription, type Parameter } from './parameter';
import { parseWebAddress } from './text';

/** A list of words, entered with commas or given as an array. An empty array says that there are none. */
export function list(field: FieldDescription, separator = /,/): Parameter<string[] | undefined> {
	return parameterOf({ default: '', ...field, type: 'string' }, (value) => parseList(value, field.displayName, separator));
}

/** Several values, chosen from a list that a method of `loadOptions` fills, or given as in {@link list}; any value is fine. */
export function chosenValues(field: FieldDescription, loadOptionsMethod: string): Parameter<string[] | undefined> {
	const options: Partial<INodeProperties> = { typeOptions: { loadOptionsMethod }, allowArbitraryValues: true };
	return parameterOf({ default: [], ...field, type: 'multiOptions', ...options }, (value) => parseList(value, field.displayName));
}

/** A comma is part of an address, unless white space or another address follows it. White space never is. */
const BETWEEN_ADDRESSES = /,(?=\s|$|https?:)|\s+(?=https?:)/i;

/** Full http or https addresses, at least one. */
export function webAddresses(field: FieldDescription): Parameter<string[]> {
	return converted(required(list(field, BETWEEN_ADDRESSES)), (urls) =>
		urls.map((url) => parseWebAddress(url, field.displayName)),
	);
}

/** A list of anything, given as a JSON array or as an array. A single object or text is a list of one. */
export function jsonArray(field: FieldDescription): Parameter<unknown[] | undefined> {
	return parameterOf({ default: '', ...field, type: 'json' }, (value) => {
		if (isEmpty(value)) return undefined;
		const isText = typeof value === 'string' && !/^\s*[[{"]/.test(value);
		const content = typeof value === 'string' && !isText ? readJson(value) : value;
		if (Array.isArray(content)) return content as unknown[];
		if (isText || typeof content === 'string' || isRecord(content)) return [content];
		throw invalidInput(parameterMessages.notJsonArray, { field: field.displayName });
	});
}

/** @throws {InvalidInputError} if it is not a list of words */
export function parseList(value: unknown, field: string, separator = /,/): string[] | undefined {
	if (isEmpty(value)) return undefined;
	const inJson = typeof value === 'string' && /^\s*\[.*\]\s*$/s.test(value) ? readJson(value) : value;
	const given: unknown = Array.isArray(inJson) ? inJson : value;
	const entries: unknown[] = Array.isArray(given) ? given.filter((entry) => !isEmpty(entry)) : [given];
	if (entries.some((entry) => typeof entry !== 'string' && typeof entry !== 'number')) {
		throw invalidInput(parameterMessages.notList, { field });
	}
	const words = (Array.isArray(given) ? entries.map(String) : String(given).split(separator))
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
	return words.length === 0 && !Array.isArray(given) ? undefined : words;
}
