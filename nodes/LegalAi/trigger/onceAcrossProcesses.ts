import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ConcurrencyLimiter } from '../api/concurrencyLimiter';
import { redactedExcerpt } from '../api/redactedExcerpt';
import { callbackResponses } from '../messages/callbackMessages';
import { fillText } from '../messages/template';

/** n8n writes all entries of a node anew each time; a callback takes two. */
const MAX_ENTRIES = 4_000;

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
 */
export async function comesFirst(context: StoreContext, { id, status }: IDataObject): Promise<boolean> {
	const mode = context.getMode();
	if (mode !== 'webhook' && mode !== 'retry') return true;
	const callback = JSON.stringify([id, status]);
	const own = `${callback} ${context.getExecutionId()}`;
	await storeAccess.acquire();
	try {
		// Two that find no row yet both insert one, and one of them fails.
		const { processed } = await note(context, [callback, own]).catch(async () => await note(context, [callback, own]));
		return mode === 'retry' || !processed.includes(callback) || processed.includes(own);
	} catch (error) {
		const { name } = context.getNode();
		context.logger.warn(fillText(callbackResponses.logNotRecorded, { name, message: redactedExcerpt(String(error)) ?? '' }));
		return true;
	} finally {
		storeAccess.release();
	}
}

async function note(context: StoreContext, entries: string[]): Promise<{ processed: unknown[] }> {
	return await context.helpers.checkProcessedAndRecord(entries, 'node', { mode: 'entries', maxEntries: MAX_ENTRIES });
}
