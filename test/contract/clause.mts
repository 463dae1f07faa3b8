import type { CheckedService } from './checkedService.mts';

/**
 * One promise of the service: of the API's specification, or of how this package reads what it leaves open. Its name is a sentence
 * that stands alone in a report.
 */
export interface Clause {
	promise: string;
	/**
	 * Tries it. Resolves to what the service chose, where it had a choice; without any value, address or answer of its own.
	 *
	 * @throws {Differs} if the service does something else
	 * @throws {NotTried} if there was nothing to try it on
	 */
	check:
		| ((service: CheckedService) => Promise<string | undefined>)
		| ((service: CheckedService) => Promise<void>);
}

/** One promise, and how it is tried. */
export const clause = (promise: string, check: Clause['check']): Clause => ({ promise, check });

/** The service does not keep a promise. */
export class Differs extends Error {
	expected: string;
	seen: string;

	constructor(expected: string, seen: string) {
		super(`expected ${expected}; seen ${seen}`);
		this.expected = expected;
		this.seen = seen;
	}
}

/** A promise could not be tried, and why. */
export class NotTried extends Error {}

/** What became of one promise. */
export type Outcome =
	| { verdict: 'as read'; chosen?: string }
	| { verdict: 'differs'; expected: string; seen: string }
	| { verdict: 'not tried'; why: string };

export type Row = Outcome & Pick<Clause, 'promise'>;

/** Tries one promise on a service. Whatever the service does to the connection is an outcome, too. */
export async function tryClause({ promise, check }: Clause, service: CheckedService) {
	const outcome = await Promise.resolve<unknown>(check(service)).then(
		(chosen): Outcome => ({
			verdict: 'as read',
			...(typeof chosen === 'string' ? { chosen } : {}),
		}),
		(error: unknown): Outcome => {
			if (error instanceof Differs)
				return { verdict: 'differs', expected: error.expected, seen: error.seen };
			if (error instanceof NotTried) return { verdict: 'not tried', why: error.message };
			throw error;
		},
	);
	return {
		promise,
		...Object.fromEntries(
			Object.entries(outcome).map(([name, text]) => [name, service.redacted(text)]),
		),
	} as Row;
}

/**
 * What several promises are tried on, made by the first that needs it: a question, a task, a file. If that fails, the first
 * promise tells how, and the others are not tried.
 */
export function shared<Thing>(
	what: string,
	make: (service: CheckedService) => Promise<Thing>,
): (service: CheckedService) => Promise<Thing> {
	const made = new WeakMap<CheckedService, { thing: Promise<Thing>; isTold: boolean }>();
	return async (service) => {
		const known = made.get(service) ?? { thing: make(service), isTold: false };
		made.set(service, known);
		try {
			return await known.thing;
		} catch (error) {
			if (known.isTold && error instanceof Differs) throw new NotTried(`${what}: see above`);
			known.isTold = true;
			throw error;
		}
	};
}
