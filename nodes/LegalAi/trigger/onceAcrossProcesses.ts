import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { ConcurrencyLimiter } from '../api/concurrencyLimiter';
import { redactedExcerpt } from '../api/redactedExcerpt';
import { callbackResponses } from '../messages/callbackMessages';
import { fillText } from '../messages/template';

/** n8n writes all entries of a node anew each time; a callback takes two, or three if it was received by another process. */
const MAX_ENTRIES = 4_000;

/** Deliveries at one moment start executions with numbers close to each other, which the golden ratio spreads best. */
const SPREAD_MS = 500;
const GOLDEN_RATIO = 0.618_033_988_75;

/** As much of n8n as it takes. */
type StoreContext = Pick<IExecuteFunctions, 'getMode' | 'getExecutionId' | 'getNode' | 'logger'> & {
	helpers: Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord'>;
};

/** n8n's store reads, then writes: of two at once, the second would undo what the first has noted. */
const storeAccess = new ConcurrencyLimiter(1);

/**
 * Whether a callback comes for the first time, for all processes of this n8n and over restarts: noted in the store
 * behind n8n's Remove Duplicates, which is not atomic. To be asked last, so that what fails before is not taken for done. An
 * execution that n8n begins again finds its own note, and a retry from the list is what the person wants.
 *
 * @param isReceivedHere whether this process has received the callback: then no other one works on it
 */
export async function comesFirst(context: StoreContext, { id, status }: IDataObject, isReceivedHere: boolean): Promise<boolean> {
	const mode = context.getMode();
	if (mode !== 'webhook' && mode !== 'retry') return true;
	const executionId = context.getExecutionId();
	const callback = JSON.stringify([id, status]);
	const own = `${callback} ${executionId}`;
	try {
		const known = await note(context, [callback, own]);
		if (mode === 'retry' || known.includes(own)) return true;
		if (known.includes(callback) || isReceivedHere) return !known.includes(callback);
		// Several workers may have read the store before any wrote to it. Of those, again at least one comes first.
		await sleep(((Number(executionId) * GOLDEN_RATIO) % 1) * SPREAD_MS);
		const confirmed = `${callback} confirmed`;
		return !(await note(context, [callback, own, confirmed])).includes(confirmed);
	} catch (error) {
		const { name } = context.getNode();
		context.logger.warn(fillText(callbackResponses.logNotRecorded, { name, message: redactedExcerpt(String(error)) ?? '' }));
		return true;
	}
}

/** Notes entries; gives those that were noted before. */
async function note({ helpers }: StoreContext, entries: string[]): Promise<unknown[]> {
	const attempt = async (): Promise<unknown[]> => {
		const { processed } = await helpers.checkProcessedAndRecord(entries, 'node', { mode: 'entries', maxEntries: MAX_ENTRIES });
		return processed;
	};
	await storeAccess.acquire();
	try {
		// Two that find no row yet both insert one, and one of them fails.
		return await attempt().catch(attempt);
	} finally {
		storeAccess.release();
	}
}
