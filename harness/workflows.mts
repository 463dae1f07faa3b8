import { randomUUID } from 'node:crypto';

import type { IConnections, INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

import type { StoredCredential, WorkflowDefinition } from './n8nClient.mts';

/** A node by name, type and parameters. Everything else has a default. */
export function node(
	name: string,
	type: string,
	parameters: INodeParameters,
	more: Partial<INode> = {},
): INode {
	const typeVersion = type.startsWith('n8n-nodes-legal-ai.') ? 1.1 : 1;
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters, ...more };
}

/** A Legal AI node with its credential. */
export function legalAi(
	name: string,
	credential: StoredCredential,
	parameters: INodeParameters,
	more: Partial<INode> = {},
) {
	const { id, name: credentialName } = credential;
	return node(name, 'n8n-nodes-legal-ai.legalAi', parameters, {
		webhookId: randomUUID(),
		credentials: { legalAiApi: { id, name: credentialName } },
		...more,
	});
}

/** Where a workflow starts that is run by hand. */
export const byHand = node('Start', 'n8n-nodes-base.manualTrigger', {});

/** A webhook that starts the workflow with what was posted to `path`, and responds immediately unless told otherwise. */
export function webhook(path: string, more: INodeParameters = {}) {
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived', ...more };
	return node('Webhook', 'n8n-nodes-base.webhook', parameters, {
		typeVersion: 2,
		webhookId: randomUUID(),
	});
}

/** A Code node that makes items with a question of `words`, as many as the webhook was told. */
export function questions(count: number) {
	const jsCode = `return Array.from({ length: ${count} }, (_, index) => ({ json: { words: 'Question ' + index } }));`;
	return node('Questions', 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 });
}

/** A workflow of nodes in a row. */
export function chain(
	name: string,
	nodes: readonly INode[],
	settings?: IWorkflowSettings,
): WorkflowDefinition {
	const connections: IConnections = {};
	nodes.forEach(({ name: from }, index) => {
		const to = nodes[index + 1];
		if (to !== undefined)
			connections[from] = { main: [[{ node: to.name, type: 'main', index: 0 }]] };
	});
	return {
		name,
		nodes: nodes.map((each, index) => ({ ...each, position: [index * 220, 0] })),
		connections,
		...(settings && { settings }),
	};
}
