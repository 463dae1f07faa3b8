import { parameterMessages } from '../messages/parameterMessages';
import { invalidInput } from '../messages/template';
import {
	converted,
	isEmpty,
	locatorOf,
	parameterOf,
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
	return parameterOf({ displayName, name, default: '', ...more, type: 'string' }, (value) => {
		if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
		return parseText(value, displayName) ?? '';
	});
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
