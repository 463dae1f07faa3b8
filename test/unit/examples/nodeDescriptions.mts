import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { deepCopy, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import { LegalAiTrigger } from '../../../nodes/LegalAi/LegalAiTrigger.node.ts';
import { n8nFolder, n8nVersion, requireAsN8n } from '../../../harness/versions.mts';

const packages = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'];

interface Wrapping {
	readonly description: INodeTypeDescription;
}

const { convertNodeToAiTool } = requireAsN8n('n8n/dist/tool-generation/ai-tools.js') as { convertNodeToAiTool: (item: Wrapping) => Wrapping };
const { convertNodeToHitlTool } = requireAsN8n('n8n/dist/tool-generation/hitl-tools.js') as { convertNodeToHitlTool: (item: Wrapping) => Wrapping };

/** The types of n8n's own nodes and of this package's, under their full names. */
export const known: readonly INodeTypeDescription[] = [
	...packages.flatMap((name) => {
		const file = join(n8nFolder(n8nVersion), 'node_modules', name, 'dist/types/nodes.json');
		const descriptions = JSON.parse(readFileSync(file, 'utf8')) as INodeTypeDescription[];
		return descriptions.map((description) => ({ ...description, name: `${name}.${description.name}` }));
	}),
	{ ...new LegalAi().description, name: 'n8n-nodes-legal-ai.legalAi' },
	{ ...new LegalAiTrigger().description, name: 'n8n-nodes-legal-ai.legalAiTrigger' },
];

/**
 * What n8n knows of a node's type in its version: that of n8n's own nodes, of this package's, and of the tools that
 * n8n makes of both.
 *
 * @throws {Error} where there is no such type or version
 */
export function descriptionOf({ type, typeVersion }: INode): INodeTypeDescription {
	const find = (name: string): INodeTypeDescription | undefined =>
		known.find((one) => one.name === name && [one.version].flat().includes(typeVersion));
	const plain = find(type);
	if (plain !== undefined) return plain;
	const [suffix = ''] = /(Hitl)?Tool$/.exec(type) ?? [];
	const wrapped = suffix === '' ? undefined : find(type.slice(0, -suffix.length));
	if (wrapped === undefined) throw new Error(`n8n has no node ${type} in version ${typeVersion}`);
	const { usableAsTool } = wrapped;
	const replacements = typeof usableAsTool === 'object' ? usableAsTool.replacements : {};
	const item = { description: { ...deepCopy(wrapped), ...replacements } };
	return (suffix === 'Tool' ? convertNodeToAiTool(item) : convertNodeToHitlTool(item)).description;
}
