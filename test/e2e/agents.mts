import type { INode, INodeParameters } from 'n8n-workflow';

import type { StoredCredential, WorkflowDefinition } from '../support/n8n/n8nClient.mts';
import { isN8n1, n8nVersion } from '../support/n8n/versions.mts';
import { legalAi, node } from '../support/n8n/workflows.mts';

/** What n8n's editor writes where someone leaves a field to the model. */
const leftToTheModel = "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Question', ``, 'string') }}";

/** The newest version of the AI Agent: from the third on, it leaves the running of its tools to the engine. */
export const newestAgent = isN8n1(n8nVersion) ? 3 : 3.1;

/** What models know the tool by: n8n makes it of the node's name. */
export const toolName = 'Ask_counsel';

/** The Legal AI node as a tool that asks and waits, its question left to the model. */
export function counsel(credential: StoredCredential, parameters: INodeParameters = {}, more: Partial<INode> = {}): INode {
	const asking = { resource: 'question', operation: 'askAndWait', question: leftToTheModel, ...parameters };
	return legalAi('Ask counsel', credential, asking, { type: 'n8n-nodes-legal-ai.legalAiTool', ...more });
}

/** A workflow of an AI Agent with that tool. */
export function agentWorkflow(
	start: INode,
	agentVersion: number,
	keys: { readonly model: StoredCredential; readonly legalAi: StoredCredential },
	toolParameters: INodeParameters = {},
	toolSettings: Partial<INode> = {},
): WorkflowDefinition {
	const agent = node(
		'AI Agent',
		'@n8n/n8n-nodes-langchain.agent',
		{ promptType: 'define', text: 'May we sign?' },
		{ typeVersion: agentVersion },
	);
	const chatModel = node(
		'Model',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		{ model: { __rl: true, mode: 'id', value: 'scripted' } },
		{ typeVersion: 1.2, credentials: { openAiApi: { id: keys.model.id, name: keys.model.name } } },
	);
	const tool = counsel(keys.legalAi, toolParameters, toolSettings);
	return {
		name: `Agent ${agentVersion}`,
		nodes: [start, agent, chatModel, tool],
		connections: {
			[start.name]: { main: [[{ node: agent.name, type: 'main', index: 0 }]] },
			[chatModel.name]: { ai_languageModel: [[{ node: agent.name, type: 'ai_languageModel', index: 0 }]] },
			[tool.name]: { ai_tool: [[{ node: agent.name, type: 'ai_tool', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	};
}
