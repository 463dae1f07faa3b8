import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { LegalAiClient } from '../api/client';
import { isRecord, readJson } from '../api/json';
import { redactedExcerpt } from '../api/redactedExcerpt';
import {
	callbackResponses,
	signatureResponses,
	triggerProblems,
} from '../messages/callbackMessages';
import { invalidInput, type MessageTemplate } from '../messages/template';
import type { ReceivedRequest } from './callback';
import { checkSignature, signatureOf } from './signature';
import { NO_CREDENTIAL, respondNow } from './webhookRequest';

const PROBE_TIMEOUT_MS = 5_000;

/** What a trigger is sent before a question is asked. Its bytes tell it from a callback, without parsing. */
const PROBE = Buffer.from('{"probe":"webhook_secret"}');

const NO_SECRET = 'no_webhook_secret';
const INVALID_SIGNATURE = 'invalid_signature';

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

/** What a trigger says that would reject the callbacks of a question: its secret is another one, it has none, or its credential can't be read. */
const REJECTIONS = new Map<string, Exclude<keyof typeof triggerProblems, 'otherResponse'>>([
	[`401 ${INVALID_SIGNATURE}`, 'otherSecret'],
	[`409 ${NO_SECRET}`, 'noSecret'],
	[`503 ${NO_CREDENTIAL.error_code}`, 'noCredential'],
]);

/**
 * Asks a trigger whether it would accept the callbacks of a question. Only its own words count: anybody's webhook may be at its address.
 * No response at all says nothing, since n8n often can't reach its own public address.
 *
 * @param secret of the credential that the question is asked with; undefined if it has none
 * @param notListening what is said if no webhook is registered at the address
 * @throws {InvalidInputError} if it would not, or if something else responds
 */
export async function probeTrigger(
	client: Pick<LegalAiClient, 'probe'>,
	url: string,
	secret: string | undefined,
	notListening: MessageTemplate,
): Promise<void> {
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
	if (response === undefined) return;
	const { status, body } = response;
	const content = readJson(body);
	const { error_code: errorCode, message } = isRecord(content) ? content : {};
	if (status === 200 && message === callbackResponses.listening) return;
	const rejection = REJECTIONS.get(`${status} ${String(errorCode)}`);
	// Callbacks without a signature are rejected, too, but the service may sign them all the same.
	if (rejection === 'otherSecret' && secret === undefined) return;
	if (rejection !== undefined) throw invalidInput(triggerProblems[rejection]);
	if (status === 404 && isNotRegistered(body, message)) throw invalidInput(notListening);
	const excerpt = redactedExcerpt(body);
	const said = excerpt === undefined ? '' : `: ${excerpt}`;
	throw invalidInput(triggerProblems.otherResponse, { response: `${status}${said}` });
}

/** n8n's own answer if no such webhook is registered, and its server's if the address is not one of webhooks. */
function isNotRegistered(text: string, message: unknown): boolean {
	return (
		text.includes('Cannot POST') ||
		(typeof message === 'string' && message.includes('not registered'))
	);
}
