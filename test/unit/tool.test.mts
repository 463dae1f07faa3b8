import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';

import { resources, type Resource } from '../../nodes/LegalAi/resources/index.ts';
import { descriptionOf } from '../support/examples/nodeDescriptions.mts';

const TYPE = 'n8n-nodes-legal-ai.legalAi';

/** A node with those of its parameters that are shown, and with their presets, as n8n gives it to itself. */
function shown(type: string, parameters: INodeParameters) {
	const node: INode = {
		id: 'n',
		name: 'Ask counsel',
		type,
		typeVersion: 1.1,
		position: [0, 0],
		parameters,
	};
	const description = descriptionOf(node);
	return {
		...node,
		parameters:
			NodeHelpers.getNodeParameters(
				description.properties,
				parameters,
				true,
				false,
				node,
				description,
			) ?? {},
	};
}

const operations = Object.entries<Resource>(resources).flatMap(([resource, { operations: each }]) =>
	Object.entries(each).map(([operation, { toolDescription }]) => ({
		resource,
		operation,
		toolDescription,
	})),
);

test.each(operations)(
	'$resource: $operation tells the model of an AI agent what it does',
	({ resource, operation, toolDescription }) => {
		const tool = shown(`${TYPE}Tool`, { resource, operation });
		expect(NodeHelpers.getToolDescriptionForNode(tool, { description: descriptionOf(tool) })).toBe(
			toolDescription,
		);
		expect(toolDescription).not.toBe('');
		expect(shown(TYPE, { resource, operation }).parameters).not.toHaveProperty('toolDescription');
	},
);

test('a tool has no options that are only useful in a workflow', () => {
	const options = {
		waitUsing: 'polling',
		downloadFiles: true,
		outputPrefix: 'f_',
		maxFileSize: 1,
		maxWait: 5,
	};
	const parameters = { resource: 'question', operation: 'askAndWait', options };
	expect(shown(`${TYPE}Tool`, parameters).parameters.options).toEqual({ maxWait: 5 });
	expect(shown(TYPE, parameters).parameters).toMatchObject({ options });
});
