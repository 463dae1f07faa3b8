import { idOf, labelOf } from '../../../nodes/LegalAi/listSearch/search.ts';

test.each([
	[{ id: '1', name: 'Mutual NDA' }, 'Mutual NDA'],
	[{ id: '1', file_name: 'nda.docx', title: 'Mutual NDA' }, 'Mutual NDA'],
	[{ id: '1', title: ' Mutual NDA ' }, 'Mutual NDA'],
	[{ id: '1', name: ' ', description: 'long' }, '1'],
	[{ id: 7, name: null }, '7'],
])('a record %j is called %s in a list', (record, expected) => {
	expect(labelOf(record)).toBe(expected);
});

test.each([
	[{ id: 'a' }, 'a'],
	[{ id: 7 }, '7'],
	[{ id: '' }, undefined],
	[{ id: null }, undefined],
	[{}, undefined],
])('a record %j has the value %j in a list', (record, expected) => {
	expect(idOf(record)).toBe(expected);
});

test.each([
	[
		{ id: 'a', display_id: 'LEGAL-12', title: 'Review supplier NDA' },
		'LEGAL-12 Review supplier NDA',
	],
	[{ id: 'a', display_id: 12 }, '12 a'],
	[{ id: 'a', display_id: '', title: 'Review supplier NDA' }, 'Review supplier NDA'],
	[{ id: 'a', title: 'Review supplier NDA' }, 'Review supplier NDA'],
])('a task %j is called %s in a list', (task, expected) => {
	expect(labelOf(task)).toBe(expected);
});
