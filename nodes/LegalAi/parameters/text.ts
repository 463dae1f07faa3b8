import type { INodeProperties } from 'n8n-workflow';

import { parameterMessages } from '../messages/parameterMessages';
import { fillTemplate, InvalidInputError, type UserMessage } from '../messages/template';
import { converted, isEmpty, parameterOf, type FieldDescription, type Parameter } from './parameter';

/** Text as it was entered; undefined if the field was left empty. */
export function text(field: FieldDescription): Parameter<string | undefined> {
	return parameterOf(textProperty(field), (value) => parseText(value, field.displayName));
}

/** Text without the blanks around it: IDs, names, addresses. */
export function word(field: FieldDescription): Parameter<string | undefined> {
	return parameterOf(textProperty(field), (value) => parseText(value, field.displayName)?.trim());
}

/** The same, but null if the field was added and has no value: an expression may have found nothing. */
export function wordIfAny(field: FieldDescription): Parameter<string | null | undefined> {
	return parameterOf(textProperty(field), (value) =>
		value === undefined ? undefined : (parseText(value, field.displayName)?.trim() ?? null),
	);
}

/** Text without the blanks around it that must be there; `ifEmpty` says what to do if it is not. */
export function requiredWord(field: FieldDescription, ifEmpty?: UserMessage): Parameter<string> {
	return parameterOf(textProperty({ required: true, ...field }), (value) =>
		requireValue(parseText(value, field.displayName)?.trim(), field.displayName, ifEmpty),
	);
}

/** A full http or https address that must be there. */
export function webAddress(field: FieldDescription): Parameter<string> {
	return converted(requiredWord(field), (url) => parseWebAddress(url, field.displayName));
}

/** @throws {InvalidInputError} if it is not a full http or https address */
export function parseWebAddress(url: string, field: string): string {
	if (URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)) return url;
	throw new InvalidInputError(fillTemplate(parameterMessages.notWebAddress, { field }));
}

/**
 * A value as text; undefined if it is empty.
 *
 * @throws {InvalidInputError} for lists and objects
 */
export function parseText(value: unknown, field: string): string | undefined {
	if (isEmpty(value)) return undefined;
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	throw new InvalidInputError(fillTemplate(parameterMessages.notText, { field }));
}

/** @throws {InvalidInputError} if there is no value */
export function requireValue<Value>(
	value: Value | undefined,
	field: string,
	ifEmpty: UserMessage = fillTemplate(parameterMessages.empty, { field }),
): Value {
	if (value !== undefined) return value;
	throw new InvalidInputError(ifEmpty);
}

function textProperty(field: FieldDescription): INodeProperties {
	return { default: '', ...field, type: 'string' };
}
