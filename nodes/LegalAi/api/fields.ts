/** A field of a record, as JSON Schema describes it. Each of them can also be null, or missing. */
export type Field =
	| { type: 'boolean' | 'integer' | 'string' }
	| { type: 'array'; items?: Field }
	| { type: 'object'; properties: Fields };

/** Fields by their names, in the order of the output. */
export type Fields = Readonly<Record<string, Field>>;

export const textField: Field = { type: 'string' };
export const integerField: Field = { type: 'integer' };

/** The field of an output item whose wait has ended without a result. */
export const timedOutField = { timed_out: { type: 'boolean' } } satisfies Fields;

/** A list; without `items`, of whatever the service puts there. */
export function listField(items?: Field): Field {
	return { type: 'array', ...(items && { items }) };
}

export function recordField(properties: Fields): Field {
	return { type: 'object', properties };
}
