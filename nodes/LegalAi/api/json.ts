import type { IDataObject } from 'n8n-workflow';

import { responseDetails } from '../messages';
import { ApiError } from './errors';

/** A JSON object as it came over the wire: every value is unknown until checked. */
export type JsonRecord = Record<string, unknown>;

/** Whether a value is a JSON object (no array, not null). */
export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as text if it is a string, else null: for the API's "string or null" fields. */
export function textOrNull(value: unknown): string | null {
	return typeof value === 'string' ? value : null;
}

/** Reads JSON text. Undefined if the text is not JSON. */
export function readJson(
	text: string,
	reviver?: (key: string, value: unknown) => unknown,
): unknown {
	try {
		return JSON.parse(text, reviver) as unknown;
	} catch {
		return undefined;
	}
}

const OBJECT_NAMES = new RegExp(
	[...Object.getOwnPropertyNames(Object.prototype), String.raw`\\u`].join('|'),
);

/** The same, without names that every object of JavaScript has: `__proto__` would make another object of it as n8n copies it. */
export function readForeignJson(text: string): unknown {
	return readJson(
		text,
		OBJECT_NAMES.test(text)
			? (key, value) => (key in Object.prototype ? undefined : value)
			: undefined,
	);
}

/**
 * A response that must be one object, ready to be an item's JSON.
 *
 * @throws {ApiError} of kind `invalidResponse`
 */
export function readObject(response: unknown): IDataObject {
	if (!isRecord(response))
		throw new ApiError('invalidResponse', { serviceMessage: responseDetails.listForRecord });
	return response as IDataObject;
}
