import { NodeOperationError, type INode } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { addAccepted, toNodeError } from '../../../nodes/LegalAi/execution/nodeError.ts';
import { serviceDetails, serviceMessages } from '../../../nodes/LegalAi/messages/serviceMessages.ts';
import { fillTemplate, fillText } from '../../../nodes/LegalAi/messages/template.ts';

const node: INode = {
	...{ id: 'n', name: 'Legal AI', type: 'n8n-nodes-legal-ai.legalAi', typeVersion: 1.1, position: [0, 0], parameters: {} },
};

test('an error of n8n, such as one of an expression, keeps its own words', () => {
	const error = toNodeError(node, new Error('The expression has a syntax problem'), 1);
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error).toMatchObject({ message: 'The expression has a syntax problem', context: { itemIndex: 1 } });
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
	const accepted = Array.from({ length: count }, (_, item) => ({ item, id: `q${item}` }));
	const error = addAccepted(new NodeOperationError(node, 'No.', { description: 'Do something.' }), accepted);
	expect(error.context.accepted).toEqual(accepted);
	expect(error.description).toBe(`Do something.${fillText(serviceDetails.accepted, { count, list })}`);
});
