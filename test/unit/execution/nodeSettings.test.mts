import type { INode } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { isAgentTool, isToolOfOldAgent } from '../../../nodes/LegalAi/execution/nodeSettings.ts';

const TYPE = 'n8n-nodes-legal-ai.legalAi';

test.each<[of: string, node: Pick<INode, 'type' | 'rewireOutputLogTo'>, isTool: boolean, isOfOldAgent: boolean]>([
	['a node of a workflow', { type: TYPE }, false, false],
	['a tool that the agent runs itself', { type: `${TYPE}Tool` }, true, true],
	['a tool that n8n runs for the agent', { type: `${TYPE}Tool`, rewireOutputLogTo: 'ai_tool' }, true, false],
	['a node of a package with such a name', { type: 'Toolbox.legalAi' }, false, false],
])('%s is told from the others', (_of, given, isTool, isOfOldAgent) => {
	const node: INode = { id: 'n', name: 'Legal AI', typeVersion: 1, position: [0, 0], parameters: {}, ...given };
	const context = { getNode: () => node };
	expect(isAgentTool(context)).toBe(isTool);
	expect(isToolOfOldAgent(context)).toBe(isOfOldAgent);
});
