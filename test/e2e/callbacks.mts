import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import type { INode, INodeParameters } from 'n8n-workflow';

import { serviceSignature } from '../sandbox/signature.mts';
import { credentialType } from './examples.mts';
import type { N8nClient, StoredCredential, StoredWorkflow, WorkflowDefinition } from './n8n-client.mts';

/** A callback's payload. */
export type Payload = Readonly<Record<string, unknown>> & { readonly id: string };

/** The payload of a completed question, with an id of its own. */
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

/** How a delivery departs from one that the service makes. */
export interface DeliveryChanges {
	/** Unix seconds; now by default. */
	readonly time?: number;
	/** In place of the header that belongs to the body; `undefined` sends none. */
	readonly signature?: string | undefined;
	readonly gzip?: boolean;
	readonly contentType?: string;
}

/** What a receiver answered. */
export interface Reply {
	readonly status: number;
	readonly body: unknown;
}

/** The seconds that a signature is dated with. */
export function unixTime(): number {
	return Math.floor(Date.now() / 1000);
}

/** Delivers a signed callback: a payload, or a body as it is. */
export async function deliver(
	url: string,
	secret: string,
	payload: Payload | string,
	changes: DeliveryChanges = {},
): Promise<Reply> {
	const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
	const signature = 'signature' in changes ? changes.signature : serviceSignature(secret, changes.time ?? unixTime(), body);
	const response = await fetch(url, {
		method: 'POST',
		headers: {
			'content-type': changes.contentType ?? 'application/json',
			...(changes.gzip === true && { 'content-encoding': 'gzip' }),
			...(signature !== undefined && { 'service-signature': signature }),
		},
		body: changes.gzip === true ? gzipSync(body) : body,
	});
	const text = await response.text();
	try {
		return { status: response.status, body: JSON.parse(text) };
	} catch {
		return { status: response.status, body: text };
	}
}

/** A node of this package. */
export function legalAiNode(
	name: string,
	type: 'legalAi' | 'legalAiTrigger',
	credential: StoredCredential,
	parameters: INodeParameters = {},
): INode {
	return {
		id: randomUUID(),
		name,
		type: `n8n-nodes-legal-ai.${type}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [credentialType]: { id: credential.id, name: credential.name } },
		...(type === 'legalAiTrigger' && { webhookId: randomUUID() }),
	};
}

/** A workflow that begins with a Legal AI Trigger and passes on what comes in. */
export function triggerWorkflow(
	credential: StoredCredential,
	parameters: INodeParameters = {},
	name = 'Answers',
): WorkflowDefinition {
	const trigger = legalAiNode('Legal AI Trigger', 'legalAiTrigger', credential, parameters);
	const next: INode = {
		id: randomUUID(),
		name: 'Next',
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [200, 0],
		parameters: {},
	};
	return {
		name,
		nodes: [trigger, next],
		connections: { [trigger.name]: { main: [[{ node: next.name, type: 'main', index: 0 }]] } },
	};
}

/** A workflow that asks a question when it is run by hand. */
export function askWorkflow(credential: StoredCredential, parameters: INodeParameters): WorkflowDefinition {
	const start: INode = {
		id: randomUUID(),
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const ask = legalAiNode('Ask', 'legalAi', credential, {
		resource: 'question',
		operation: 'ask',
		question: 'May we sign this NDA?',
		...parameters,
	});
	return {
		name: 'Asks',
		nodes: [start, ask],
		connections: { Start: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } },
	};
}

/** The address at which a workflow's trigger takes callbacks. */
export function triggerUrl(n8n: N8nClient, { id }: Pick<StoredWorkflow, 'id'>, isTest = false): string {
	return `${n8n.baseUrl}/${isTest ? 'webhook-test' : 'webhook'}/legal-ai/${id}`;
}
