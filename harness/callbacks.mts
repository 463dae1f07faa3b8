import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';
import { request } from 'undici';

import type { Sandbox } from '../test/sandbox/sandbox.mts';
import { serviceSignature } from '../test/sandbox/signature.mts';
import type { StoredCredential, StoredWorkflow } from './n8nClient.mts';
import { byHand, chain, legalAi, node } from './workflows.mts';

/** The payload of a completed question. */
export function callbackPayload(
	id: string = randomUUID(),
	changes: object = {},
): Record<string, unknown> & { id: string } {
	return {
		id,
		status: 'completed',
		session_id: 's',
		session_url: null,
		answer: 'Yes.',
		attachments: null,
		reason: null,
		...changes,
	};
}

/** A header as the service signs a body now. */
export function signed(secret: string, body: string, time = Math.floor(Date.now() / 1000)) {
	return serviceSignature(secret, time, body);
}

/** How a callback is posted. By default, it is signed, and its body is the payload. */
export interface Posting {
	signature?: string;
	headers?: Record<string, string>;
	/** The bytes in place of the payload's JSON, e.g. gzipped. */
	bytes?: Buffer;
}

/** Delivers a payload, or a body as it is; gives the status and the body of the answer. */
export async function deliver(
	{ webhookSecret }: Pick<Sandbox, 'webhookSecret'>,
	url: string,
	payload: object | string,
	{ headers, bytes, ...posting }: Posting = {},
): Promise<[status: number, body: unknown]> {
	const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
	const signature = 'signature' in posting ? posting.signature : signed(webhookSecret, body);
	const response = await request(url, {
		method: 'POST',
		body: bytes ?? body,
		// A connection of its own: one that is kept open may go with an n8n that is killed.
		reset: true,
		headers: {
			'content-type': 'application/json',
			...(signature === undefined ? {} : { 'service-signature': signature }),
			...headers,
		},
	});
	const text = await response.body.text();
	return [response.statusCode, text.startsWith('{') ? (JSON.parse(text) as unknown) : text];
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
