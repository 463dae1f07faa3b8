import { isResourceLocatorValue, type INodeProperties, type INodePropertyMode } from 'n8n-workflow';

import { textOrNull, type JsonRecord } from '../api/json';
import type { UserMessage } from '../messages/template';
import { isEmpty, parameterOf, type FieldDescription, type Parameter } from './parameter';
import { parseText, requireValue } from './text';

/** What was picked: its value, how, and what it is called, if that is known. */
export interface Picked {
	value: string;
	mode: string;
	name: string | undefined;
}

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** Picks from a list that a method of `listSearch` fills. */
export function fromList(searchListMethod: string): INodePropertyMode {
	return {
		...entered({ displayName: 'From List', name: 'list', typeOptions: { searchListMethod, searchable: true } }),
		type: 'list',
	};
}

export function byId(placeholder: string): INodePropertyMode {
	return entered({ displayName: 'By ID', name: 'id', placeholder });
}

/** An ID that has the form of a UUID; `errorMessage` is shown in the editor for any other. */
export function byUuid({ placeholder, errorMessage }: { placeholder: string; errorMessage: string }): INodePropertyMode {
	return {
		...byId(placeholder),
		validation: [{ type: 'regex', properties: { regex: `\\s*${UUID}\\s*`, errorMessage } }],
	};
}

export function byName(placeholder: string): INodePropertyMode {
	return entered({ displayName: 'By Name', name: 'name', placeholder });
}

export function byValue(placeholder: string): INodePropertyMode {
	return entered({ displayName: 'By Value', name: 'value', placeholder });
}

function entered(mode: Omit<INodePropertyMode, 'type'>): INodePropertyMode {
	return { ...mode, type: 'string' };
}

/** A field with modes to pick or to enter its value. */
export type LocatorDescription = FieldDescription & { modes: INodePropertyMode[] };

/** One thing, picked from a list or entered; undefined if there is none. A plain text is taken for its value. */
export function locator(field: LocatorDescription): Parameter<Picked | undefined> {
	return parameterOf(locatorProperty(field), (value) => parseLocator(value, field.displayName));
}

/** The value of what was picked; undefined if there is none. */
export function pickedValue(field: LocatorDescription): Parameter<string | undefined> {
	return parameterOf(locatorProperty(field), (value) => parseLocator(value, field.displayName)?.value);
}

/** The value of what has to be picked. */
export function requiredPick(field: LocatorDescription, ifEmpty: UserMessage): Parameter<string> {
	return parameterOf(locatorProperty({ required: true, ...field }), (value) =>
		requireValue(parseLocator(value, field.displayName)?.value, field.displayName, ifEmpty),
	);
}

/** The field of a locator; nothing is picked unless its description says otherwise. */
export function locatorProperty(field: LocatorDescription): INodeProperties {
	return { default: { mode: 'list', value: '' }, ...field, type: 'resourceLocator' };
}

/** What a locator holds, or the plain value that a saved workflow may have in its place. */
export function locatorValue(raw: unknown): unknown {
	return isResourceLocatorValue(raw) ? raw.value : raw;
}

function parseLocator(raw: unknown, field: string): Picked | undefined {
	const value = parseText(locatorValue(raw), field)?.trim();
	if (isEmpty(value)) return undefined;
	const { mode, cachedResultName }: JsonRecord = isResourceLocatorValue(raw) ? { ...raw } : {};
	return { value, mode: textOrNull(mode) ?? 'id', name: textOrNull(cachedResultName) ?? undefined };
}
