import type { IDataObject, IExecuteFunctions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { readCallback, readSignedCallback, type Callback } from '../callbacks/callback';
import { DeliveryDeduplicator, type Receiver } from '../callbacks/deliveryDeduplicator';
import { answerProbe, isProbe } from '../callbacks/probe';
import { assistantOf } from '../callbacks/triggerUrl';
import { reject, rejectWithoutCredential, receivedRequest } from '../callbacks/webhookRequest';
import { readWebhookSecrets } from '../callbacks/webhookSecrets';
import { callbackResponses } from '../messages/callbackMessages';
import { readTriggerParameters } from './properties';

const deliveries = new DeliveryDeduplicator();

/**
 * Receives what was posted to a Legal AI Trigger's address. Whatever it is, the sender gets an answer: 401 if it is
 * not signed as it should be, 400 if it is no callback, else 200, for what starts nothing too. The 200 of
 * a callback that starts the workflow is n8n's to send, once the execution is stored.
 */
export async function receiveCallback(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = await receivedRequest(context);
	if ('rejection' in request) return reject(context, request.rejection);
	const isVerifying = context.getNodeParameter('options.verifySignature', true) !== false;
	const secrets = isVerifying ? await readWebhookSecrets(context) : undefined;
	if (isVerifying && secrets === undefined) return rejectWithoutCredential(context);
	if (isProbe(request)) return answerProbe(context, request, secrets);
	const received =
		secrets === undefined ? readCallback(request.rawBody) : readSignedCallback(request, secrets, Date.now());
	if ('rejection' in received) return reject(context, received.rejection);
	const { callback } = received;

	const { events, options } = readTriggerParameters((name) => context.getNodeParameter(name, null) as unknown);
	if (!events.includes(callback.status)) return respond(callbackResponses.acceptedNotListening);
	if (options.skipDuplicates && !(await isNew(context, callback))) return respond(callbackResponses.acceptedDuplicate);
	const assistant_id = callback.assistant_id ?? assistantOf(context.getQueryData());
	const json = assistant_id === undefined ? callback : { ...callback, assistant_id };
	return { ...respond(callbackResponses.accepted), workflowData: [[{ json }]] };
}

function respond(message: string): IWebhookResponseData & { webhookResponse: IDataObject } {
	return { webhookResponse: { message } };
}

/**
 * Whether a callback has to start the workflow. While somebody listens for a test event, the same one may come as
 * often as they like. One whose sender did not get a 2xx is new again.
 */
async function isNew(context: IWebhookFunctions, callback: Callback): Promise<boolean> {
	if (context.getMode() === 'manual') return true;
	const response = context.getResponseObject();
	const isAccepted = new Promise<boolean>((resolve) => {
		if (response.destroyed) resolve(false);
		response.once('close', () => {
			resolve(response.writableFinished && response.statusCode < 300);
		});
	});
	return await deliveries.add(receiverOf(context), callback, isAccepted, Date.now());
}

/** Whether the callback that an execution was started with came to this process, and not to another one of this n8n. */
export function isReceivedHere(context: IExecuteFunctions, callback: IDataObject): boolean {
	return deliveries.has(receiverOf(context), callback);
}

function receiverOf(context: Pick<IExecuteFunctions, 'getWorkflow' | 'getNode'>): Receiver {
	return { workflowId: context.getWorkflow().id ?? '', nodeId: context.getNode().id };
}
