import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isRecord, type LegalAiClient, readJson, redactedExcerpt } from '../api';
import {
	callbackResponses,
	invalidInput,
	triggerProblems,
	type MessageTemplate,
} from '../messages';
import { rejectionOf, verify, type ReceivedRequest } from './callback';
import { signatureOf } from './signature';
import { NO_CREDENTIAL, respondNow } from './webhookRequest';

const PROBE_TIMEOUT_MS = 5_000;

/** What a trigger is sent before a question is asked. Its bytes tell it from a callback, without parsing. */
const PROBE = Buffer.from('{"probe":"webhook_secret"}');

const NO_SECRET = 'no_webhook_secret';

/** Whether a request is a probe. */
export function isProbe({ rawBody }: ReceivedRequest): boolean {
	return rawBody.equals(PROBE);
}

/** Answers a probe; `secrets` are undefined if signatures are not verified. A wrong clock does not mean another secret. */
export function answerProbe(
	context: IWebhookFunctions,
	request: ReceivedRequest,
	secrets: string[] | undefined,
): IWebhookResponseData {
	const verdict = verify(request, secrets);
	if (verdict === 'valid' || verdict === 'stale')
		return respondNow(context, 200, { message: callbackResponses.listening });
	const { status, error_code, message } = rejectionOf(verdict);
	return verdict === 'noSecret'
		? respondNow(context, 409, { error_code: NO_SECRET, message })
		: respondNow(context, status, { error_code, message });
}

/** What a trigger says that would reject the callbacks of a question: its secret is another one, it has none, or its credential can't be read. */
const PROBLEMS = new Map<string, Exclude<keyof typeof triggerProblems, 'otherResponse'>>([
	['401 invalid_signature', 'otherSecret'],
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
	const headers: IDataObject = { 'Content-Type': 'application/json' };
	if (secret !== undefined)
		headers['Service-Signature'] = signatureOf(PROBE, secret, Math.floor(Date.now() / 1000));
	const response = await client
		.probe({
			method: 'POST',
			url,
			body: PROBE.toString(),
			headers,
			timeoutMs: PROBE_TIMEOUT_MS,
		})
		.catch(() => undefined);
	if (response === undefined) return;
	const { status, body } = response;
	const content = readJson(body);
	const { error_code: errorCode, message } = isRecord(content) ? content : {};
	if (status === 200 && message === callbackResponses.listening) return;
	const problem = PROBLEMS.get(`${status} ${String(errorCode)}`);
	// Callbacks without a signature are rejected, too, but the service may sign them all the same.
	if (problem === 'otherSecret' && secret === undefined) return;
	if (problem !== undefined) throw invalidInput(triggerProblems[problem]);
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
