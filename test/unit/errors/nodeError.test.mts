import { NodeOperationError } from 'n8n-workflow';

import { node as createNode } from '../../../harness/workflows.mts';
import { ApiError, userError } from '../../../nodes/LegalAi/api/errors.ts';
import { addAccepted, toNodeError } from '../../../nodes/LegalAi/errors/nodeError.ts';

const node = createNode('Legal AI', 'n8n-nodes-legal-ai.legalAi', {});

test('an error of n8n, such as one of an expression, keeps its own words', () => {
	const error = toNodeError(node, new Error('The expression has a syntax problem'), {
		index: 1,
		count: 2,
	});
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error).toMatchObject({
		message: 'The expression has a syntax problem',
		context: { itemIndex: 1 },
	});
});

test('an error that is in words for the editor already stays as it is', () => {
	const error = new NodeOperationError(node, 'No.', { itemIndex: 1 });
	expect(toNodeError(node, error, { index: 2, count: 3 })).toBe(error);
});

test('if the webhook address of n8n is not a web address, an error says so: n8n reads no field then', () => {
	const thrown = Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' });
	const error = toNodeError(node, thrown);
	expect(error.message).toContain('because N8N_WEBHOOK_URL');
	expect(error.description).toMatch(/^Ask whoever runs your n8n to set it/);
});

test.each<[unknown, string]>([
	[new TypeError('x is null'), 'TypeError: x is null'],
	['odd Bearer abc', 'odd Bearer …'],
])('an unexpected %s is shown as a bug to report, without API keys', (thrown, details) => {
	const error = toNodeError(node, thrown, { index: 3, count: 4 });
	expect(error.message).toBe('Something unexpected happened in this node [item 3]');
	expect(toNodeError(node, thrown, { index: 0, count: 1 }).message).not.toContain('item');
	expect(error.description).toMatch(/^Please report it at https:/);
	expect(error.description).toContain(details);
});

test('what others have written begins no tag in an error: n8n shows descriptions as HTML', () => {
	const error = toNodeError(node, userError('"<b>" is wrong', 'Not <a href="x">.'));
	expect(error).toMatchObject({ message: '"‹b>" is wrong', description: 'Not ‹a href="x">.' });
});

test.each([
	[0, false, undefined],
	[5, false, 'item 0: q0, item 1: q1, item 2: q2, item 3: q3, item 4: q4'],
	[6, false, 'item 0: q0, item 1: q1, item 2: q2, item 3: q3, item 4: q4, …'],
	[6, true, 'item 0: q0, item 1: q1, item 2: q2, item 3: q3, item 4: q4, item 5: q5'],
])(
	'an error that ends the node names up to five of the %i items that were accepted before it, or all if more may have been: %s',
	(count, isUncertain, list) => {
		const accepted = Array.from({ length: count }, (_, item) => ({ item, id: `q${item}` }));
		const { description } = addAccepted(
			new NodeOperationError(node, 'No.', { description: 'Do something.' }),
			accepted,
			{ isUncertain, isCalled: false },
		);
		const said = `Do something. Accepted by the service before this: ${list} (${count} in all). If you retry`;
		if (list === undefined) expect(description).toBe('Do something.');
		else expect(description?.startsWith(said)).toBe(true);
	},
);

test('an error that names its question already does not list it again', () => {
	const error = new NodeOperationError(node, 'No.', { description: 'See https://x.example/s/q0.' });
	const { description } = addAccepted(error, [{ item: 0, id: 'q0' }], {
		isUncertain: false,
		isCalled: false,
	});
	expect(description).toMatch(
		/^See https:\/\/x\.example\/s\/q0\. If you retry this execution, it will not/,
	);
	expect(description?.match(/q0/g)).toHaveLength(1);
	expect(error.context.accepted).toEqual([{ item: 0, id: 'q0' }]);
});

test('an error of an item whose question was asked says where to find the question, whatever has gone wrong', () => {
	const question = {
		id: 'q1',
		assistant_id: 'default',
		session_url: `https://legal-ai.example.com/s/${'a1'.repeat(20)}?token=x`,
	};
	const where = ` You can see the question at https://legal-ai.example.com/s/${'a1'.repeat(20)}.`;
	const only = { index: 0, count: 1 };
	for (const error of [
		new ApiError('rejected'),
		new TypeError('no'),
		userError('"Limit" is empty', 'Enter a number.'),
	]) {
		expect(toNodeError(node, error, only, question).description).toMatch(
			new RegExp(`.${where.replace(/[.?]/g, '\\$&')}$`),
		);
	}
	expect(
		toNodeError(node, new Error('ENOSPC: no space left on device'), only, question).description,
	).toBe(where.trim());
	const none = [null, '<a href="https://x.example">', 'javascript:alert(1)', 'http://x.example/'];
	for (const session_url of none) {
		const error = new ApiError('rejected');
		expect(toNodeError(node, error, only, { ...question, session_url }).description).toMatch(
			/assistant: default\.$/,
		);
	}
});
