import type { INodeParameters, INodeType } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { LegalAiTrigger } from '../../nodes/LegalAi/LegalAiTrigger.node.ts';
import { resources } from '../../nodes/LegalAi/resources/index.ts';
import type { Resource } from '../../nodes/LegalAi/execution/operation.ts';
import { LEGAL_AI, LEGAL_AI_TRIGGER, legalAiNode } from '../support/engine/engine.mts';
import { workflowOf } from '../support/engine/workflows.mts';

/** What the canvas shows below the name of a node. */
function subtitleOf(type: string, nodeType: INodeType, parameters: INodeParameters): unknown {
	const node = legalAiNode({ parameters, node: { type } });
	const { expression } = workflowOf({ nodes: [node], connections: {} }, { nodeTypes: { [type]: nodeType } });
	return expression.getSimpleParameterValue(node, nodeType.description.subtitle, 'internal', {});
}

const operations = Object.entries<Resource>(resources).flatMap(([resource, { option, operations: each }]) =>
	Object.entries(each).map(([operation, { option: { name } }]) => ({ resource, operation, words: `${name}: ${option.name}` })),
);

describe('the canvas shows what a node does in the words of its panel', () => {
	test.each(operations)('$words', ({ resource, operation, words }) => {
		expect(subtitleOf(LEGAL_AI, new LegalAi(), { resource, operation })).toBe(words);
	});

	test('the operation that is preselected', () => {
		expect(subtitleOf(LEGAL_AI, new LegalAi(), {})).toBe('Ask and Wait: Question');
	});

	test.each([
		[{}, 'Completed, Error, Filtered'],
		[{ events: ['error'] }, 'Error'],
	])('the Legal AI Trigger with %j', (parameters, words) => {
		expect(subtitleOf(LEGAL_AI_TRIGGER, new LegalAiTrigger(), parameters)).toBe(words);
	});
});
