import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../api/boundedMap';
import { hashOf } from '../api/client';
import { note } from '../execution/notes';
import type { Callback } from './request';

/**
 * The callbacks that this process has received, each with whether n8n accepted it: as many as can be answered in an hour. Without it,
 * each duplicate would start an execution, since only an execution can read n8n's store.
 */
const received = new BoundedMap<string, Promise<boolean>>(20_000);

/**
 * Whether a trigger receives a callback for the first time in this process. A question ends once: a second callback is a duplicate,
 * unless the sender of the first got no 2xx. One that arrives before that is known waits.
 */
export async function isFirstDelivery(
	context: IWebhookFunctions,
	{ id, status }: Callback,
): Promise<boolean> {
	const key = hashOf([context.getWorkflow().id, context.getNode().id, id, status]);
	for (let earlier = received.get(key); earlier !== undefined; earlier = received.get(key)) {
		if (await earlier) return false;
		if (received.get(key) === earlier) received.delete(key);
	}
	const response = context.getResponseObject();
	const isAccepted = new Promise<boolean>((resolve) => {
		if (response.destroyed) resolve(false);
		response.once('close', () => resolve(response.writableFinished && response.statusCode < 300));
	});
	received.set(key, isAccepted);
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
	const [isSeen, isOwn] = [noted.includes(callback), noted.includes(own)];
	return mode === 'retry' || isOwn || !isSeen;
}
