import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { callbackResponses, fillText } from '../messages';
import type { ReceivedRequest, Rejection } from './callback';
import { webhookSecretsOf } from './signature';
import { throttle } from './throttle';

/** A webhook that receives callbacks. `responseData` is empty, so that n8n responds with what the webhook function says. */
export const CALLBACK_WEBHOOK = {
	name: 'default',
	httpMethod: 'POST',
	isFullPath: true,
	responseMode: 'onReceived',
	responseData: '',
} as const;

/** For a credential that was deleted, or that only a run can resolve. A trigger starts nothing then, or anyone could fill the list of executions. */
export const NO_CREDENTIAL: Rejection = {
	status: 503,
	error_code: 'no_credential',
	message: callbackResponses.noCredential,
};

/** A node logs at most one rejection a minute: a flood of forged callbacks must not fill the log. */
const allowLog = throttle(60_000);

/** An answer is a few pages of text. Hashing or parsing much more would block n8n. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** What a webhook has received, or the rejection of a body that is far too large for a callback. */
export async function receivedRequest(
	context: IWebhookFunctions,
): Promise<ReceivedRequest | { rejection: Rejection }> {
	const { 'content-length': announcedBytes, 'service-signature': signature } =
		context.getHeaderData();
	const rawBody = Number(announcedBytes) > MAX_BODY_BYTES ? undefined : await readBody(context);
	if (rawBody !== undefined && rawBody.length <= MAX_BODY_BYTES) return { rawBody, signature };
	return {
		rejection: { status: 413, error_code: 'invalid_payload', message: callbackResponses.tooLarge },
	};
}

/** n8n reads a body only if it parses its content type, keeps no bytes of a form, and gets none from a sender that is gone. */
async function readBody(context: IWebhookFunctions): Promise<Buffer> {
	const request = context.getRequestObject();
	await request.readRawBody().catch(() => undefined);
	const { rawBody }: { rawBody?: unknown } = request;
	return Buffer.isBuffer(rawBody) ? rawBody : Buffer.alloc(0);
}

/**
 * What to check signatures with. They are read for each one, so that a removed secret is no longer accepted.
 *
 * @returns none if the credential has none; undefined if n8n can't read the credential, e.g. because it was deleted
 */
export async function readSecrets(context: IWebhookFunctions): Promise<string[] | undefined> {
	const credential = await context.getCredentials('legalAiApi').catch(() => undefined);
	return credential && webhookSecretsOf(credential);
}

/** Tells the sender and the log why a request was rejected. */
export function reject(
	context: IWebhookFunctions,
	{ status, error_code, message }: Rejection,
): IWebhookResponseData {
	const { id: nodeId, name } = context.getNode();
	const { id: workflowId } = context.getWorkflow();
	if (allowLog(JSON.stringify([workflowId, nodeId])))
		context.logger.warn(fillText(callbackResponses.logRejected, { name, message }), { workflowId });
	return respondNow(context, status, { error_code, message });
}

/** Answers the sender and starts nothing. */
export function respondNow(
	context: IWebhookFunctions,
	status: number,
	body: object,
): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}
