import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { addAccepted, failedItemJson, toNodeError, userMessageOf } from '../../../nodes/LegalAi/execution/nodeError.ts';
import { fileMessages } from '../../../nodes/LegalAi/messages/fileMessages.ts';
import { serviceDetails, serviceMessages } from '../../../nodes/LegalAi/messages/serviceMessages.ts';
import { fillTemplate, fillText, InvalidInputError } from '../../../nodes/LegalAi/messages/template.ts';

const node: INode = { id: 'n', name: 'Legal AI', type: 'n8n-nodes-legal-ai.legalAi', typeVersion: 1, position: [0, 0], parameters: {} };
const invalid = { message: 'It is not right', description: 'Mend it.' };
const unexpected = (details: string): object => fillTemplate(serviceMessages.unexpected, { details });

describe('an error of one item', () => {
	test('stays as it is if n8n knows it already', () => {
		for (const known of [new NodeOperationError(node, 'No.'), new NodeApiError(node, { message: 'No.' })]) {
			expect(toNodeError(node, known, 1)).toBe(known);
		}
	});

	test('of the service says what, where, and in which words of the service', () => {
		const error = toNodeError(node, new ApiError('rejected', { status: 404, subject: 'task', errorCode: 'gone', serviceMessage: 'Not here.' }), 2);
		const message = `${serviceMessages.taskNotFound.message} (404): Not here.`;
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: `${message} [item 2]`,
			description: serviceMessages.taskNotFound.description,
			httpCode: '404',
			level: 'warning',
			context: { itemIndex: 2 },
			errorResponse: { message: `${message} [item 2]`, error_code: 'gone' },
		});
	});

	test('of the way to the service has no words of it', () => {
		const { message } = serviceMessages.connectionFailed;
		expect(toNodeError(node, new ApiError('connectionFailed'))).toMatchObject({ message, errorResponse: { message, error_code: null } });
	});

	test('shows nothing of a key, neither in the words of the service nor in the name of a file', () => {
		const error = new ApiError('rejected', { subject: 'download', fileName: 'sk-svc-api1-abc.pdf', serviceMessage: 'No sk-svc-api1-abc' });
		const { message } = fillTemplate(fileMessages.downloadRejected, { file: '"….pdf"' });
		expect(toNodeError(node, error, 0)).toMatchObject({ message: `${message}: No … [item 0]` });
	});

	test('of what was entered says what to change', () => {
		const error = toNodeError(node, new InvalidInputError(invalid), 0);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: `${invalid.message} [item 0]`, description: invalid.description, context: { itemIndex: 0 } });
		expect(toNodeError(node, new InvalidInputError(invalid)).message).toBe(invalid.message);
	});

	test('of n8n keeps its own words', () => {
		const error = toNodeError(node, new Error('The expression has a syntax problem'), 1);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: 'The expression has a syntax problem', context: { itemIndex: 1 } });
	});

	test.each([{ kind: TypeError }, { kind: RangeError }, { kind: ReferenceError }, { kind: SyntaxError }])('of a program ($kind.name) is said to be one to report', ({ kind }) => {
		const { message, description } = fillTemplate(serviceMessages.unexpected, { details: `${kind.name}: x is null` });
		const error = toNodeError(node, new kind('x is null'), 3);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: `${message} [item 3]`, description, context: { itemIndex: 3 } });
	});

	test('that is no error is said to be one to report', () => {
		expect(toNodeError(node, 'odd')).toMatchObject(unexpected('odd'));
	});
});

describe('what the person reads about an error', () => {
	test('of what was entered is what it says', () => {
		expect(userMessageOf(new InvalidInputError(invalid))).toMatchObject(invalid);
	});

	test.each([
		[new Error('Odd'), 'Error: Odd'],
		['Bearer abc', 'Bearer …'],
		['', ''],
	])('that nobody expected (%j) is its beginning, without keys', (error, details) => {
		expect(userMessageOf(error)).toEqual(unexpected(details));
	});
});

describe('the JSON of an item that failed', () => {
	test('has the status if the service answered', () => {
		const error = new NodeApiError(node, {}, { message: 'No.', description: 'Mend it.', httpCode: '409' });
		expect(failedItemJson(error)).toStrictEqual({ error: 'No.', details: { description: 'Mend it.', http_code: '409' } });
	});

	test.each([new NodeApiError(node, {}, { message: 'No.' }), new NodeOperationError(node, 'No.')])('has none otherwise: %s', (error) => {
		expect(failedItemJson(error)).toStrictEqual({ error: 'No.', details: { description: null } });
	});
});

describe('an error that ends the node', () => {
	/** What is said after so many items have been accepted. */
	function after(count: number, description?: string): NodeOperationError {
		const error = new NodeOperationError(node, 'No.', { description });
		const accepted = Array.from({ length: count }, (_, item) => ({ item, id: `q${item}` }));
		expect(addAccepted(error, accepted)).toBe(error);
		expect(error.context.accepted).toEqual(count === 0 ? undefined : accepted);
		return error;
	}
	const five = 'item 0: q0, item 1: q1, item 2: q2, item 3: q3, item 4: q4';

	test.each([
		[1, 'item 0: q0'],
		[5, five],
		[6, `${five}, …`],
	])('names up to five of the %i items that were accepted before it', (count, list) => {
		const accepted = fillText(serviceDetails.accepted, { count, list });
		expect(after(count, 'Mend it.').description).toBe(`Mend it.${accepted}`);
		expect(after(count).description).toBe(accepted);
	});

	test('names none if there are none', () => {
		expect(after(0, 'Mend it.').description).toBe('Mend it.');
	});
});
