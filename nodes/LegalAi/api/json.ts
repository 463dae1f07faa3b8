import type { IDataObject } from 'n8n-workflow';

import { ApiFailure } from './failure';

/** A JSON object as it came over the wire: every value is unknown until checked. */
export type JsonRecord = Record<string, unknown>;

/** Whether a value is a JSON object (no array, not null). */
export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as text where it is a string, else null: for the API's "string or null" fields. */
export function textOrNull(value: unknown): string | null {
	return typeof value === 'string' ? value : null;
}

/**
 * Reads JSON text, dropping `__proto__` keys, which could change how an object behaves once it is copied.
 * Gives undefined where the text is not JSON.
 */
export function readJson(text: string): unknown {
	try {
		return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
	} catch {
		return undefined;
	}
}

/**
 * An answer that must be one object, ready to be an item's JSON.
 *
 * @throws {ApiFailure} `unreadable`
 */
export function readObject(answer: unknown): IDataObject {
	if (!isRecord(answer)) throw new ApiFailure('unreadable', { serviceMessage: 'a list where one record was expected' });
	return answer as IDataObject;
}
