import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	type INode,
	type INodeProperties,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';

import codex from '../../../nodes/LegalAi/LegalAi.node.json' with { type: 'json' };
import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import emailCodex from '../../../nodes/LegalAiEmail/LegalAiEmail.node.json' with { type: 'json' };
import { LegalAiEmail } from '../../../nodes/LegalAiEmail/LegalAiEmail.node.ts';
import taskTriggerCodex from '../../../nodes/LegalAi/LegalAiTaskTrigger.node.json' with { type: 'json' };
import { LegalAiTaskTrigger } from '../../../nodes/LegalAi/LegalAiTaskTrigger.node.ts';
import triggerCodex from '../../../nodes/LegalAi/LegalAiTrigger.node.json' with { type: 'json' };
import { LegalAiTrigger } from '../../../nodes/LegalAi/LegalAiTrigger.node.ts';
import { n8nFolder, requireAsN8n } from '../../../harness/versions.mts';

/** Adds to the types of nodes the tools that n8n makes of them. */
const { createAiTools } = requireAsN8n('n8n/dist/tool-generation/ai-tools.js') as {
	createAiTools: (
		types: { nodes: INodeTypeDescription[] },
		known: { nodes: object; credentials: object },
	) => void;
};
const { commonPollingParameters } = requireAsN8n('n8n-core/dist/nodes-loader/constants.js') as {
	commonPollingParameters: INodeProperties[];
};

const taskTrigger = new LegalAiTaskTrigger().description;

/** The types of n8n's own nodes and of this package's, under their full names. */
export const known: INodeTypeDescription[] = [
	...['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].flatMap((name) => {
		const file = join(n8nFolder, 'node_modules', name, 'dist/types/nodes.json');
		const descriptions = JSON.parse(readFileSync(file, 'utf8')) as INodeTypeDescription[];
		return descriptions.map((description) => ({
			...description,
			name: `${name}.${description.name}`,
		}));
	}),
	...[
		{ ...new LegalAi().description, codex },
		{ ...new LegalAiTrigger().description, codex: triggerCodex },
		{
			...taskTrigger,
			properties: [...commonPollingParameters, ...taskTrigger.properties],
			codex: taskTriggerCodex,
		},
		{ ...new LegalAiEmail().description, codex: emailCodex },
	].map((description) => ({ ...description, name: `n8n-nodes-legal-ai.${description.name}` })),
];

const withTools = { nodes: [...known] };
createAiTools(withTools, { nodes: {}, credentials: {} });

/**
 * What n8n knows of a node's type in its version; of the tools that it makes of nodes, too.
 *
 * @throws {Error} where there is no such type or version
 */
export function findDescription({ type, typeVersion }: INode) {
	const found = withTools.nodes.find(
		({ name, version }) => name === type && [version].flat().includes(typeVersion),
	);
	if (found === undefined) throw new Error(`n8n has no node ${type} in version ${typeVersion}`);
	return found;
}

/** The parameters of a node that are shown, and its presets, as n8n gives them to it. */
export function parametersShown(node: INode) {
	const description = findDescription(node);
	const { properties } = description;
	return (
		NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, description) ?? {}
	);
}

/** The types of the credentials that the editor asks for with the node's parameters. */
export function findCredentials(node: INode) {
	const description = findDescription(node);
	const { credentials = [] } = description;
	const shown = parametersShown(node);
	const { nodeCredentialType } = node.parameters;
	return [
		...(typeof nodeCredentialType === 'string' ? [nodeCredentialType] : []),
		...credentials
			.filter((credential) => NodeHelpers.displayParameter(shown, credential, node, description))
			.map(({ name }) => name),
	];
}
