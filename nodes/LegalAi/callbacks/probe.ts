import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { LegalAiClient } from '../api/client';
import { isRecord, readJson } from '../api/json';
import {
	callbackResponses,
	signatureResponses,
	type triggerProblems,
} from '../messages/callbackMessages';
import { checkSignature, signatureOf } from './signature';
import { NO_CREDENTIAL, respondNow, type ReceivedRequest } from './webhookRequest';

const PROBE_TIMEOUT_MS = 5_000;

/** What a trigger is sent before a question is asked. Its bytes tell it from a callback, without parsing. */
const PROBE = Buffer.from('{"probe":"webhook_secret"}');

const NO_SECRET = 'no_webhook_secret';
const INVALID_SIGNATURE = 'invalid_signature';

/**
 * Whether a trigger would accept the callbacks of a question:
 * - `listening`: or it could not be found out, since n8n often can't reach its own public address.
 * - `notRegistered`: none listens at the address.
 * - `otherSecret`: its webhook secret is not the one that the question's callback is signed with.
 * - `noSecret`: it has none, so that it rejects all.
 * - `noCredential`: its credential can't be read, so that it rejects all.
 */
export type ProbeResult = 'listening' | 'notRegistered' | keyof typeof triggerProblems;

/** Whether a request is a probe. */
export function isProbe({ rawBody }: ReceivedRequest): boolean {
	return rawBody.equals(PROBE);
}

/** Answers a probe; `secrets` are undefined if signatures are not verified. A wrong clock does not mean another secret. */
export function answerProbe(
	context: IWebhookFunctions,
	{ rawBody, signature }: ReceivedRequest,
	secrets: string[] | undefined,
): IWebhookResponseData {
	const verdict =
		secrets === undefined ? 'valid' : checkSignature(signature, rawBody, secrets, Date.now());
	if (verdict === 'valid' || verdict === 'stale')
		return respondNow(context, 200, { message: callbackResponses.listening });
	if (verdict === 'noSecret')
		return respondNow(context, 409, {
			error_code: NO_SECRET,
			message: signatureResponses.noSecret,
		});
	return respondNow(context, 401, {
		error_code: INVALID_SIGNATURE,
		message: signatureResponses.wrong,
	});
}

/**
 * Asks a trigger whether it would accept the callbacks of a question.
 *
 * @param secret of the credential that the question is asked with; undefined if it has none
 */
export async function probeTrigger(
	client: Pick<LegalAiClient, 'probe'>,
	url: string,
	secret: string | undefined,
): Promise<ProbeResult> {
	const signature =
		secret === undefined ? undefined : signatureOf(PROBE, secret, Math.floor(Date.now() / 1000));
	const headers = {
		'Content-Type': 'application/json',
		...(signature && { 'Service-Signature': signature }),
	};
	const request = {
		method: 'POST',
		url,
		body: PROBE.toString(),
		headers,
		timeoutMs: PROBE_TIMEOUT_MS,
	} as const;
	const response = await client.probe(request).catch(() => undefined);
	const text = response?.body ?? '';
	const content = readJson(text);
	const { error_code: errorCode, message } = isRecord(content) ? content : {};
	if (response?.status === 404 && isNotRegistered(text, message)) return 'notRegistered';
	if (response?.status === 409 && errorCode === NO_SECRET) return 'noSecret';
	if (response?.status === 503 && errorCode === NO_CREDENTIAL.error_code) return 'noCredential';
	const isWrong = response?.status === 401 && errorCode === INVALID_SIGNATURE;
	return isWrong && secret !== undefined ? 'otherSecret' : 'listening';
}

/** n8n's own answer if no such webhook is registered, and its server's if the address is not one of webhooks. */
function isNotRegistered(text: string, message: unknown): boolean {
	return (
		text.includes('Cannot POST') ||
		(typeof message === 'string' && message.includes('not registered'))
	);
}
