import type { INodePropertyOptions } from 'n8n-workflow';

import { invalidInput, parameterMessages } from '../messages';
import { displayedWith, group, isEmpty, parameterOf, plainValue, quotedValue } from './parameter';
import type { FieldDetails, Parameter, Parameters, ValuesOf } from './parameter';
import { parseList } from './text';

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

/** An option of a choice: its label, and what the editor says of it. */
type Option = Pick<INodePropertyOptions, 'name' | 'description' | 'action'>;

/** By their values, in the order of the editor. */
type Options = Readonly<Record<string, Option>>;

/** One of several options, by its value; the default if it is not set. */
export function choice<Chosen extends Options>(
	name: string,
	displayName: string,
	more: FieldDetails & { default: keyof Chosen & string },
	options: Chosen,
): Parameter<keyof Chosen & string> {
	const field = { displayName, name, ...more };
	return parameterOf({ ...field, type: 'options', options: listOf(options) }, (value) =>
		isEmpty(value) ? more.default : parseOption(value, options, displayName),
	);
}

/** Any number of options, by their values. */
export function choices<Chosen extends Options>(
	name: string,
	displayName: string,
	more: FieldDetails,
	options: Chosen,
): Parameter<Array<keyof Chosen & string>> {
	const field = { displayName, name, default: [], ...more };
	return parameterOf({ ...field, type: 'multiOptions', options: listOf(options) }, (value) =>
		(parseList(value, displayName) ?? []).map((entry) => parseOption(entry, options, displayName)),
	);
}

function listOf(options: Options): INodePropertyOptions[] {
	return Object.entries(options).map(([value, { name, description, action }]) => ({
		name,
		value,
		description,
		action,
	}));
}

/** An option with parameters of its own, which the editor shows for it alone. */
interface Variant extends Option {
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
	more: FieldDetails & { default: keyof Variants & string },
	options: Variants,
): Parameter<VariantValue<Variants>> {
	const chosen = choice(name, displayName, more, options);
	const own = Object.entries(options).flatMap(([value, { parameters = {} }]) =>
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

function parseOption<Chosen extends Options>(
	value: unknown,
	options: Chosen,
	field: string,
): keyof Chosen & string {
	const values = Object.keys(options) as Array<keyof Chosen & string>;
	// Forms and spreadsheets write words with capitals.
	const found = values.find((option) => plainWord(option) === plainWord(value));
	if (found !== undefined) return found;
	const choices = values.join(', ');
	throw invalidInput(parameterMessages.notChoice, { field, value: quotedValue(value), choices });
}

/** A value as trimmed text in lower case; undefined for lists and objects. */
function plainWord(value: unknown): string | undefined {
	return plainValue(value)?.trim().toLowerCase();
}
