import { isRecord } from '../api';
import { group as fieldsOf } from './parameter';
import type {
	FieldDetails,
	ItemScope,
	Parameter,
	Parameters,
	RawValues,
	ValuesOf,
} from './parameter';

/** Optional parameters that the editor offers behind a button, by their labels; those that were not added are undefined. */
export function collection<P extends Parameters>(
	name: string,
	displayName: string,
	more: FieldDetails & { placeholder: string },
	parameters: P,
): Parameter<ValuesOf<P>> {
	return {
		properties: [
			{
				displayName,
				name,
				default: {},
				...more,
				type: 'collection',
				options: fieldsOf(parameters).properties.sort((one, other) =>
					one.displayName.localeCompare(other.displayName, 'en'),
				),
			},
		],
		read: (raw, item) => readGroup(parameters, raw(name), item),
	};
}

/** The collection of a node's options. */
export function optionsOf<P extends Parameters>(parameters: P): Parameter<ValuesOf<P>> {
	return collection('options', 'Options', { placeholder: 'Add Option' }, parameters);
}

/** A group of parameters that can be added any number of times, and moved. The editor folds away those that may be left out. */
export function repeated<P extends Parameters>(
	name: string,
	displayName: string,
	more: FieldDetails & { placeholder: string },
	group: { displayName: string; name: string },
	parameters: P,
): Parameter<Array<ValuesOf<P>>> {
	return {
		properties: [
			{
				displayName,
				name,
				default: {},
				...more,
				type: 'fixedCollection',
				typeOptions: { multipleValues: true, sortable: true, hideOptionalFields: true },
				options: [{ ...group, values: fieldsOf(parameters).properties }],
			},
		],
		read: (raw, item) => {
			const value = raw(name);
			const groups: unknown = isRecord(value) ? value[group.name] : undefined;
			const entries: unknown[] = Array.isArray(groups) ? groups : [groups];
			return entries.filter(isRecord).map((entry) => readGroup(parameters, entry, item));
		},
	};
}

function readGroup<P extends Parameters>(
	parameters: P,
	value: unknown,
	item: ItemScope,
): ValuesOf<P> {
	const raw: RawValues = (name) =>
		isRecord(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : undefined;
	return fieldsOf(parameters).read(raw, item);
}
