import type { INodeProperties } from 'n8n-workflow';

import { isRecord, readJson } from '../api';
import { invalidInput, parameterMessages } from '../messages';
import {
	converted,
	isEmpty,
	locatorOf,
	parameterOf,
	plainValue,
	required,
	type FieldDetails,
	type Parameter,
} from './parameter';

/** Trimmed text; undefined if the field was left empty. */
export function text(
	name: string,
	displayName: string,
	more: FieldDetails = {},
): Parameter<string | undefined> {
	return parameterOf({ displayName, name, default: '', ...more, type: 'string' }, (value) =>
		parseText(value, displayName),
	);
}

/** The same, but null if the field was added and has no value: an expression may have found nothing. */
export function textIfAdded(
	name: string,
	displayName: string,
	more?: FieldDetails,
): Parameter<string | null | undefined> {
	const parameter = text(name, displayName, more);
	return {
		...parameter,
		read: (raw, item) =>
			raw(name) === undefined ? undefined : (parameter.read(raw, item) ?? null),
	};
}

/** A value as text, with its white space; empty if there is none. */
export function plainText(
	name: string,
	displayName: string,
	more?: FieldDetails,
): Parameter<string> {
	return parameterOf(
		{ displayName, name, default: '', ...more, type: 'string' },
		(value) => plainValue(value) ?? parseText(value, displayName) ?? '',
	);
}

/** A full http or https address that must be there. */
export function webAddress(
	name: string,
	displayName: string,
	more?: FieldDetails,
): Parameter<string> {
	return converted(required(text(name, displayName, more)), (url) =>
		parseWebAddress(url, displayName),
	);
}

/** @throws {InvalidInputError} if it is not a full http or https address */
export function parseWebAddress(url: string, field: string): string {
	if (URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)) return url;
	throw invalidInput(parameterMessages.notWebAddress, { field });
}

/**
 * A value, or what a resource locator holds, as trimmed text; undefined if it is empty.
 *
 * @throws {InvalidInputError} for lists and other objects
 */
export function parseText(raw: unknown, field: string): string | undefined {
	const { value } = locatorOf(raw);
	if (isEmpty(value)) return undefined;
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'number') return String(value);
	throw invalidInput(parameterMessages.notText, { field });
}

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
	const given: unknown = typeof value === 'string' ? (readJson(value) ?? value) : value;
	const isListed = Array.isArray(given);
	const entries: unknown[] = isListed ? given.filter((entry) => !isEmpty(entry)) : [value];
	if (entries.some((entry) => typeof entry !== 'string' && typeof entry !== 'number'))
		throw invalidInput(parameterMessages.notList, { field });
	const words = entries
		.flatMap((entry) => (isListed ? String(entry) : String(entry).split(separator)))
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
	return words.length === 0 && !isListed ? undefined : words;
}
