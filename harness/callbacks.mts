import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';

import { serviceSignature } from '../test/sandbox/signature.mts';
import type { StoredCredential, StoredWorkflow } from './n8nClient.mts';
import { byHand, chain, legalAi, node } from './workflows.mts';

/** A callback's payload. */
type Payload = Readonly<Record<string, unknown>> & { id: string };

/** The payload of a completed question, with its own ID. */
export function completed(changes: Readonly<Record<string, unknown>> = {}): Payload {
	return {
		id: randomUUID(),
		session_id: 'session-1',
		session_url: 'https://legal-ai.example/sessions/session-1',
		status: 'completed',
		answer: 'You may sign it as it stands.',
		attachments: null,
		reason: null,
		...changes,
	};
}

/** Delivers a signed callback: a payload, or a body as it is. Returns what the receiver answered. */
export async function deliver(
	url: string,
	secret: string,
	payload: Payload | string,
	{ gzip = false, contentType = 'application/json' } = {},
) {
	const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
	const response = await fetch(url, {
		method: 'POST',
		headers: {
			'content-type': contentType,
			...(gzip && { 'content-encoding': 'gzip' }),
			'service-signature': serviceSignature(secret, Math.floor(Date.now() / 1000), body),
		},
		body: gzip ? gzipSync(body) : body,
	});
	return { status: response.status, body: await response.text() };
}

/** A Legal AI Trigger with its credential. */
export function legalAiTrigger(
	name: string,
	credential: StoredCredential,
	parameters: INodeParameters = {},
) {
	return legalAi(name, credential, parameters, { type: 'n8n-nodes-legal-ai.legalAiTrigger' });
}

/** A workflow that starts with a Legal AI Trigger and outputs what arrives. */
export function triggerWorkflow(credential: StoredCredential, parameters: INodeParameters = {}) {
	const trigger = legalAiTrigger('Legal AI Trigger', credential, parameters);
	return chain('Answers', [trigger, node('Next', 'n8n-nodes-base.noOp', {})]);
}

/** A workflow that asks a question when it is run by hand. */
export function askWorkflow(credential: StoredCredential, parameters: INodeParameters) {
	const question = {
		resource: 'question',
		operation: 'ask',
		question: 'May we sign this NDA?',
		...parameters,
	};
	return chain('Asks', [byHand, legalAi('Ask', credential, question)]);
}

/** The address at which a workflow's trigger receives callbacks. */
export function triggerUrl(n8n: { baseUrl: string }, { id }: Pick<StoredWorkflow, 'id'>) {
	return `${n8n.baseUrl}/webhook/legal-ai/${id}`;
}
