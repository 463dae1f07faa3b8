import type { IDataObject } from 'n8n-workflow';

import { responseDetails } from '../messages/responseDetails';
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

/** The key itself, or letters written as escapes, which it may be made of. */
const MAY_HOLD_PROTOTYPE_KEY = /__proto__|\\u00[567]/;

/**
 * Reads JSON text, without `__proto__` keys, which could change how an object behaves once it is copied. Undefined if
 * the text is not JSON.
 */
export function readJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		if (MAY_HOLD_PROTOTYPE_KEY.test(text)) removePrototypeKeys(value);
		return value;
	} catch {
		return undefined;
	}
}

/** Deep nesting is walked with a list of its own, not with the call stack. */
function removePrototypeKeys(value: unknown): void {
	const pending = [value];
	while (pending.length > 0) {
		const next = pending.pop();
		if (typeof next !== 'object' || next === null) continue;
		Reflect.deleteProperty(next, '__proto__');
		for (const child of Object.values(next)) pending.push(child);
	}
}

/**
 * A response that must be one object, ready to be an item's JSON.
 *
 * @throws {ApiError} of kind `invalidResponse`
 */
export function readObject(response: unknown): IDataObject {
	if (!isRecord(response)) throw new ApiError('invalidResponse', { serviceMessage: responseDetails.listForRecord });
	return response as IDataObject;
}
