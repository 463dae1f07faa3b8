import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { labelOf } from '../../nodes/LegalAi/lookups/label.ts';
import { simplified } from '../../nodes/LegalAi/resources/task/simplify.ts';

describe('a simplified task', () => {
	test('has at most ten fields, the most useful first, each as the task has it', () => {
		const field = fc.constantFrom('display_id', 'id', 'title', 'status', 'due', 'url', 'tags', 'a', 'b', 'c', 'd', 'e', 'f');
		fc.assert(
			fc.property(fc.dictionary(field, fc.oneof(fc.string(), fc.constant(null))), (task) => {
				const kept = simplified(task);
				expect(Object.keys(kept)).toHaveLength(Math.min(10, Object.keys(task).length));
				expect(task).toMatchObject(kept);
				for (const useful of ['display_id', 'id', 'title', 'status']) expect(useful in kept).toBe(useful in task);
			}),
		);
		expect(Object.keys(simplified({ url: 'u', status: 's', id: 'i', display_id: 'd' }))).toEqual(['display_id', 'id', 'status', 'url']);
	});
});

describe('what a record is called in a list', () => {
	test.each([
		[{ id: '1', name: 'Mutual NDA' }, 'Mutual NDA'],
		[{ id: '1', title: 'Mutual NDA', file_name: 'nda.docx' }, 'Mutual NDA'],
		[{ id: '1', display_name: 'Mutual NDA' }, 'Mutual NDA'],
		[{ id: '1', displayName: 'Mutual NDA', user_name: 'Ada' }, 'Mutual NDA'],
		[{ id: '1', playbook_name: 'Mutual NDA' }, 'Mutual NDA'],
		[{ id: '1', name: ' ', description: 'long' }, '1'],
		[{ id: 7, name: null }, '7'],
	])('%j is called %s', (record, expected) => {
		expect(labelOf(record)).toBe(expected);
	});
});
