import { isResourceLocatorValue, type INodeProperties, type INodePropertyMode } from 'n8n-workflow';

import { textOrNull } from '../api/json';
import { parameterDetails, parameterMessages } from '../messages/parameterMessages';
import { fillText, invalidInput } from '../messages/template';
import { isEmpty, locatorOf, parameterOf, quotedValue, type FieldDescription, type Parameter } from './parameter';
import { parseText } from './text';

/** What was picked: by its ID and, if that is known, its name, or by its name alone. */
export type Picked = { id: string; name?: string } | { id?: undefined; name: string };

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** Picks from a list that a method of `listSearch` fills; the editor shows "Choose…" unless told otherwise. */
export function fromList(searchListMethod: string, placeholder?: string): INodePropertyMode {
	const mode = { displayName: 'From List', name: 'list', typeOptions: { searchListMethod, searchable: true } };
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
		validation: [{ type: 'regex', properties: { regex: `\\s*${UUID}\\s*`, errorMessage } }],
	};
}

/** A field with modes to pick or to enter its value. */
export type LocatorDescription = FieldDescription & { modes: INodePropertyMode[] };

/** One thing, picked from a list or entered; undefined if there is none. Plain text counts as its value. */
export function locator(field: LocatorDescription): Parameter<Picked | undefined> {
	return parameterOf(locatorProperty(field), (raw, { isExpression }) => {
		const value = parseText(raw, field.displayName);
		if (value === undefined) return undefined;
		const { mode, cachedResultName } = locatorOf(raw);
		if (mode === 'name') return { name: value };
		// The editor keeps the name of what was picked before; an expression may give something else.
		const name = isExpression(field.name) ? null : textOrNull(cachedResultName);
		return name ? { id: value, name } : { id: value };
	});
}

/** The value of what was picked; undefined if there is none. */
export function pickedValue(field: LocatorDescription): Parameter<string | undefined> {
	return parameterOf(locatorProperty(field), (raw) => parseText(raw, field.displayName));
}

/** A text or a number, kept as it is: the API leaves open which of them statuses and priorities are. */
export function pickedTextOrNumber(field: LocatorDescription): Parameter<string | number | undefined> {
	return parameterOf(locatorProperty(field), (raw) => {
		const { value } = locatorOf(raw);
		if (isEmpty(value)) return undefined;
		if (typeof value === 'string') return value.trim();
		if (typeof value === 'number' && Number.isFinite(value)) return value;
		throw invalidInput(parameterMessages.notTextOrNumber, { field: field.displayName, value: quotedValue(value) });
	});
}

/**
 * The labels of those locators of a saved node that the editor has emptied: it does so if the list of another credential
 * lacks what was picked, and leaves an empty name behind.
 */
export function emptiedByEditor(saved: Readonly<Record<string, unknown>>, ...locators: Array<Parameter<unknown>>): string[] {
	const fields = locators.flatMap(({ properties }) => properties);
	const isEmptied = (value: unknown): boolean =>
		isResourceLocatorValue(value) && value.value === '' && value.cachedResultName === '';
	return fields.filter(({ name }) => isEmptied(saved[name])).map(({ displayName }) => displayName);
}

/** Nothing is picked unless the description says otherwise. */
function locatorProperty(field: LocatorDescription): INodeProperties {
	return { default: { mode: 'list', value: '' }, ...field, type: 'resourceLocator' };
}
