import { nodeNameToToolName, type INode, type INodeParameters } from 'n8n-workflow';

import { readItems, type Execution } from '../../../harness/executions.mts';
import type {
	N8nClient,
	StoredCredential,
	WorkflowDefinition,
} from '../../../harness/n8nClient.mts';
import { asText } from '../../../harness/unknownJson.mts';
import { legalAi, node } from '../../../harness/workflows.mts';
import type { LanguageModel } from './languageModel.mts';

/** What n8n's editor writes where someone leaves a field to the model. */
export const leftToTheModel = (field: string) =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${field}', \`\`, 'string') }}`;

/** The newest version of the AI Agent: from the third on, it leaves the running of its tools to the engine. */
const newestAgent = 3.1;

/** The name that the editor gives the tool. */
export const toolNode = 'Review contract or ask legal question in Legal AI';

/** What models know the tool by: n8n makes it of the node's name. */
export const toolName = nodeNameToToolName(toolNode);

/** The Legal AI node as a tool that asks and waits, its question left to the model. */
export function counsel(
	credential: StoredCredential,
	parameters: INodeParameters = {},
	more: Partial<INode> = {},
) {
	const asking = {
		resource: 'question',
		operation: 'askAndWait',
		question: leftToTheModel('Question'),
		...parameters,
	};
	return legalAi(toolNode, credential, asking, { type: 'n8n-nodes-legal-ai.legalAiTool', ...more });
}

/** n8n's credential for a model. */
export async function modelCredential(n8n: N8nClient, { baseUrl }: LanguageModel) {
	return await n8n.createCredential('openAiApi', 'Model', { apiKey: 'none', url: baseUrl });
}

/** A workflow of an AI Agent with one tool. */
export async function agentWorkflow(
	n8n: N8nClient,
	model: LanguageModel,
	start: INode,
	tool: INode,
	version = newestAgent,
): Promise<WorkflowDefinition> {
	const { id, name } = await modelCredential(n8n, model);
	const agent = node(
		'AI Agent',
		'@n8n/n8n-nodes-langchain.agent',
		{ promptType: 'define', text: 'May we sign?' },
		{ typeVersion: version },
	);
	const chatModel = node(
		'Model',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		{ model: { __rl: true, mode: 'id', value: 'scripted' } },
		{
			typeVersion: 1.2,
			credentials: { openAiApi: { id, name } },
		},
	);
	return {
		name: `Agent ${version}`,
		nodes: [start, agent, chatModel, tool],
		connections: {
			[start.name]: { main: [[{ node: agent.name, type: 'main', index: 0 }]] },
			[chatModel.name]: {
				ai_languageModel: [[{ node: agent.name, type: 'ai_languageModel', index: 0 }]],
			},
			[tool.name]: { ai_tool: [[{ node: agent.name, type: 'ai_tool', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	};
}

/** Has the model want these questions asked, all at once or one by one, and then say what it was told. */
export function wants(model: LanguageModel, questions: string[], inParallel = true) {
	const calls = questions.map((question) => ({
		tool: toolName,
		arguments: { Question: question },
	}));
	model.reply = ({ toolResults }) => {
		if (toolResults.length === calls.length) return `Counsel says: ${toolResults.join(' / ')}`;
		return inParallel ? calls : calls.slice(toolResults.length, toolResults.length + 1);
	};
}

/** What an agent says at the end of an execution that went well. */
export function saidIn(execution: Execution) {
	if (execution.failure !== undefined) throw new Error(execution.failure.message);
	return asText(readItems(execution, 'AI Agent')[0]?.json.output, 'What the agent says');
}
