import { parameterMessages } from '../messages/parameterMessages';
import { fillTemplate, InvalidInputError } from '../messages/template';
import { toggle } from './choice';
import { displayedIf, isEmpty, parameterOf, type FieldDescription, type Parameter } from './parameter';

/** A number within bounds; undefined if it is not set. */
export function number(
	field: FieldDescription & { default: number },
	{ min, max = Infinity, whole = false }: { min: number; max?: number; whole?: boolean },
): Parameter<number | undefined> {
	const typeOptions = { minValue: min, ...(max === Infinity ? {} : { maxValue: max }), ...field.typeOptions };
	return parameterOf({ ...field, type: 'number', typeOptions }, (value) => {
		if (isEmpty(value)) return undefined;
		const amount = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
		if (Number.isFinite(amount) && amount >= min && amount <= max && (!whole || Number.isInteger(amount))) return amount;
		const values = { field: field.displayName, min, max };
		if (max === Infinity) throw new InvalidInputError(fillTemplate(parameterMessages.notLimit, values));
		throw new InvalidInputError(fillTemplate(whole ? parameterMessages.notWholeNumber : parameterMessages.notNumber, values));
	});
}

/** How many results are wanted; Infinity for all. */
export function resultLimit(): Parameter<number> {
	const returnAll = toggle({
		displayName: 'Return All',
		name: 'returnAll',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	});
	const limit = displayedIf(
		{ show: { returnAll: [false] } },
		number(
			{ displayName: 'Limit', name: 'limit', default: 50, description: 'Max number of results to return' },
			{ min: 1, whole: true },
		),
	);
	return {
		properties: [...returnAll.properties, ...limit.properties],
		read: (raw, item) => (returnAll.read(raw, item) === true ? Infinity : (limit.read(raw, item) ?? 50)),
	};
}
