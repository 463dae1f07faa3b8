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
	check: (service: CheckedService) => unknown;
}

/** One promise, and how it is tried. */
export const clause = (promise: string, check: Clause['check']): Clause => ({ promise, check });

/** The service does not keep a promise. */
export class Differs extends Error {
	verdict = 'differs' as const;
	seen: string;

	constructor(expected: string, seen: string) {
		super(`expected ${expected}; seen ${seen}`);
		this.seen = seen;
	}
}

/** A promise could not be tried, and why. */
export class NotTried extends Error {
	verdict = 'not tried' as const;
}

/** What became of one promise, and what there is to say of that. */
export type Row = Awaited<ReturnType<typeof tryClause>>;

/** Tries one promise on a service. Whatever the service does to the connection is an outcome, too. */
export async function tryClause({ promise, check }: Clause, service: CheckedService) {
	try {
		const chosen = await check(service);
		const remark = typeof chosen === 'string' ? service.redacted(chosen) : '';
		return { promise, verdict: 'as read' as const, remark };
	} catch (error) {
		if (!(error instanceof Differs || error instanceof NotTried)) throw error;
		return { promise, verdict: error.verdict, remark: service.redacted(error.message) };
	}
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
