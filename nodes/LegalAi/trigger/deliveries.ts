import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../api/boundedMap';
import { hashOf } from '../api/client';
import { note } from '../execution/notes';

/**
 * The callbacks that this process has received: as many as can be answered in an hour. Without it, each duplicate would start an
 * execution, since only an execution can read n8n's store.
 */
const received = new BoundedMap<string, true>(20_000);

/**
 * Whether a trigger receives a callback for the first time in this process. A question ends once: a second callback is a duplicate,
 * unless the sender of the first got no 2xx.
 */
export function isFirstDelivery(context: IWebhookFunctions, { id, status }: IDataObject) {
	const key = hashOf([context.getWorkflow().id, context.getNode().id, id, status]);
	if (received.has(key)) return false;
	const response = context.getResponseObject();
	if (response.destroyed) return true;
	received.set(key, true);
	response.once('close', () => {
		if (!response.writableFinished || response.statusCode >= 300) received.delete(key);
	});
	return true;
}

/**
 * Whether an execution of the trigger is the first to handle its callback, in all processes of this n8n. To be called last, so that a
 * callback counts as handled once all else has succeeded. An execution that n8n starts again, or retries, always continues. The
 * question's ID alone tells it: the key may have been replaced since.
 */
export async function isFirstExecution(
	context: IExecuteFunctions,
	{ id, status }: IDataObject,
): Promise<boolean> {
	const mode = context.getMode();
	if (mode !== 'webhook' && mode !== 'retry') return true;
	const callback = JSON.stringify([id, status]);
	const own = `${callback} ${context.getExecutionId()}`;
	const noted = await note(context, [callback, own]).catch((): string[] => []);
	return mode === 'retry' || noted.includes(own) || !noted.includes(callback);
}
