import { ExecuteContext } from 'n8n-core';
import { createEmptyRunExecutionData, type INodeExecutionData } from 'n8n-workflow';

import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import { executeOptions, instance, legalAiNode, type NodeRunOptions } from './engine.mts';
import { additionalDataOf, workflowOf } from './workflows.mts';

/** Runs the node as n8n's Agents run their tools: alone, outside any execution, so that there is no execution's ID. */
export async function runWithoutExecution(options: NodeRunOptions): Promise<INodeExecutionData[]> {
	const node = { ...legalAiNode(options), name: 'Target Node' };
	const json = { nodes: [node], connections: {}, active: false };
	const execute = executeOptions(options);
	const additionalData = { ...additionalDataOf(json, execute, '', (await instance()).origin), executionId: undefined };
	const items = options.items ?? [{ json: {} }];
	const input = { main: [items] };
	const entry = { node, data: input, source: null };
	const context = new ExecuteContext(
		workflowOf(json, execute), node, additionalData, 'internal', createEmptyRunExecutionData(), 0, items, input, entry, [],
	);
	return (await new LegalAi().execute.call(context))[0] ?? [];
}
