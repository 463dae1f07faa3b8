import { sleep } from 'n8n-workflow';

import { OutcomeUnknownError } from './errors';

/**
 * Does something that may take so many ms in all: n8n's own time-out begins anew with every byte that comes in. When the
 * time is over, the signal is aborted and nothing is waited for any longer.
 *
 * @throws {OutcomeUnknownError} when the time is over
 */
export async function withinTime<T>(ms: number, act: (timeUp: AbortSignal) => Promise<T>): Promise<T> {
	const timeUp = new AbortController();
	const done = new AbortController();
	const timedOut = (): OutcomeUnknownError => new OutcomeUnknownError({ networkCode: 'ETIMEDOUT' });
	const limit = sleep(ms, done.signal).then((): never => {
		timeUp.abort();
		throw timedOut();
	});
	try {
		return await Promise.race([act(timeUp.signal), limit]);
	} catch (error) {
		throw timeUp.signal.aborted ? timedOut() : error;
	} finally {
		done.abort();
	}
}
