import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { properties } from '../../../nodes/LegalAi/resources/index.ts';

/** What the editor shows of a new entry of each list, as far as its other fields ask for it. */
function shownIn(fields: INodeProperties[]): Array<[string, string[]]> {
	const lists = fields.filter(({ type }) => type === 'fixedCollection');
	return lists.flatMap(({ displayName, typeOptions, options = [] }) => {
		const entries = (options as INodePropertyCollection[]).flatMap(({ values }) => values);
		const shown = entries.filter(
			({ required, typeOptions: own }) =>
				required || own?.showEvenWhenOptional || !typeOptions?.hideOptionalFields,
		);
		return [[displayName, shown.map((field) => field.displayName)], ...shownIn(entries)];
	});
}

test('the editor shows of a new entry what cannot be left out', () => {
	expect(Object.fromEntries(shownIn(properties))).toEqual({
		'Answer Fields': ['Field Name', 'Type', 'Choices'],
		Attachments: ['Source', 'Input Binary Field', 'Upload Job ID', 'URL'],
		Columns: ['Column Name', 'Type'],
		'Pass Along': ['Name', 'Value'],
	});
});
