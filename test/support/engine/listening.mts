import { randomUUID } from 'node:crypto';

import type { INode, INodeParameters } from 'n8n-workflow';
import { request } from 'undici';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import { serviceSignature } from '../../sandbox/signature.mts';
import {
	activate,
	LEGAL_AI_TRIGGER,
	legalAiNode,
	NODE,
	workflowAround,
	type EngineOptions,
} from './engine.mts';

/** A workflow that begins with a Legal AI Trigger, and its production address. */
export type Listening = Awaited<ReturnType<typeof listening>>;

/** Activates a workflow of its own: `Legal AI` (the trigger) → `After`. */
export async function listening(
	options: EngineOptions & { parameters?: INodeParameters; node?: Partial<INode> },
) {
	const { parameters = {}, node } = options;
	const { nodes, connections } = workflowAround(
		legalAiNode({ parameters, node: { type: LEGAL_AI_TRIGGER, ...node } }),
	);
	const { [NODE]: after = {} } = connections;
	const workflowId = `trigger-${randomUUID()}`;
	const workflow = {
		id: workflowId,
		nodes: nodes.filter(({ name }) => name !== 'Before'),
		connections: { [NODE]: after },
	};
	const active = await activate(workflow, options);
	const [url = ''] = active.urls;
	return {
		...active,
		url,
		workflowId,
		/** Delivers a payload there, as the service does: the answer to `q` unless told otherwise. */
		deliver: (payload: object | string = answerTo('q'), posting?: Posting) =>
			deliver(options.sandbox, url, payload, posting),
	};
}

/** The payload of a completed question. */
export function answerTo(
	id: string,
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

/** What is posted: a signed payload unless told otherwise. */
export interface Posting {
	signature?: string | undefined;
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
