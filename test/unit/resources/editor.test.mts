import { type INodeProperties, type INodePropertyCollection, NodeHelpers } from 'n8n-workflow';

import { properties, resources } from '../../../nodes/LegalAi/resources/index.ts';

/** What the editor shows of a new entry of each list, as far as its other fields ask for it. */
function shownIn(fields: INodeProperties[]): [string, string[]][] {
	const lists = fields.filter(({ type }) => type === 'fixedCollection');
	return lists.flatMap(({ displayName, typeOptions, options = [] }) => {
		const entries = (options as INodePropertyCollection[]).flatMap(({ values }) => values);
		const shown = entries.filter(({ required, typeOptions: own }) =>
			[required, own?.showEvenWhenOptional, !typeOptions?.hideOptionalFields].includes(true),
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

test('the editor lists the operations of the chosen resource alone', () => {
	for (const [resource, { operations }] of Object.entries(resources)) {
		const shown = properties.filter(
			(property) =>
				property.name === 'operation' &&
				NodeHelpers.displayParameter({ resource }, property, null, null),
		);
		const values = shown.map(({ options }) =>
			options?.map((each) => 'value' in each && each.value),
		);
		expect(values).toEqual([Object.keys(operations)]);
	}
});
