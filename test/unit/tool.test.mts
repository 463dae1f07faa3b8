import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { node } from '../../harness/workflows.mts';
import { resources, type Resource } from '../../nodes/LegalAi/resources/index.ts';
import { findDescription, parametersShown } from '../support/examples/nodeDescriptions.mts';

const TYPE = 'n8n-nodes-legal-ai.legalAi';

/** A node with those of its parameters that are shown, and with their presets, as n8n gives it to itself. */
function shown(type: string, given: INodeParameters) {
	const tool = node('Ask counsel', type, given);
	return { ...tool, parameters: parametersShown(tool) };
}

const operations = Object.entries<Resource>(resources).flatMap(([resource, { operations: each }]) =>
	Object.entries(each).map(
		([
			operation,
			{
				toolDescription,
				option: { action },
			},
		]) => ({
			resource,
			operation,
			toolDescription,
			action,
		}),
	),
);

// The editor and the tools that n8n makes of nodes write other characters each in its own way, and n8n then runs nothing.
test.each(operations)(
	'the action of $resource: $operation can be the name of a node, and of a tool: $action',
	({ action }) => {
		expect(action).toMatch(/^[a-z ]+$/i);
	},
);

test.each(operations)(
	'$resource: $operation tells the model of an AI agent what it does',
	({ resource, operation, toolDescription }) => {
		const tool = shown(`${TYPE}Tool`, { resource, operation });
		expect(
			NodeHelpers.getToolDescriptionForNode(tool, { description: findDescription(tool) }),
		).toBe(toolDescription);
		expect(toolDescription).not.toBe('');
		expect(shown(TYPE, { resource, operation }).parameters).not.toHaveProperty('toolDescription');
	},
);

test.each(['ask', 'askAndWait', 'get', 'waitForAnswer'] as const)(
	'question: %s tells the model what each status means',
	(operation) => {
		expect(resources.question.operations[operation].toolDescription).toContain(
			'"status" is "completed" (The answer is in "answer"), "error" (The service could not answer; the reason is in "answer"), "filtered" (The assistant declined the question; the reason is in "answer" and "reason") or "in_progress"',
		);
	},
);

test('a tool has no options that are only useful in a workflow', () => {
	const files = { downloadFiles: true, outputPrefix: 'f_', maxFileSize: 1 };
	const options = { ...files, waitUsing: 'polling', maxWait: 5 };
	const parameters = { resource: 'question', operation: 'askAndWait', options };
	expect(shown(`${TYPE}Tool`, parameters).parameters.options).toEqual({ maxWait: 5 });
	expect(shown(TYPE, parameters).parameters).toMatchObject({ options });
});
