import { isResourceLocatorValue, type INodePropertyMode } from 'n8n-workflow';

import { textOrNull } from '../api';
import { fillText, invalidInput, parameterDetails, parameterMessages } from '../messages';
import {
	isEmpty,
	locatorOf,
	parameterOf,
	quotedValue,
	type FieldDetails,
	type ItemScope,
	type Parameter,
} from './parameter';
import { parseText } from './text';

/** What was picked: by its ID and, if that is known, its name, or by its name alone. */
export type Picked = { id: string; name?: string } | { id?: undefined; name: string };

/** The characters of a UUID: n8n checks this each time that it wakes an execution, and fails it if that takes 250 ms. */
const UUID = '[-\\s\\da-fA-F]{36,}';

/** Picks from a list that a method of `listSearch` fills; the editor shows "Choose…" unless told otherwise. */
export function fromList(searchListMethod: string, placeholder?: string): INodePropertyMode {
	const mode = {
		displayName: 'From List',
		name: 'list',
		typeOptions: { searchListMethod, searchable: true },
	};
	return { ...mode, type: 'list', ...(placeholder && { placeholder }) };
}

/** Enters an ID, a name or a value. */
export function by(what: 'ID' | 'Name' | 'Value', placeholder: string): INodePropertyMode {
	const mode = { displayName: `By ${what}`, name: what.toLowerCase(), placeholder };
	return { ...mode, type: 'string' };
}

/** An ID that has the form of a UUID; the editor says so of anything else, e.g. `instead`. */
export function byUuid(of: string, example: string, instead: string): INodePropertyMode {
	const errorMessage = fillText(parameterDetails.notUuid, { of, example, instead });
	return {
		...by('ID', `e.g. ${example}`),
		validation: [{ type: 'regex', properties: { regex: UUID, errorMessage } }],
	};
}

/** A field with modes to pick or to enter its value. */
export type LocatorDetails = FieldDetails & { modes: INodePropertyMode[] };

/** One thing, picked from a list or entered; undefined if there is none. Plain text counts as its value. */
export function locator(
	name: string,
	displayName: string,
	more: LocatorDetails,
): Parameter<Picked | undefined> {
	return picked(name, displayName, more, (raw, { isExpression }) => {
		const value = parseText(raw, displayName);
		if (value === undefined) return undefined;
		const { mode, cachedResultName } = locatorOf(raw);
		if (mode === 'name') return { name: value };
		// The editor keeps the name of what was picked before; an expression may give something else.
		const shownName = isExpression(name) ? null : textOrNull(cachedResultName);
		return shownName ? { id: value, name: shownName } : { id: value };
	});
}

/** The value of what was picked; undefined if there is none. */
export function pickedValue(
	name: string,
	displayName: string,
	more: LocatorDetails,
): Parameter<string | undefined> {
	return picked(name, displayName, more, (raw) => parseText(raw, displayName));
}

/** A text or a number, kept as it is: the API leaves open which of them statuses and priorities are. */
export function pickedTextOrNumber(
	name: string,
	displayName: string,
	more: LocatorDetails,
): Parameter<string | number | undefined> {
	return picked(name, displayName, more, (raw) => {
		const { value } = locatorOf(raw);
		if (isEmpty(value)) return undefined;
		if (typeof value === 'string') return value.trim();
		if (typeof value === 'number' && Number.isFinite(value)) return value;
		const quoted = quotedValue(value);
		throw invalidInput(parameterMessages.notTextOrNumber, { field: displayName, value: quoted });
	});
}

/** A locator. Nothing is picked unless the description says otherwise. */
function picked<Value>(
	name: string,
	displayName: string,
	more: LocatorDetails,
	parse: (value: unknown, item: ItemScope) => Value,
): Parameter<Value> {
	const preset = { mode: 'list', value: '' };
	const field = { displayName, name, default: preset, ...more };
	return parameterOf({ ...field, type: 'resourceLocator' }, parse);
}

/** The labels of locators that the editor has emptied because the list of another credential lacks what was picked. */
export function emptiedByEditor(
	saved: Readonly<Record<string, unknown>>,
	...locators: Array<Parameter<unknown>>
): string[] {
	const fields = locators.flatMap(({ properties }) => properties);
	const isEmptied = (value: unknown): boolean =>
		isResourceLocatorValue(value) && value.value === '' && value.cachedResultName === '';
	return fields.filter(({ name }) => isEmptied(saved[name])).map(({ displayName }) => displayName);
}
