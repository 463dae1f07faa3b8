import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../api/json';

/**
 * Whether the workflow that runs has a node of a type of this package, turned on; undefined if n8n does not tell: no
 * public way leads to the nodes that this one is not connected with.
 */
export function hasNode(context: IExecuteFunctions, type: string): boolean | undefined {
	const workflow: unknown = Reflect.get(context, 'workflow');
	const nodes = isRecord(workflow) && isRecord(workflow.nodes) ? Object.values(workflow.nodes) : undefined;
	return nodes?.some(
		(node) => isRecord(node) && typeof node.type === 'string' && node.type.endsWith(`.${type}`) && node.disabled !== true,
	);
}
