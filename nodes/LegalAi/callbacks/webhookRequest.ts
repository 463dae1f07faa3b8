import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { callbackResponses } from '../messages/callbackMessages';
import { fillText } from '../messages/template';
import type { Rejection } from './callback';
import { Throttle } from './throttle';

/** What came in at a callback address. */
export interface ReceivedRequest {
	/** The bytes of the body, unzipped; none if they could not be read. */
	rawBody: Buffer;
	signature: unknown;
}

/** The error code of a receiver whose credential n8n can't read. */
export const NO_CREDENTIAL = 'no_credential';

/** A receiver logs at most one rejection a minute: whoever sends thousands must not fill the log. */
const rejectionLog = new Throttle(60_000);

/** An answer has text of some pages; what is far larger is no callback, and hashing or parsing it would hold up n8n. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** What a webhook has received, or the rejection of a body that is far too large for a callback. */
export async function receivedRequest(context: IWebhookFunctions): Promise<ReceivedRequest | { rejection: Rejection }> {
	const { 'content-length': announcedBytes, 'service-signature': signature } = context.getHeaderData();
	const rawBody = Number(announcedBytes) > MAX_BODY_BYTES ? undefined : await readBody(context);
	if (rawBody !== undefined && rawBody.length <= MAX_BODY_BYTES) return { rawBody, signature };
	const verdict = signature === undefined ? 'missing' : 'unchecked';
	return { rejection: { status: 413, error_code: 'invalid_payload', message: callbackResponses.tooLarge, verdict } };
}

/**
 * n8n has read a body that it could parse; what has any other content type is still to be read. Of a form n8n keeps no
 * bytes, and of a sender that has gone there are none.
 */
async function readBody(context: IWebhookFunctions): Promise<Buffer> {
	const request = context.getRequestObject();
	await request.readRawBody().catch(() => undefined);
	const { rawBody }: { rawBody?: unknown } = request;
	return Buffer.isBuffer(rawBody) ? rawBody : Buffer.alloc(0);
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
