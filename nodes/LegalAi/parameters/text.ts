import { parameterMessages } from '../messages/parameterMessages';
import { invalidInput } from '../messages/template';
import { converted, isEmpty, locatorOf, parameterOf, required, type FieldDescription, type Parameter } from './parameter';

/** Trimmed text; undefined if the field was left empty. */
export function text(field: FieldDescription): Parameter<string | undefined> {
	return parameterOf({ default: '', ...field, type: 'string' }, (value) => parseText(value, field.displayName));
}

/** The same, but null if the field was added and has no value: an expression may have found nothing. */
export function textIfAdded(field: FieldDescription): Parameter<string | null | undefined> {
	const parameter = text(field);
	return {
		...parameter,
		read: (raw, item) => (raw(field.name) === undefined ? undefined : (parameter.read(raw, item) ?? null)),
	};
}

/** A value as text, with its white space; empty if there is none. */
export function plainText(field: FieldDescription): Parameter<string> {
	return parameterOf({ default: '', ...field, type: 'string' }, (value) => {
		if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
		return parseText(value, field.displayName) ?? '';
	});
}

/** A full http or https address that must be there. */
export function webAddress(field: FieldDescription): Parameter<string> {
	return converted(required(text(field)), (url) => parseWebAddress(url, field.displayName));
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
