import { invalidBody } from './errors.mts';

/** A JSON object whose fields are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as a JSON object, or 400. */
export function object(value: unknown, what: string): Fields {
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		throw invalidBody(`${what} must be an object`);
	return Object.fromEntries(Object.entries(value));
}

/** Reads a field that may be absent; 400 if it is something else. */
function optional<Value>(isValue: (value: unknown) => value is Value, what: string): (fields: Fields, name: string) => Value | undefined {
	return (fields, name) => {
		const value = fields[name];
		if (value === undefined || isValue(value)) return value;
		throw invalidBody(`${name} must be ${what}`);
	};
}

export const optionalString = optional((value) => typeof value === 'string', 'a string');
export const optionalBoolean = optional((value) => typeof value === 'boolean', 'a boolean');
export const optionalArray = optional((value): value is readonly unknown[] => Array.isArray(value), 'an array');

export function requiredString(fields: Fields, name: string): string {
	const value = optionalString(fields, name);
	if (value === undefined || value === '') throw invalidBody(`${name} is required`);
	return value;
}

/** An absolute http or https address. */
export function optionalUrl(fields: Fields, name: string): string | undefined {
	const value = optionalString(fields, name);
	if (value === undefined) return undefined;
	const protocol = URL.parse(value)?.protocol;
	if (protocol !== 'http:' && protocol !== 'https:') throw invalidBody(`${name} must be an http or https URL`);
	return value;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (value: string): boolean => UUID.test(value);

export function optionalUuid(fields: Fields, name: string): string | undefined {
	const value = optionalString(fields, name);
	if (value !== undefined && !isUuid(value)) throw invalidBody(`${name} must be a uuid`);
	return value?.toLowerCase();
}

/** The time of an ISO 8601 date, or date and time, in milliseconds; undefined if it is not one. */
export function isoTime(value: string): number | undefined {
	if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(value)) return undefined;
	const time = Date.parse(value);
	return Number.isNaN(time) ? undefined : time;
}
