import { Differs, tryClause, type Row } from './clause.mts';
import { BUDGET, CHECK_NAME, CheckedService, type ServiceAccess } from './checkedService.mts';
import { clauses } from './clauses.mts';
import { archiveAll } from './tasks.mts';

/** What a check leaves at the service, for whoever is asked before it begins. */
export const COST = `The check
- asks at most ${BUDGET.questions} questions, in private sessions, which the API cannot delete;
- uploads ${BUDGET.files} small text file;
- creates at most ${BUDGET.tasks} tasks called "${CHECK_NAME}", and archives them in the end;
- sends some 200 requests. An answer may take 2 to 5 minutes.`;

/** The check could not begin. */
export class CannotBegin extends Error {}

/**
 * Tries every promise on a service, and tells each outcome as it comes.
 *
 * @throws {CannotBegin} if the service can't be reached, or does not take the key
 * @throws {Error} called AbortError, once what was created is archived, if the signal ends the check
 */
export async function checkService(access: ServiceAccess, tell: (row: Row) => void) {
	const service = new CheckedService(access);
	const hello = await service.get('/me').catch((error: unknown) => {
		throw new CannotBegin(
			`The service at LEGAL_AI_BASE_URL can't be reached${error instanceof Differs ? ` (${error.seen})` : ''}.`,
		);
	});
	if (hello.status !== 200) {
		throw new CannotBegin(
			`GET /me below LEGAL_AI_BASE_URL answers ${hello.status}. Check the address, which ends in /api/v1, and LEGAL_AI_API_KEY.`,
		);
	}
	const rows: Row[] = [];
	try {
		for (const clause of clauses) {
			access.signal?.throwIfAborted();
			const row = await tryClause(clause, service);
			tell(row);
			rows.push(row);
		}
	} finally {
		await archiveAll(service);
	}
	return rows;
}
