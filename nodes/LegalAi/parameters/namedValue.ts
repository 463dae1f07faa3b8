import { isRecord, readJson, textOrNull, type JsonRecord } from '../api/json';
import { parameterMessages } from '../messages/parameterMessages';
import { fillTemplate, InvalidInputError } from '../messages/template';
import { parseList } from './list';
import { locatorProperty, locatorValue, type LocatorDescription } from './locator';
import { isEmpty, parameterOf, quotedValue, type FieldDescription, type Parameter } from './parameter';

/** A status or a priority as the service has it: the specification leaves open what they are. */
export type NamedValue = string | number | JsonRecord;

/** What may stand for an object if there is room for a single word, the surest first. */
const NAMES = ['id', 'value', 'key', 'slug', 'code', 'name', 'label', 'title'];

/** Whether a status or a priority can be picked and sent. */
export function isNamedValue(value: unknown): value is NamedValue {
	return (typeof value === 'string' && value.trim() !== '') || Number.isFinite(value) || isRecord(value);
}

/**
 * A value as the text that a locator holds: as it is, or as JSON if it is no text, or is text that would be read as
 * something else.
 */
export function toLocatorText(value: NamedValue): string {
	return typeof value === 'string' && fromLocatorText(value) === value ? value : JSON.stringify(value);
}

/** The opposite; undefined for what begins like an object and is none. */
function fromLocatorText(entered: string): NamedValue | undefined {
	const text = entered.trim();
	if (String(Number(text)) === text && Number.isFinite(Number(text))) return Number(text);
	if (text.startsWith('"')) return textOrNull(readJson(text)) ?? text;
	if (!text.startsWith('{')) return text;
	const object = readJson(text);
	return isRecord(object) ? object : undefined;
}

/** A status or a priority, picked from a list or entered as a name, a number, or JSON; undefined if there is none. */
export function namedValue(field: LocatorDescription): Parameter<NamedValue | undefined> {
	return parameterOf(locatorProperty(field), (raw) => parseNamedValue(raw, field.displayName));
}

/** The same, for a query: the value's one word. */
export function namedValueForQuery(field: LocatorDescription): Parameter<string | undefined> {
	return parameterOf(locatorProperty(field), (raw) => {
		const value = parseNamedValue(raw, field.displayName);
		return value === undefined ? undefined : nameOf(value, field.displayName);
	});
}

/** Several of them for a query: words with commas, or a list or a value from an expression. */
export function namedValuesForQuery(field: FieldDescription): Parameter<string | undefined> {
	return parameterOf({ default: '', ...field, type: 'string' }, (value) => {
		const entries: unknown[] = Array.isArray(value) ? value : [value];
		const names = entries.map((entry) => (isRecord(entry) ? nameOf(entry, field.displayName) : entry));
		return parseList(Array.isArray(value) ? names : names[0], field.displayName)?.join(',') || undefined;
	});
}

function parseNamedValue(raw: unknown, field: string): NamedValue | undefined {
	const picked = locatorValue(raw);
	if (isEmpty(picked)) return undefined;
	const value = typeof picked === 'string' ? fromLocatorText(picked) : picked;
	if (isNamedValue(value)) return value;
	const entered = typeof picked === 'string' ? picked.trim() : picked;
	throw new InvalidInputError(fillTemplate(parameterMessages.notNamedValue, { field, value: quotedValue(entered) }));
}

function nameOf(value: NamedValue, field: string): string {
	if (!isRecord(value)) return String(value);
	const name = NAMES.map((each) => value[each]).find((each) => textOrNull(each)?.trim() || Number.isFinite(each));
	if (name !== undefined) return String(name);
	throw new InvalidInputError(fillTemplate(parameterMessages.noNameToFilterBy, { field }));
}
