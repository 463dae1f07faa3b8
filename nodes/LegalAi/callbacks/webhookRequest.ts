import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { callbackResponses } from '../messages/callbackMessages';
import { fillText } from '../messages/template';
import type { Rejection } from './callback';
import { Throttle } from './throttle';

/** What came in at a callback address. */
export interface ReceivedRequest {
	/** The bytes of the body, unzipped. */
	rawBody: Buffer;
	signature: unknown;
}

/** The error code of a receiver whose credential n8n can't read. */
export const NO_CREDENTIAL = 'no_credential';

/** A receiver logs at most one rejection a minute: whoever sends thousands must not fill the log. */
const rejectionLog = new Throttle(60_000);

/** What n8n has received for a webhook. It keeps no bytes of a form, which no callback is. */
export function receivedRequest(context: IWebhookFunctions): ReceivedRequest {
	const { rawBody }: { rawBody?: unknown } = context.getRequestObject();
	return {
		rawBody: Buffer.isBuffer(rawBody) ? rawBody : Buffer.alloc(0),
		signature: context.getHeaderData()['service-signature'],
	};
}

/** Tells the sender why nothing was done, and the log, if it may be a callback of the service that was turned away. */
export function reject(context: IWebhookFunctions, { status, error_code, message, verdict }: Rejection): IWebhookResponseData {
	if (verdict !== 'missing' && verdict !== 'malformed') logRejection(context, message);
	return respondNow(context, status, { error_code, message });
}

/** What a deleted credential comes to. Nothing starts, or everybody could fill the list of executions with failed ones. */
export function rejectWithoutCredential(context: IWebhookFunctions): IWebhookResponseData {
	return reject(context, { status: 503, error_code: NO_CREDENTIAL, message: callbackResponses.noCredential, verdict: 'unchecked' });
}

function logRejection(context: IWebhookFunctions, message: string): void {
	const { id: nodeId, name } = context.getNode();
	const { id: workflowId } = context.getWorkflow();
	const count = rejectionLog.pass(JSON.stringify([workflowId, nodeId]), Date.now());
	if (count === undefined) return;
	const others = count === 0 ? '' : fillText(callbackResponses.logRejectedBefore, { count });
	context.logger.warn(fillText(callbackResponses.logRejected, { name, message }) + others, { workflowId });
}

/** Answers the sender and starts nothing. */
export function respondNow(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}
