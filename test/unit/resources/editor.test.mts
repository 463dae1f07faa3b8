import { type INodeProperties, type INodePropertyCollection, NodeHelpers } from 'n8n-workflow';

import { node } from '../../../harness/workflows.mts';
import { properties, resources } from '../../../nodes/LegalAi/resources/index.ts';
import { parametersShown } from '../../support/examples/nodeDescriptions.mts';

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
		'Answer Fields': ['Field Name', 'Type', 'Choices', 'Columns'],
		Attachments: ['Source', 'Input Binary Field', 'Upload Job ID', 'URL', 'Unzip'],
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

/** The labels of all buttons that add something to a list or a collection. */
function addButtons(fields: INodeProperties[]): string[] {
	return fields.flatMap(({ type, placeholder = '', typeOptions, options = [] }) => {
		if (type !== 'fixedCollection' && type !== 'collection') return [];
		const hidesSome = type === 'fixedCollection' && typeOptions?.hideOptionalFields === true;
		const values = options.flatMap((option) => ('values' in option ? option.values : []));
		const isOptional = ({ required, typeOptions: own }: INodeProperties) =>
			required !== true && own?.showEvenWhenOptional !== true;
		// Without a text of its own, n8n calls it "Add Field".
		const optional = typeOptions?.addOptionalFieldButtonText ?? 'Add Field';
		const more = hidesSome && values.some(isOptional) ? [optional] : [];
		return [placeholder, ...more, ...addButtons(values)];
	});
}

test('each button that adds something says what', () => {
	const labels = new Set(addButtons(properties));
	expect(labels).not.toContain('Add Field');
	expect(labels).not.toContain('');
	expect(labels).toContain('Add Description or Required');
});

/** All fields, those of lists and collections after their own. */
function flatten(fields: INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => {
		const inner = (field.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
		return [field, ...flatten(inner)];
	});
}

test('what may be long is entered in several lines', () => {
	const labels = flatten(properties).flatMap(({ displayName, typeOptions }) =>
		(typeOptions?.rows ?? 1) > 1 ? [displayName] : [],
	);
	expect([...new Set(labels)].sort()).toEqual([
		'Additional Context',
		'Description',
		'Question',
		'Tool Description',
	]);
});

test('numbers have a range', () => {
	const ranges = flatten(properties).flatMap(({ type, displayName, typeOptions = {} }) =>
		type === 'number' ? [`${displayName}: ${typeOptions.minValue} to ${typeOptions.maxValue}`] : [],
	);
	expect([...new Set(ranges)].sort()).toEqual([
		'Limit: 1 to undefined',
		'Max File Size (MB): 1 to 10000',
		'Max Time to Submit (Minutes): 0 to 527040',
		'Max Wait (Minutes): 0 to 527040',
	]);
});

test('in sync mode, the editor does not show how long an answer is waited for', () => {
	const asking = (waitUsing: string) =>
		node('Ask', 'n8n-nodes-legal-ai.legalAi', { options: { waitUsing, maxWait: 5 } });
	expect(parametersShown(asking('polling')).options).toEqual({ waitUsing: 'polling', maxWait: 5 });
	expect(parametersShown(asking('sync')).options).toEqual({ waitUsing: 'sync' });
});
