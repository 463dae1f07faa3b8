import { randomUUID } from 'node:crypto';

import type { INode, INodeParameters } from 'n8n-workflow';

import { callbackPayload, deliver, type Posting } from '../../../harness/callbacks.mts';
import {
	activate,
	LEGAL_AI_TRIGGER,
	legalAiNode,
	NODE,
	workflowAround,
	type EngineOptions,
} from './engine.mts';

export { callbackPayload, deliver, type Posting, signed } from '../../../harness/callbacks.mts';

/** A workflow that begins with a Legal AI Trigger, and its production address. */
export type PublishedTrigger = Awaited<ReturnType<typeof publishTrigger>>;

/** Activates a workflow of its own: `Legal AI` (the trigger) → `After`. */
export async function publishTrigger(
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
		deliver: (payload: object | string = callbackPayload('q'), posting?: Posting) =>
			deliver(options.service, url, payload, posting),
	};
}
