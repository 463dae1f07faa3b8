import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { inOutputOrder } from '../api';
import {
	answerProbe,
	assistantOf,
	isProbe,
	NO_CREDENTIAL,
	passedAlongOf,
	readCallback,
	readSecrets,
	receivedRequest,
	reject,
} from '../callbacks';
import { callbackResponses, fillText } from '../messages';
import { isFirstDelivery } from './deliveries';
import { readTriggerParameters } from './properties';

/**
 * Receives what was posted to the address of a Legal AI Trigger. The sender gets 401 if it is not signed correctly, 400 if it is not a
 * callback, and otherwise 200, even if nothing starts. If the workflow starts, n8n sends the 200 once the execution is stored.
 */
export async function receiveCallback(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = await receivedRequest(context);
	if ('rejection' in request) return reject(context, request.rejection);
	const isVerifying = context.getNodeParameter('options.verifySignature', true) !== false;
	const ownSecrets = await readSecrets(context);
	if (isVerifying && ownSecrets === undefined) return reject(context, NO_CREDENTIAL);
	const secrets = isVerifying ? ownSecrets : undefined;
	if (isProbe(request)) return answerProbe(context, request, secrets);
	const received = readCallback(request, secrets);
	if ('rejection' in received) return reject(context, received.rejection);
	const { callback } = received;

	const { events, options } = readTriggerParameters(
		(name) => context.getNodeParameter(name, null) as unknown,
	);
	if (!events.includes(callback.status)) return respond(callbackResponses.acceptedNotListening);
	if (options.skipDuplicates && !(await isFirstDelivery(context, callback)))
		return respond(callbackResponses.acceptedDuplicate);
	const query: unknown = context.getQueryData();
	const passedAlong = passedAlongOf(query, ownSecrets ?? []);
	const { name } = context.getNode();
	if (passedAlong === null)
		context.logger.warn(fillText(callbackResponses.logNotPassedAlong, { name }), {
			workflowId: context.getWorkflow().id,
		});
	const assistant = { assistant_id: callback.assistant_id ?? assistantOf(query) };
	const json = inOutputOrder({ ...callback, passed_along: passedAlong ?? undefined, ...assistant });
	return { ...respond(callbackResponses.accepted), workflowData: [[{ json }]] };
}

function respond(message: string): IWebhookResponseData & { webhookResponse: IDataObject } {
	return { webhookResponse: { message } };
}
