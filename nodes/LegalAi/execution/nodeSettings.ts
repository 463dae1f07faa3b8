import type { IExecuteFunctions } from 'n8n-workflow';

type NodeContext = Pick<IExecuteFunctions, 'getNode'>;

/** Whether a node is the tool of an AI agent: n8n adds the ending to its type's name. */
export function isAgentTool(context: NodeContext): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Whether a node is the tool of an agent that runs it itself (AI Agent 2, n8n's MCP trigger), many times with the same
 * entry of the stack. AI Agent 3 has n8n run it like any other node, which it marks so.
 */
export function isToolOfOldAgent(context: NodeContext): boolean {
	return isAgentTool(context) && context.getNode().rewireOutputLogTo !== 'ai_tool';
}
