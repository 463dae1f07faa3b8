import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { addAccepted, failedItemJson, toNodeError } from '../../../nodes/LegalAi/execution/nodeError.ts';
import { serviceDetails, serviceMessages } from '../../../nodes/LegalAi/messages/serviceMessages.ts';
import { fillTemplate, fillText, InvalidInputError } from '../../../nodes/LegalAi/messages/template.ts';

const node: INode = {
	...{ id: 'n', name: 'Legal AI', type: 'n8n-nodes-legal-ai.legalAi', typeVersion: 1.1, position: [0, 0], parameters: {} },
};

test('an error of n8n, such as one of an expression, keeps its own words', () => {
	const error = toNodeError(node, new Error('The expression has a syntax problem'), 1);
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error).toMatchObject({ message: 'The expression has a syntax problem', context: { itemIndex: 1 } });
});

test('an error that is already in words for the editor stays as it is', () => {
	for (const error of [new NodeOperationError(node, 'No.'), new NodeApiError(node, { message: 'No.' })]) {
		expect(toNodeError(node, error, 1)).toBe(error);
	}
});

test.each([
	[new TypeError('x is null'), 'TypeError: x is null'],
	[new RangeError('x is null'), 'RangeError: x is null'],
	[new ReferenceError('x is null'), 'ReferenceError: x is null'],
	[new SyntaxError('x is null'), 'SyntaxError: x is null'],
	['odd Bearer abc', 'odd Bearer …'],
])('%s, which nobody expected, is shown as one to report, without keys', (thrown, details) => {
	const { message, description } = fillTemplate(serviceMessages.unexpected, { details });
	expect(toNodeError(node, thrown, 3)).toMatchObject({ message: `${message} [item 3]`, description, context: { itemIndex: 3 } });
});

const five = 'item 0: q0, item 1: q1, item 2: q2, item 3: q3, item 4: q4';

test.each([
	[1, 'item 0: q0'],
	[5, five],
	[6, `${five}, …`],
])('an error that ends the node names up to five of the %i items that were accepted before it', (count, list) => {
	const items = Array.from({ length: count }, (_, item) => item);
	const accepted = Object.fromEntries(items.map((item) => [item, { record: { id: `q${item}` }, acceptedAt: 0, isOwn: true }]));
	const error = addAccepted(new NodeOperationError(node, 'No.', { description: 'Do something.' }), { accepted });
	expect(error.context.accepted).toEqual(items.map((item) => ({ item, id: `q${item}` })));
	expect(error.description).toBe(`Do something.${fillText(serviceDetails.accepted, { count, list })}`);
});

test('an error that ends the node before anything was accepted says nothing of it', () => {
	expect(addAccepted(new NodeOperationError(node, 'No.', { description: 'Do something.' }), { accepted: {} }).description).toBe('Do something.');
});

describe('the JSON of an item that failed', () => {
	test('has the status and the code of the service, and what to do', () => {
		const error = toNodeError(node, new ApiError('rejected', { status: 422, errorCode: 'not_now', serviceMessage: 'Later.' }), 2);
		const json = failedItemJson(error);
		const { description } = error;
		const message = 'The service did not accept the request (422): Later. [item 2]';
		expect(json).toEqual({ error: message, details: { description, http_code: '422', error_code: 'not_now' } });
		expect(error).toMatchObject({ message, description, httpCode: '422', context: { itemIndex: 2, errorCode: 'not_now' } });
	});

	test('has neither where the service sent none', () => {
		const json = failedItemJson(toNodeError(node, new ApiError('connectionFailed', {}), 0));
		const { message, description } = serviceMessages.connectionFailed;
		expect(json).toEqual({ error: `${message} [item 0]`, details: { description } });
	});

	test('tells what was wrong with a field', () => {
		const error = toNodeError(node, new InvalidInputError({ message: '"Limit" is empty', description: 'Enter a number.' }), 1);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(failedItemJson(error)).toEqual({ error: '"Limit" is empty [item 1]', details: { description: 'Enter a number.' } });
	});
});
