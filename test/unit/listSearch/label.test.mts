import { expect, test } from 'vitest';

import { idOf, labelOf } from '../../../nodes/LegalAi/listSearch/label.ts';

test.each([
	[{ id: '1', name: 'Mutual NDA' }, 'Mutual NDA'],
	[{ id: '1', title: 'Mutual NDA', file_name: 'nda.docx' }, 'Mutual NDA'],
	[{ id: '1', display_name: 'Mutual NDA' }, 'Mutual NDA'],
	[{ id: '1', displayName: 'Mutual NDA', user_name: 'Ada' }, 'Mutual NDA'],
	[{ id: '1', playbook_name: 'Mutual NDA' }, 'Mutual NDA'],
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
])('a record %j is picked by %j', (record, expected) => {
	expect(idOf(record)).toBe(expected);
});
