import { invalidInput, parameterMessages } from '../messages';
import { toggle } from './choice';
import { displayedIf, isEmpty, parameterOf, type FieldDetails, type Parameter } from './parameter';

/** The longest time that can be chosen, in minutes. */
export const YEAR = 366 * 24 * 60;

/** A number within bounds; the default if it is not set. */
export function number(
	name: string,
	displayName: string,
	more: FieldDetails & { default: number },
	{ min, max = Infinity, whole = false }: { min: number; max?: number; whole?: boolean },
): Parameter<number> {
	const typeOptions = { minValue: min, maxValue: max === Infinity ? undefined : max };
	const field = { displayName, name, ...more };
	return parameterOf({ ...field, type: 'number', typeOptions }, (value) => {
		if (isEmpty(value)) return more.default;
		const amount = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
		const isFit = whole ? Number.isInteger(amount) : Number.isFinite(amount);
		if (isFit && amount >= min && amount <= max) return amount;
		const values = { field: displayName, min };
		if (max === Infinity) throw invalidInput(parameterMessages.notLimit, values);
		throw invalidInput(parameterMessages.notNumber, {
			...values,
			max,
			kind: whole ? 'whole number' : 'number',
		});
	});
}

/** How many results are wanted; Infinity for all. */
export function resultLimit(): Parameter<number> {
	const returnAll = toggle('returnAll', 'Return All', {
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	});
	const amount = number(
		'limit',
		'Limit',
		{ default: 50, description: 'Max number of results to return' },
		{ min: 1, whole: true },
	);
	const limit = displayedIf({ show: { returnAll: [false] } }, amount);
	return {
		properties: [...returnAll.properties, ...limit.properties],
		read: (raw, item) => (returnAll.read(raw, item) ? Infinity : limit.read(raw, item)),
	};
}
