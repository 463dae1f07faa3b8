import { expect, test } from 'vitest';

import { nodeProperties, operationSubtitle } from '../../../nodes/LegalAi/execution/nodeProperties.ts';
import type { Operation } from '../../../nodes/LegalAi/execution/operation.ts';

const field = { displayName: 'Title', name: 'title', type: 'string', default: '' } as const;

/** An operation with one field. */
function operationNamed(name: string): Operation {
	return {
		option: { name, value: name.toLowerCase() },
		toolDescription: `${name} it.`,
		properties: [field],
		run: async () => await Promise.resolve([]),
	};
}

const resources = {
	task: { option: { name: 'Task', value: 'task' }, operations: { get: operationNamed('Get'), update: operationNamed('Update') } },
	user: { option: { name: 'User', value: 'user' }, operations: { get: operationNamed('Get') } },
};

test('the panel has the resource, then the operation, neither by an expression, then the fields, the first for tools alone', () => {
	const [resource, operation, description, title] = nodeProperties(resources);
	expect(resource).toMatchObject({ name: 'resource', noDataExpression: true, options: [resources.task.option, resources.user.option] });
	const { get, update } = resources.task.operations;
	expect(operation).toMatchObject({
		name: 'operation',
		noDataExpression: true,
		displayOptions: { show: { resource: ['task'] } },
		options: [get.option, update.option],
		default: 'get',
	});
	const show = { resource: ['task'], operation: ['get'] };
	expect(description).toMatchObject({
		name: 'toolDescription',
		typeOptions: { rows: 4 },
		default: 'Get it.',
		displayOptions: { show: { ...show, '@tool': [true] } },
	});
	expect(title).toEqual({ ...field, displayOptions: { show } });
});

test('the canvas has the words of each operation', () => {
	const labels = { 'task.get': 'Get: Task', 'task.update': 'Update: Task', 'user.get': 'Get: User' };
	expect(operationSubtitle(resources)).toBe(`={{ ${JSON.stringify(labels)}[$parameter["resource"] + "." + $parameter["operation"]] }}`);
});
