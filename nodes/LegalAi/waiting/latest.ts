import { type AcceptedRecord, ApiError, fetchLatest, isMissing, type Thing } from '../api';
import { userMessageOf } from '../errors/nodeError';
import type { Services } from '../execution/itemRun';
import { fillText, hints } from '../messages';

/** How long a single check may take: the next one, or a callback, finds the answer too. */
const CHECK_TIMEOUT_MS = 60_000;

/** A service of several machines may need a moment until all of them know what is new. */
const NOT_FOUND_YET_MS = 2 * 60_000;

/**
 * What is waited for, as it stands now. During a wait only the API's own word that there is no such thing ends an item. Everything
 * else (no connection, a redirect, a page of a proxy, a key that does not work at the moment) means "not yet", with the reason
 * in a hint.
 *
 * @param known what is known so far
 * @param ageMs since it was accepted
 * @throws {ApiError} the API's word
 */
export async function latestOf<Kept extends AcceptedRecord>(
	{ client, hint }: Services,
	thing: Thing<Kept>,
	known: Kept,
	ageMs: number,
): Promise<Kept> {
	const deadline = Date.now() + CHECK_TIMEOUT_MS;
	return await fetchLatest(client, thing, known, deadline).catch((error: unknown) => {
		if (!(error instanceof ApiError) || error.kind === 'canceled') throw error;
		if (isMissing(error) && ageMs >= NOT_FOUND_YET_MS) throw error;
		hint(fillText(hints.checkFailed, { reason: userMessageOf(error).message }));
		return known;
	});
}
