/** Checks of JSON from elsewhere, before it is used. */

/** A JSON object whose members are not checked yet. */
export type JsonRecord = Record<string, unknown>;

/** Whether a value is an object with members (no list, not null). */
export function isRecord(value: unknown): value is JsonRecord {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, or a failure that says what was expected. */
export function asRecord(value: unknown, what: string) {
	if (!isRecord(value)) throw new TypeError(`${what} is no object: ${JSON.stringify(value)}`);
	return value;
}

/** The value as a list, or a failure that says what was expected. */
export function asList(value: unknown, what: string): readonly unknown[] {
	if (!Array.isArray(value)) throw new TypeError(`${what} is no list: ${JSON.stringify(value)}`);
	return value;
}

/** The value as a text, or a failure that says what was expected. */
export function asText(value: unknown, what: string) {
	if (typeof value !== 'string')
		throw new TypeError(`${what} is no text: ${JSON.stringify(value)}`);
	return value;
}

/** The value if it is a text, otherwise undefined. */
export function optionalText(value: unknown) {
	return typeof value === 'string' ? value : undefined;
}
