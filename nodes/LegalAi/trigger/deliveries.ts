import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { accountOf, hashOf } from '../api/account';
import { BoundedMap } from '../api/boundedMap';
import { redactedExcerpt } from '../api/redactedExcerpt';
import type { Callback } from '../callbacks/callback';
import { callbackResponses } from '../messages/callbackMessages';
import { fillText } from '../messages/template';

/**
 * The callbacks that this process has received, each with whether n8n accepted it. As many as an organization at its limit
 * (400 requests a minute) can have answered within an hour.
 */
const received = new BoundedMap<string, Promise<boolean>>(20_000);

/**
 * Whether a trigger receives a callback for the first time in this process. A question ends once, so a second callback is
 * a duplicate, however late it comes, unless the sender of the first did not get a 2xx. A callback that arrives before that
 * is known waits, so that one of several gets through.
 */
export async function isFirstDelivery(
	context: IWebhookFunctions,
	{ id, status }: Callback,
	account: string | undefined,
): Promise<boolean> {
	// A hash, so that no entry is larger than another, whatever a callback has for its ID.
	const key = hashOf([context.getWorkflow().id, context.getNode().id, account, id, status]);
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

/** n8n rewrites all entries of a node each time; a callback takes two. */
const MAX_ENTRIES = 4_000;

/** What is under way: of two executions that use the store at once, the second would undo the note of the first. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Whether an execution of the trigger is the first to handle its callback, across all processes of this n8n and over restarts.
 * It is noted in the store behind n8n's Remove Duplicates, which reads, then writes: of two executions that run at the same moment,
 * both may be the first. To be called last, once everything else has succeeded. An execution that n8n starts again finds its own note.
 */
export async function isFirstExecution(context: IExecuteFunctions, { id, status }: IDataObject): Promise<boolean> {
	const mode = context.getMode();
	if (mode !== 'webhook' && mode !== 'retry') return true;
	try {
		const account = await context.getCredentials('legalAiApi').then(accountOf, () => undefined);
		const callback = JSON.stringify([account, id, status]);
		const own = `${callback} ${context.getExecutionId()}`;
		const options = { mode: 'entries', maxEntries: MAX_ENTRIES } as const;
		const noted = previous.then(() => context.helpers.checkProcessedAndRecord([callback, own], 'node', options));
		previous = noted.catch(() => undefined);
		const { processed } = await noted;
		return mode === 'retry' || processed.includes(own) || !processed.includes(callback);
	} catch (error) {
		const { name } = context.getNode();
		context.logger.warn(fillText(callbackResponses.logNotRecorded, { name, message: redactedExcerpt(String(error)) ?? '' }));
		return true;
	}
}
