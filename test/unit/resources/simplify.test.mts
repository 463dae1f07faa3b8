import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { taskItem } from '../../../nodes/LegalAi/resources/task/fields.ts';

const simplified = (task: IDataObject) => taskItem(task, true).json;

test('a simplified task has at most ten fields, the most useful first, each as the task has it', () => {
	const field = fc.constantFrom(
		'display_id',
		'id',
		'title',
		'status',
		'due',
		'url',
		'tags',
		'a',
		'b',
		'c',
		'd',
		'e',
		'f',
	);
	fc.assert(
		fc.property(fc.dictionary(field, fc.oneof(fc.string(), fc.constant(null))), (task) => {
			const kept = simplified(task);
			expect(Object.keys(kept)).toHaveLength(Math.min(10, Object.keys(task).length));
			expect(task).toMatchObject(kept);
			for (const useful of ['display_id', 'id', 'title', 'status'])
				expect(useful in kept).toBe(useful in task);
		}),
	);
	expect(Object.keys(simplified({ url: 'u', status: 's', id: 'i', display_id: 'd' }))).toEqual([
		'display_id',
		'status',
		'id',
		'url',
	]);
});

test('a simplified task has a flag only if it is true, and shows assigned people by name if the task has names', () => {
	const task = {
		archived: false,
		draft: true,
		assigned_to: 'p1',
		assignees: [{ id: 'p1', name: 'Ada' }],
		linked_items: [],
		description: 'Why',
	};
	expect(simplified(task)).toEqual({
		description: 'Why',
		draft: true,
		assignees: task.assignees,
		linked_items: [],
	});
	expect(simplified({ id: 't', draft: null, assigned_to: 'p1' })).toEqual({
		id: 't',
		assigned_to: 'p1',
	});
});
