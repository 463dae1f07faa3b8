import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import type { Resource } from '../../nodes/LegalAi/execution/operation.ts';
import { resources } from '../../nodes/LegalAi/resources/index.ts';
import { asRecord } from '../../harness/unknownJson.mts';
import { descriptionOf } from './examples/nodeDescriptions.mts';

const node: INode = {
	id: 'tool',
	name: 'Ask counsel',
	type: 'n8n-nodes-legal-ai.legalAi',
	typeVersion: 1.1,
	position: [0, 0],
	parameters: {},
};
const tool: INode = { ...node, type: `${node.type}Tool` };
const description = descriptionOf(tool);

/** A node's parameters as n8n gives them to it: those that are shown, with their presets. */
function shown(of: INode, parameters: INodeParameters): INodeParameters {
	const type = descriptionOf(of);
	return NodeHelpers.getNodeParameters(type.properties, parameters, true, false, of, type) ?? {};
}

const operations = Object.entries<Resource>(resources).flatMap(([resource, { operations: each }]) =>
	Object.entries(each).map(([operation, { toolDescription }]) => ({ resource, operation, toolDescription })),
);

describe('as a tool of an AI agent', () => {
	test('the node has words of its own in the nodes panel', () => {
		expect(description).toMatchObject({ displayName: 'Legal AI Tool' });
		expect(description.description).toMatch(/^Let an AI agent /);
	});

	test.each(operations)('$resource: $operation tells the model what it does', ({ resource, operation, toolDescription }) => {
		const parameters = shown(tool, { resource, operation });
		expect(NodeHelpers.getToolDescriptionForNode({ ...tool, parameters }, { description })).toBe(toolDescription);
		expect(toolDescription).not.toBe('');
		expect(shown(node, { resource, operation })).not.toHaveProperty('toolDescription');
	});

	test.each(operations.filter(({ resource }) => resource === 'question'))(
		'$resource: $operation says how long answers take, and what the fields of the result mean',
		({ toolDescription }) => {
			for (const words of ['2 to 5 minutes', '"status"', '"answer"', '"reason"', '"attachments"', '"session_id"', '"id"']) {
				expect(toolDescription).toContain(words);
			}
		},
	);

	test('what only a workflow has a use for is not asked', () => {
		const options = { waitUsing: 'polling', requestsAtOnce: 3, downloadFiles: true, outputPrefix: 'f_', maxFileSize: 1, maxWait: 5 };
		const parameters = { resource: 'question', operation: 'askAndWait', options };
		expect(shown(tool, parameters)).toMatchObject({ options: { maxWait: 5 } });
		expect(Object.keys(asRecord(shown(tool, parameters).options, 'The options'))).toEqual(['maxWait']);
		expect(shown(node, parameters)).toMatchObject({ options });
	});
});
