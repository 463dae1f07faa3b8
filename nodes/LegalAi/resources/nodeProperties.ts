import type { INodeProperties } from 'n8n-workflow';

import type { Operation, Resource } from '../execution/operation';
import { displayedWith } from '../parameters';

/** The node's properties in the editor's order: resource, operation, then each operation's own fields. */
export function nodeProperties(resources: Record<string, Resource>): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: Object.entries(resources).map(([value, { label }]) => ({ name: label, value })),
			default: 'question',
		},
		...Object.entries(resources).flatMap(([resource, { operations }]) => [
			operationList(resource, operations),
			...Object.entries(operations).flatMap(([operation, { toolDescription, properties }]) =>
				displayedWith({ show: { resource: [resource], operation: [operation] } }, [
					toolDescriptionField(toolDescription),
					...properties,
				]),
			),
		]),
	];
}

/** n8n adds such a field to tools too, but with the action's name alone: no model knows from that what comes back, or when. */
function toolDescriptionField(text: string): INodeProperties {
	return {
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 4 },
		default: text,
		displayOptions: { show: { '@tool': [true] } },
		description:
			'What the AI agent is told about this tool: what it does, and what its result means',
	};
}

function operationList(resource: string, operations: Record<string, Operation>): INodeProperties {
	const [first = ''] = Object.keys(operations);
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: Object.entries(operations).map(([value, { option }]) => ({ ...option, value })),
		default: first,
	};
}

/** An expression for a text of the canvas that goes by resource and operation. */
export function byOperation(
	resources: Record<string, Resource>,
	textOf: (operation: Operation, resource: string) => string | undefined,
): string {
	const texts = Object.entries(resources).flatMap(([resource, { label, operations }]) =>
		Object.entries(operations).map(([operation, each]) => [
			`${resource}.${operation}`,
			textOf(each, label),
		]),
	);
	const table = JSON.stringify(Object.fromEntries(texts));
	return `={{ (${table})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}
