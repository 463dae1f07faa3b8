import { NodeHelpers, type INode } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { choice, choices } from '../../../nodes/LegalAi/parameters/choice.ts';
import { jsonObjects } from '../../../nodes/LegalAi/parameters/list.ts';
import { byId, byName, byUuid, byValue, fromList, pickedValue } from '../../../nodes/LegalAi/parameters/locator.ts';
import { number, resultLimit } from '../../../nodes/LegalAi/parameters/number.ts';
import { group, hiddenFor, notForTools, onlyForTools, shownFor, type Parameter } from '../../../nodes/LegalAi/parameters/parameter.ts';
import { text } from '../../../nodes/LegalAi/parameters/text.ts';
import { FIELD, fieldOf } from './reading.mts';

const OPTIONS = [
	{ name: 'Private', value: 'private' },
	{ name: 'Public', value: 'public' },
] as const;
const NODE: INode = { id: 'n', name: 'Legal AI', type: 'n8n-nodes-legal-ai.legalAi', typeVersion: 1, position: [0, 0], parameters: {} };

describe('the editor shows', () => {
	test('a choice with its options, and nothing chosen', () => {
		expect(fieldOf(choice(FIELD, OPTIONS))).toEqual({ ...FIELD, type: 'options', default: '', options: OPTIONS });
		expect(fieldOf(choices(FIELD, OPTIONS))).toEqual({ ...FIELD, type: 'multiOptions', default: [], options: OPTIONS });
	});

	test('objects as an empty field for JSON', () => {
		expect(fieldOf(jsonObjects(FIELD))).toEqual({ ...FIELD, type: 'json', default: '' });
	});

	test('a number with its bounds, beside what its description adds', () => {
		const amount = number({ ...FIELD, default: 1, typeOptions: { numberPrecision: 2 } }, { min: 0, max: 9 });
		expect(fieldOf(amount)).toEqual({ ...FIELD, type: 'number', default: 1, typeOptions: { minValue: 0, maxValue: 9, numberPrecision: 2 } });
	});

	test('how many results are wanted, one at least, only where not all of them are', () => {
		const shown = resultLimit().properties.map(({ name, typeOptions, displayOptions }) => [name, typeOptions, displayOptions]);
		expect(shown).toEqual([
			['returnAll', undefined, undefined],
			['limit', { minValue: 1 }, { show: { returnAll: [false] } }],
		]);
	});
});

describe('what is picked', () => {
	test('is found in a list that can be searched, or entered', () => {
		expect(fromList('searchTasks')).toEqual({
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchTasks', searchable: true },
		});
		expect(byId('e.g. 1')).toEqual({ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 1' });
		expect(byName('e.g. NDA')).toEqual({ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. NDA' });
		expect(byValue('e.g. open')).toEqual({ displayName: 'By Value', name: 'value', type: 'string', placeholder: 'e.g. open' });
	});

	test('by an ID that has a form of its own is checked by the editor, which says so of any other', () => {
		const mode = byUuid({ placeholder: 'e.g. 0b0e…', errorMessage: 'Not an ID' });
		expect(mode).toMatchObject(byId('e.g. 0b0e…'));

		const field = fieldOf(pickedValue({ ...FIELD, modes: [mode] }));
		const complaintsAbout = (value: string): unknown => {
			const node: INode = { ...NODE, parameters: { someField: { __rl: true, mode: 'id', value } } };
			return NodeHelpers.getNodeParametersIssues([field], node, null)?.parameters?.someField;
		};
		expect(complaintsAbout(' 0b0e1C2d-3f4a-4b5c-8d6e-7f8091a2b3c4 ')).toBeUndefined();
		for (const value of ['t1', '0b0e1c2d3f4a4b5c8d6e7f8091a2b3c4', 'x0b0e1c2d-3f4a-4b5c-8d6e-7f8091a2b3c4']) {
			expect(complaintsAbout(value)).toEqual(['Not an ID']);
		}
	});
});

describe('a field is shown', () => {
	const conditionsOf = (parameter: Parameter<unknown>): unknown[] => parameter.properties.map(({ displayOptions }) => displayOptions);
	const title = text(FIELD);

	test.each<[string, Parameter<unknown>, object]>([
		['for some values of another field', shownFor({ mode: ['a'] }, title), { show: { mode: ['a'] } }],
		['except for some values of another field', hiddenFor({ mode: ['a'] }, title), { hide: { mode: ['a'] } }],
		['only where the node is a tool of an agent', onlyForTools(title), { show: { '@tool': [true] } }],
		['only where the node is no tool of an agent', notForTools(title), { hide: { '@tool': [true] } }],
	])('%s', (_name, parameter, conditions) => {
		expect(conditionsOf(parameter)).toEqual([conditions]);
	});

	test('if all of its conditions are met: later ones are added to earlier ones', () => {
		const first = hiddenFor({ mode: ['a'] }, shownFor({ kind: ['b'] }, title));
		const both = { show: { kind: ['b'], '@tool': [true] }, hide: { mode: ['a'] } };
		expect(conditionsOf(onlyForTools(first))).toEqual([both]);
		expect(conditionsOf(notForTools(group({ first, title })))).toEqual([
			{ show: { kind: ['b'] }, hide: { mode: ['a'], '@tool': [true] } },
			{ hide: { '@tool': [true] } },
		]);
	});
});
