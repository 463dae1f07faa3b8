import type { INodePropertyOptions } from 'n8n-workflow';

import { invalidInput, parameterMessages } from '../messages';
import { displayedWith, group, isEmpty, parameterOf, plainValue, quotedValue } from './parameter';
import { parseList } from './text';
import type { FieldDetails, Parameter, Parameters, ValuesOf } from './parameter';

/** Yes or no; the default if it is not set. */
export function toggle(
	name: string,
	displayName: string,
	more: FieldDetails & { default: boolean },
): Parameter<boolean> {
	const field = { displayName, name, ...more };
	return parameterOf({ ...field, type: 'boolean' }, (value) => {
		if (isEmpty(value)) return more.default;
		// Spreadsheets write TRUE and FALSE, databases 1 and 0.
		const word = plainWord(value);
		if (word === 'true' || word === '1') return true;
		if (word === 'false' || word === '0') return false;
		throw invalidInput(parameterMessages.notBoolean, { field: displayName });
	});
}

/** An option of a choice. */
export interface Option extends INodePropertyOptions {
	value: string;
}

/** One of several options, by its value; the default if it is not set. */
export function choice<const Options extends readonly Option[]>(
	name: string,
	displayName: string,
	more: FieldDetails & { default: Options[number]['value'] },
	options: Options,
): Parameter<Options[number]['value']> {
	const field = { displayName, name, ...more };
	return parameterOf({ ...field, type: 'options', options: [...options] }, (value) =>
		isEmpty(value) ? more.default : parseOption(value, options, displayName),
	);
}

/** Any number of options, by their values. */
export function choices<const Options extends readonly Option[]>(
	name: string,
	displayName: string,
	more: FieldDetails,
	options: Options,
): Parameter<Array<Options[number]['value']>> {
	return parameterOf(
		{ displayName, name, default: [], ...more, type: 'multiOptions', options: [...options] },
		(value) =>
			(parseList(value, displayName) ?? []).map((entry) =>
				parseOption(entry, options, displayName),
			),
	);
}

/** An option with parameters of its own, which the editor shows for it alone. */
export interface Variant extends Pick<INodePropertyOptions, 'name' | 'description' | 'action'> {
	parameters?: Parameters;
}

type VariantValue<Variants extends Readonly<Record<string, Variant>>> = {
	[Kind in keyof Variants]: { kind: Kind } & (Variants[Kind]['parameters'] extends Parameters
		? ValuesOf<Variants[Kind]['parameters']>
		: unknown);
}[keyof Variants];

/** One of several options, each with parameters of its own. Its value is that of the field (`kind`) and theirs. */
export function variants<const Variants extends Readonly<Record<string, Variant>>>(
	name: string,
	displayName: string,
	more: FieldDetails & { default: string },
	options: Variants,
): Parameter<VariantValue<Variants>> {
	const entries = Object.entries(options);
	const chosen = choice(
		name,
		displayName,
		more,
		entries.map(([value, { name: label, description, action }]) => ({
			name: label,
			value,
			description,
			action,
		})),
	);
	const own = entries.flatMap(([value, { parameters = {} }]) =>
		displayedWith({ show: { [name]: [value] } }, group(parameters).properties),
	);
	return {
		properties: [...chosen.properties, ...own],
		read: (raw, item) => {
			const kind = chosen.read(raw, item);
			return {
				...group(options[kind]?.parameters ?? {}).read(raw, item),
				kind,
			} as VariantValue<Variants>;
		},
	};
}

function parseOption<const Options extends readonly Option[]>(
	value: unknown,
	options: Options,
	field: string,
): Options[number]['value'] {
	// Forms and spreadsheets write words with capitals.
	const found = options.find((option) => plainWord(option.value) === plainWord(value));
	if (found !== undefined) return found.value;
	const choices = options.map((option) => option.value).join(', ');
	throw invalidInput(parameterMessages.notChoice, { field, value: quotedValue(value), choices });
}

/** A value as trimmed text in lower case; undefined for lists and objects. */
function plainWord(value: unknown): string | undefined {
	return plainValue(value)?.trim().toLowerCase();
}
