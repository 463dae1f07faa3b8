import { entriesOf } from '../../../nodes/LegalAi/listSearch/lists.ts';

test.each([
	[{ id: '1', name: 'Mutual NDA' }, 'Mutual NDA', '1'],
	[{ id: '1', file_name: 'nda.docx', title: ' Mutual NDA ' }, 'Mutual NDA', '1'],
	[{ id: '1', name: ' ', description: 'long' }, '1', '1'],
	[{ id: 7, name: null }, '7', '7'],
	[{ id: 'a', display_id: 'LEGAL-12', title: 'Review NDA' }, 'LEGAL-12 Review NDA', 'a'],
	[{ id: 'a', display_id: 12 }, '12 a', 'a'],
	[{ id: 'a', display_id: '', title: 'Review NDA' }, 'Review NDA', 'a'],
])('a record %j is called %s in a list, and picked as %s', (record, name, value) => {
	expect(entriesOf(record)).toEqual([{ name, value }]);
});
