import type { INodeProperties } from 'n8n-workflow';

import { isRecord, readJson } from '../api/json';
import { parameterMessages } from '../messages/parameterMessages';
import { invalidInput } from '../messages/template';
import {
	converted,
	isEmpty,
	parameterOf,
	required,
	type FieldDetails,
	type Parameter,
} from './parameter';
import { parseWebAddress } from './text';

/** A list of words, entered with commas or given as an array. An empty array says that there are none. */
export function list(
	name: string,
	displayName: string,
	more?: FieldDetails,
	separator = /,/,
): Parameter<string[] | undefined> {
	const field: INodeProperties = { displayName, name, default: '', ...more, type: 'string' };
	return parameterOf(field, (value) => parseList(value, displayName, separator));
}

/** Several values, chosen from a list that a method of `loadOptions` fills, or given as in {@link list}; any value is fine. */
export function chosenValues(
	name: string,
	displayName: string,
	more: FieldDetails,
	loadOptionsMethod: string,
): Parameter<string[] | undefined> {
	const options = { typeOptions: { loadOptionsMethod }, allowArbitraryValues: true };
	const field: INodeProperties = {
		displayName,
		name,
		default: [],
		...more,
		type: 'multiOptions',
		...options,
	};
	return parameterOf(field, (value) => parseList(value, displayName));
}

/** A comma is part of an address, unless white space or another address follows it. White space never is. */
const BETWEEN_ADDRESSES = /,(?=\s|$|https?:)|\s+(?=https?:)/i;

/** Full http or https addresses, at least one. */
export function webAddresses(
	name: string,
	displayName: string,
	more?: FieldDetails,
): Parameter<string[]> {
	const addresses = required(list(name, displayName, more, BETWEEN_ADDRESSES));
	return converted(addresses, (urls) => urls.map((url) => parseWebAddress(url, displayName)));
}

/** A list of anything, given as a JSON array or as an array. A single object or text is a list of one. */
export function jsonArray(
	name: string,
	displayName: string,
	more?: FieldDetails,
): Parameter<unknown[] | undefined> {
	return parameterOf({ displayName, name, default: '', ...more, type: 'json' }, (value) => {
		if (isEmpty(value)) return undefined;
		const isText = typeof value === 'string' && !/^\s*[[{"]/.test(value);
		const content = typeof value === 'string' && !isText ? readJson(value) : value;
		if (Array.isArray(content)) return content as unknown[];
		if (isText || typeof content === 'string' || isRecord(content)) return [content];
		throw invalidInput(parameterMessages.notJsonArray, { field: displayName });
	});
}

/** @throws {InvalidInputError} if it is not a list of words */
export function parseList(value: unknown, field: string, separator = /,/): string[] | undefined {
	if (isEmpty(value)) return undefined;
	const inJson =
		typeof value === 'string' && /^\s*\[.*\]\s*$/s.test(value) ? readJson(value) : value;
	const given: unknown = Array.isArray(inJson) ? inJson : value;
	const entries: unknown[] = Array.isArray(given)
		? given.filter((entry) => !isEmpty(entry))
		: [given];
	if (entries.some((entry) => typeof entry !== 'string' && typeof entry !== 'number')) {
		throw invalidInput(parameterMessages.notList, { field });
	}
	const words = (Array.isArray(given) ? entries.map(String) : String(given).split(separator))
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
	return words.length === 0 && !Array.isArray(given) ? undefined : words;
}
