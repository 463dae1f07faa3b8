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

const assigned = {
	...{ id: 'i', display_id: 'LEGAL-9', title: 'Approve NDA', description: 'Why' },
	...{ additional_context: 'More', status: 'open', priority: 'high', complete_by: null },
	...{ assigned_to: 'p1', tags: [], linked_items: [] },
};

test.each<[string, IDataObject, IDataObject]>([
	['by ID, without a list', {}, { assigned_to: 'p1' }],
	['by ID, with an empty list', { assignees: [] }, { assigned_to: 'p1' }],
	['by ID, with no list', { assignees: null }, { assigned_to: 'p1' }],
	['by name', { assignees: [{ id: 'p1' }] }, { assignees: [{ id: 'p1' }] }],
	['to nobody', { assignees: [], assigned_to: null }, { assignees: [] }],
	['to nobody, without a list', { assigned_to: null }, { assigned_to: null }],
])('a simplified task with all fields says once whom it is assigned to: %s', (_, more, shown) => {
	const { assignees, assigned_to, linked_items } = simplified({ ...assigned, ...more });
	expect({ assignees, assigned_to }).toEqual({ assignees: undefined, ...shown });
	expect(linked_items).toEqual([]);
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
