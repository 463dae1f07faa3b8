import type { ServiceDescription } from './description.mts';

/** A service like another, in what the node is known to cope with. */
export function settled({ questions, ...rest }: ServiceDescription): ServiceDescription {
	return { ...rest, questions: { ...questions, spelling: 'both' } };
}
