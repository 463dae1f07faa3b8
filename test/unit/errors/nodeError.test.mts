import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import {
	addAccepted,
	failedItemJson,
	toNodeError,
} from '../../../nodes/LegalAi/errors/nodeError.ts';
import {
	serviceDetails,
	serviceMessages,
} from '../../../nodes/LegalAi/messages/serviceMessages.ts';
import {
	fillTemplate,
	fillText,
	InvalidInputError,
} from '../../../nodes/LegalAi/messages/template.ts';

const node: INode = {
	id: 'n',
	name: 'Legal AI',
	type: 'n8n-nodes-legal-ai.legalAi',
	typeVersion: 1.1,
	position: [0, 0],
	parameters: {},
};

test('an error of n8n, such as one of an expression, keeps its own words', () => {
	const error = toNodeError(node, new Error('The expression has a syntax problem'), 1);
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error).toMatchObject({
		message: 'The expression has a syntax problem',
		context: { itemIndex: 1 },
	});
});

test('an error that is already a node error stays unchanged', () => {
	for (const error of [
		new NodeOperationError(node, 'No.'),
		new NodeApiError(node, { message: 'No.' }),
	]) {
		expect(toNodeError(node, error, 1)).toBe(error);
	}
});

test.each<[unknown, string]>([
	[new TypeError('x is null'), 'TypeError: x is null'],
	[new RangeError('x is null'), 'RangeError: x is null'],
	[new ReferenceError('x is null'), 'ReferenceError: x is null'],
	[new SyntaxError('x is null'), 'SyntaxError: x is null'],
	['odd Bearer abc', 'odd Bearer …'],
])('an unexpected %s is shown as a bug to report, without API keys', (thrown, details) => {
	const { message, description } = fillTemplate(serviceMessages.unexpected, { details });
	expect(toNodeError(node, thrown, 3)).toMatchObject({
		message: `${message} [item 3]`,
		description,
		context: { itemIndex: 3 },
	});
});

test.each([
	[0, ''],
	[1, 'item 0: q0'],
	[5, 'item 0: q0, item 1: q1, item 2: q2, item 3: q3, item 4: q4'],
	[6, 'item 0: q0, item 1: q1, item 2: q2, item 3: q3, item 4: q4, …'],
])(
	'an error that ends the node names up to five of the %i items that were accepted before it',
	(count, list) => {
		const accepted = Array.from({ length: count }, (_, item) => ({ item, id: `q${item}` }));
		const { description } = addAccepted(
			new NodeOperationError(node, 'No.', { description: 'Do something.' }),
			accepted,
			{ isUncertain: false, isCalled: false },
		);
		const said = fillText(serviceDetails.accepted, { count, list }) + serviceDetails.notSentAgain;
		expect(description).toBe(`Do something.${count === 0 ? '' : said}`);
	},
);

test('an error of an item whose question was asked says where to find the question, whatever has gone wrong', () => {
	const question = {
		id: 'q1',
		assistant_id: 'default',
		session_url: 'https://legal-ai.example.com/s/1?token=x',
	};
	const where =
		' Question ID: q1, assistant: default. You can see it at https://legal-ai.example.com/s/1.';
	for (const error of [
		new ApiError('questionFailed'),
		new TypeError('no'),
		new InvalidInputError(empty),
	]) {
		expect(toNodeError(node, error, 1, question).description).toMatch(
			new RegExp(`.${where.replace(/[.?]/g, '\\$&')}$`),
		);
	}
	expect(
		toNodeError(node, new Error('ENOSPC: no space left on device'), 1, question).description,
	).toBe(where.trim());
	const none = [null, '<a href="https://x.example">', 'javascript:alert(1)', 'http://x.example/'];
	for (const session_url of none) {
		const error = new ApiError('questionFailed');
		expect(toNodeError(node, error, 1, { ...question, session_url }).description).toMatch(
			/assistant: default\.$/,
		);
	}
});

const empty = { message: '"Limit" is empty', description: 'Enter a number.' };
test.each([
	[new ApiError('connectionFailed'), serviceMessages.connectionFailed],
	[new InvalidInputError(empty), empty],
])(
	'the JSON of a failed item says what happened and what to do, and omits unknown details: %s',
	(error, { message, description }) => {
		expect(failedItemJson(toNodeError(node, error, 1))).toEqual({
			error: `${message} [item 1]`,
			details: { description },
		});
	},
);
