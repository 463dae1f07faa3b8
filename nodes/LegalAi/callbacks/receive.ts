import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { Deliveries } from './deliveries';
import { readCallback, readRawBody, type CallbackPayload } from './payload';
import { checkSignature, readWebhookSecret, type SignatureVerdict } from './signature';

const REFUSALS: Record<Exclude<SignatureVerdict, 'valid'>, string> = {
	missing: 'The Service-Signature header is missing.',
	malformed: 'The Service-Signature header is not of the form t=<unix_timestamp>,v1=<hex_signature>.',
	wrong: 'The signature does not belong to this body and the webhook secret of this receiver.',
	stale: 'The signature was made more than 60 seconds from now.',
	unverifiable: 'This receiver has no webhook secret to check signatures with.',
};

const deliveries = new Deliveries();

/**
 * Takes what was posted to a Legal AI Trigger's address. Whatever it is, the sender gets an answer: 401 where it is
 * not signed as it should be, 400 where it is no callback, else 200, for what starts nothing too. The 200 of
 * a callback that starts the workflow is n8n's to send, once the execution is stored.
 */
export async function receiveCallback(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const body = readRawBody(context);
	if (context.getNodeParameter('options.verifySignature', true) !== false) {
		const secret = readWebhookSecret(await context.getCredentials('legalAiApi'));
		const verdict = checkSignature(context.getHeaderData()['service-signature'], body, secret, Date.now());
		if (verdict !== 'valid') {
			// What is no callback either may come from anybody, and from this package's own look whether a trigger listens.
			if ('payload' in readCallback(body)) warn(context, REFUSALS[verdict]);
			return refuse(context, 401, 'invalid_signature', REFUSALS[verdict]);
		}
	}

	const received = readCallback(body);
	if ('obstacle' in received) {
		warn(context, received.obstacle);
		return refuse(context, 400, 'invalid_payload', received.obstacle);
	}
	const { payload } = received;

	const events = context.getNodeParameter('events', []);
	if (!Array.isArray(events) || !events.some((event) => event === payload.status)) {
		return say('Accepted. This trigger does not listen for this event, so nothing was started.');
	}
	if (!isNews(context, payload)) return say('Accepted. It was here before, so nothing was started.');
	return { ...say('Accepted.'), workflowData: [[{ json: payload }]] };
}

function refuse(context: IWebhookFunctions, status: number, errorCode: string, message: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ error_code: errorCode, message });
	return { noWebhookResponse: true };
}

function warn(context: IWebhookFunctions, message: string): void {
	context.logger.warn(`Legal AI Trigger refused a callback: ${message}`, { workflowId: context.getWorkflow().id });
}

function say(message: string): IWebhookResponseData & { webhookResponse: IDataObject } {
	return { webhookResponse: { message } };
}

/**
 * Whether a callback has to start the workflow. While somebody listens for a test event, the same one may come as
 * often as they like. One that n8n then could not start (it answers 500) is news again.
 */
function isNews(context: IWebhookFunctions, payload: CallbackPayload): boolean {
	const skipsDuplicates = context.getNodeParameter('options.skipDuplicates', true) !== false;
	if (!skipsDuplicates || context.getMode() === 'manual') return true;
	const receiver = { workflowId: context.getWorkflow().id ?? '', nodeId: context.getNode().id };
	if (!deliveries.take(receiver, payload, Date.now())) return false;
	const response = context.getResponseObject();
	response.once('close', () => {
		if (response.statusCode >= 300) deliveries.forget(receiver, payload);
	});
	return true;
}
