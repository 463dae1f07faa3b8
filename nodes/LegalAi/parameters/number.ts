import { parameterMessages } from '../messages/parameterMessages';
import { fillTemplate, InvalidInputError } from '../messages/template';
import { isEmpty, parameterOf, shownFor, type FieldDescription, type Parameter } from './parameter';

/** A number within bounds; undefined if it is not set. */
export function number(
	field: FieldDescription & { default: number },
	{ min, max, whole = false }: { min: number; max: number; whole?: boolean },
): Parameter<number | undefined> {
	const template = whole ? parameterMessages.notWholeNumber : parameterMessages.notNumber;
	return parameterOf(
		{ ...field, type: 'number', typeOptions: { minValue: min, maxValue: max, ...field.typeOptions } },
		(value) => {
			if (isEmpty(value)) return undefined;
			const amount = parseNumber(value);
			if (amount >= min && amount <= max && (!whole || Number.isInteger(amount))) return amount;
			throw new InvalidInputError(fillTemplate(template, { field: field.displayName, min, max }));
		},
	);
}

/** How many results are wanted; Infinity for all. */
export function resultLimit(): Parameter<number> {
	const returnAll = parameterOf(
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		(value) => value === true || value === 'true',
	);
	const limit = shownFor(
		{ returnAll: [false] },
		parameterOf(
			{
				displayName: 'Limit',
				name: 'limit',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 50,
				description: 'Max number of results to return',
			},
			(value) => {
				const amount = parseNumber(value);
				if (Number.isInteger(amount) && amount >= 1) return amount;
				throw new InvalidInputError(fillTemplate(parameterMessages.notLimit));
			},
		),
	);
	return {
		properties: [...returnAll.properties, ...limit.properties],
		read: (raw, item) => (returnAll.read(raw, item) ? Infinity : limit.read(raw, item)),
	};
}

/** NaN for what is neither a number nor text. */
function parseNumber(value: unknown): number {
	return typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
}
