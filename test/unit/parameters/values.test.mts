import { NodeHelpers, type INode } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { choice, choices, toggle, variants } from '../../../nodes/LegalAi/parameters/choice.ts';
import { collection, repeated } from '../../../nodes/LegalAi/parameters/collection.ts';
import { chosenValues, jsonArray, list, webAddresses } from '../../../nodes/LegalAi/parameters/list.ts';
import * as locators from '../../../nodes/LegalAi/parameters/locator.ts';
import { number, resultLimit } from '../../../nodes/LegalAi/parameters/number.ts';
import { describedForTools, displayedIf, ifSet, notForTools, required, withDefault } from '../../../nodes/LegalAi/parameters/parameter.ts';
import { text, textIfAdded, webAddress } from '../../../nodes/LegalAi/parameters/text.ts';
import { complaintAbout, FIELD, fieldOf, read } from './reading.mts';

const OPTIONS = [
	{ name: 'Private', value: 'private' },
	{ name: 'Public', value: 'public' },
] as const;
const LOCATOR = { ...FIELD, modes: [locators.fromList('searchTasks'), locators.by('ID', 'e.g. 1'), locators.by('Name', 'e.g. NDA')] };
const EMPTY = ['', '   ', null, undefined];

const located = (mode: string, value: unknown, more: object = {}): unknown => ({ __rl: true, mode, value, ...more });

const preset = {
	choice: choice({ ...FIELD, default: 'private' }, OPTIONS),
	number: number({ ...FIELD, default: 1 }, { min: 0, max: 9 }),
	toggle: toggle({ ...FIELD, default: true }),
	withDefault: withDefault(text({ ...FIELD, default: 'none' }), 'none'),
};

const optional = {
	chosenValues: chosenValues(FIELD, 'getStatuses'),
	jsonArray: jsonArray(FIELD),
	list: list(FIELD),
	locator: locators.locator(LOCATOR),
	ifSet: ifSet(preset.toggle),
	pickedTextOrNumber: locators.pickedTextOrNumber(LOCATOR),
	pickedValue: locators.pickedValue(LOCATOR),
	text: text(FIELD),
};

test.each(Object.entries(preset))('%s: left empty has the default that the editor shows', (_name, parameter) => {
	for (const empty of EMPTY) expect(read<unknown>(parameter, empty)).toBe(fieldOf(parameter).default);
});

test.each(Object.entries(optional))('%s: left empty has no value, so that nothing is sent', (_name, parameter) => {
	for (const empty of EMPTY) expect(read<unknown>(parameter, empty)).toBeUndefined();
});

const mandatory = {
	list: required(list(FIELD)),
	text: required(text(FIELD)),
	webAddress: webAddress(FIELD),
	webAddresses: webAddresses(FIELD),
};
test.each(Object.entries(mandatory))('%s: left empty is asked for by its name', (_name, parameter) => {
	for (const empty of EMPTY) expect(complaintAbout(parameter, empty)).toBe('"Some Field" is empty');
	expect(fieldOf(parameter).required).toBe(true);
});

test('a value that is not the default is kept', () => {
	expect([0, false].map((value) => read<unknown>(value === 0 ? preset.number : preset.toggle, value))).toEqual([0, false]);
	expect([true, false].map((value) => read(optional.ifSet, value))).toEqual([true, false]);
	expect(read(preset.withDefault, 'other')).toBe('other');
});

describe('text', () => {
	test('loses the blanks around it', () => {
		expect(read(text(FIELD), ' two\nlines ')).toBe('two\nlines');
		expect(read(text(FIELD), 7)).toBe('7');
	});

	test('of a field that was added without a value is null; of one that was not added there is none', () => {
		expect(read(textIfAdded(FIELD), undefined)).toBeUndefined();
		for (const empty of ['', '   ', null]) expect(read(textIfAdded(FIELD), empty)).toBeNull();
		expect(read(textIfAdded(FIELD), ' s1 ')).toBe('s1');
	});

	test.each([[{ a: 1 }], [['a']], [true]])('is not made of %j', (value) => {
		expect(complaintAbout(text(FIELD), value)).toBe('"Some Field" is not text');
	});
});

describe('a web address', () => {
	test.each(['https://example.com/a?b=c', 'http://127.0.0.1:1/', ' https://example.com '])('is %j', (value) => {
		expect(read(webAddress(FIELD), value)).toBe(value.trim());
	});

	test.each(['example.com', 'ftp://example.com', 'https://', 'javascript:alert(1)', 7])('is not %j', (value) => {
		for (const parameter of [webAddress(FIELD), webAddresses(FIELD)]) {
			expect(complaintAbout(parameter, value)).toBe('"Some Field" is not a web address');
		}
	});

	test.each([
		['https://example.com/a.pdf', ['https://example.com/a.pdf']],
		['https://a.com/1,2.pdf, https://b.com,http://c.com/?d=1,2', ['https://a.com/1,2.pdf', 'https://b.com', 'http://c.com/?d=1,2']],
		['https://a.com https://b.com\n https://c.com', ['https://a.com', 'https://b.com', 'https://c.com']],
		[['https://a.com/1, 2.pdf', ' https://b.com '], ['https://a.com/1, 2.pdf', 'https://b.com']],
	])('may be one of several in %j', (value, expected) => {
		expect(read(webAddresses(FIELD), value)).toEqual(expected);
	});
});

describe('a choice', () => {
	test('is one of its options, by value, as forms and spreadsheets may write it', () => {
		for (const value of ['public', 'Public', ' PUBLIC ']) expect(read(preset.choice, value)).toBe('public');
		for (const value of ['else', 1, ['public']]) expect(complaintAbout(preset.choice, value)).toMatch(/^"Some Field" can't be "/);
		expect(() => read(preset.choice, 'else')).toThrow(
			expect.objectContaining({ description: 'Use one of these values: private, public.' }),
		);
	});

	test('quotes no more of a wrong value than helps', () => {
		expect(complaintAbout(preset.choice, 'x'.repeat(1_000)).length).toBeLessThan(200);
	});

	test('of several is a list, given as text or not', () => {
		const several = choices(FIELD, OPTIONS);
		for (const value of [['public', 'private'], 'public, private']) expect(read(several, value)).toEqual(['public', 'private']);
		for (const empty of [...EMPTY, []]) expect(read(several, empty)).toEqual([]);
		expect(complaintAbout(several, ['public', 'else'])).toBe('"Some Field" can\'t be "else"');
	});

	test('of yes or no may be in words, or 1 or 0', () => {
		for (const value of [true, 'true', ' TRUE ', 1, '1']) expect(read(preset.toggle, value)).toBe(true);
		for (const value of [false, 'false', 'False', 0, '0']) expect(read(preset.toggle, value)).toBe(false);
		for (const value of ['yes', 2, {}]) expect(complaintAbout(preset.toggle, value)).toBe('"Some Field" must be true or false');
	});

	test('may have parameters of its own, which are read and shown for it alone', () => {
		const parameter = variants(
			{ ...FIELD, default: 'none' },
			{
				none: { name: 'None' },
				url: { name: 'URL', parameters: { address: webAddress({ displayName: 'URL', name: 'url' }) } },
			},
		);
		expect(read(parameter, 'none', { url: 'not read' })).toEqual({ kind: 'none' });
		expect(read(parameter, undefined)).toEqual({ kind: 'none' });
		expect(read(parameter, 'url', { url: 'https://example.com' })).toEqual({ kind: 'url', address: 'https://example.com' });
		expect(complaintAbout(parameter, 'url', { url: 'x' })).toBe('"URL" is not a web address');
		for (const name of ['else', 'constructor', '__proto__']) expect(complaintAbout(parameter, name)).toBe(`"Some Field" can't be "${name}"`);
		expect(parameter.properties.map(({ name, displayOptions }) => [name, displayOptions?.show])).toEqual([
			['someField', undefined],
			['url', { someField: ['url'] }],
		]);
	});
});

describe('a number', () => {
	test('is within its bounds, both included, and may be written as text', () => {
		expect([0, 9, 4.5, '9', ' 1 '].map((value) => read(preset.number, value))).toEqual([0, 9, 4.5, 9, 1]);
		for (const value of [-0.1, 9.1, 'ten', NaN, Infinity, true, [1]]) {
			expect(complaintAbout(preset.number, value)).toBe('"Some Field" must be a number from 0 to 9');
		}
		expect(fieldOf(preset.number).typeOptions).toEqual({ minValue: 0, maxValue: 9 });
	});

	test('that is whole has no fraction', () => {
		const whole = number({ ...FIELD, default: 1 }, { min: 1, max: 100, whole: true });
		expect(read(whole, 100)).toBe(100);
		expect(complaintAbout(whole, 1.5)).toBe('"Some Field" must be a whole number from 1 to 100');
	});

	test('of results is all of them, or at least one', () => {
		expect(read(resultLimit(), true)).toBe(Infinity);
		expect(read(resultLimit(), 'true', { limit: 0 })).toBe(Infinity);
		expect(read(resultLimit(), false)).toBe(50);
		for (const limit of [7, '7']) expect(read(resultLimit(), false, { limit })).toBe(7);
		for (const limit of [0, -1, 1.5, 'many', NaN, Infinity]) {
			expect(complaintAbout(resultLimit(), false, { limit })).toBe('"Limit" must be a whole number of at least 1');
		}
	});
});

describe('what is picked', () => {
	test('is the value that was picked from a list; a plain saved value is read the same', () => {
		for (const value of [located('list', 'high'), ' high ']) expect(read(optional.pickedValue, value)).toBe('high');
		for (const parameter of [optional.pickedValue, optional.locator, optional.pickedTextOrNumber]) {
			for (const empty of EMPTY) expect(read<unknown>(parameter, located('id', empty))).toBeUndefined();
			expect(read<unknown>(parameter, fieldOf(parameter).default)).toBeUndefined();
		}
		expect(read(optional.pickedValue, 7)).toBe('7');
		expect(complaintAbout(optional.pickedValue, { value: 'high' })).toBe('"Some Field" is not text');
	});

	test('may have to be there, with advice of its own', () => {
		const parameter = required(optional.pickedValue, 'Choose one.');
		for (const empty of [...EMPTY, located('list', '')]) {
			expect(() => read(parameter, empty)).toThrow(expect.objectContaining({ message: '"Some Field" is empty', description: 'Choose one.' }));
		}
		expect(read(parameter, located('id', ' t1 '))).toBe('t1');
		expect(fieldOf(parameter).required).toBe(true);
	});

	test.each([
		[located('list', 'p1', { cachedResultName: 'Mutual NDA' }), { id: 'p1', name: 'Mutual NDA' }],
		[located('id', ' p1 '), { id: 'p1' }],
		[located('name', 'NDA'), { name: 'NDA' }],
		['p1', { id: 'p1' }],
	])('%j is known by ID, name or both', (value, expected) => {
		expect(read(optional.locator, value)).toEqual(expected);
	});

	test('by an expression may be something else than what the editor kept the name of', () => {
		const value = located('list', 'p2', { cachedResultName: 'Mutual NDA' });
		expect(read(optional.locator, value, {}, { isExpression: (name) => name === FIELD.name })).toEqual({ id: 'p2' });
	});

	test.each([['2'], [2], ['in_progress'], ['007'], ['"3"'], ['{ "id": 3 }']])('as a status or a priority stays as it is: %j', (value) => {
		expect(read(optional.pickedTextOrNumber, value)).toBe(value);
		expect(read(optional.pickedTextOrNumber, located('list', value))).toBe(value);
	});

	test.each([[{ id: 3 }, 'object'], [true, 'true'], [NaN, 'NaN'], [['a'], 'object']])('as a status or a priority is not %j', (value, quoted) => {
		expect(complaintAbout(optional.pickedTextOrNumber, value)).toBe(`"Some Field" can't be ${quoted}`);
	});

	test('and then emptied by the editor is told from what was never picked', () => {
		const other = locators.pickedValue({ ...LOCATOR, displayName: 'Other Field', name: 'otherField' });
		const emptied = located('list', '', { cachedResultName: '', cachedResultUrl: '' });
		const labelsFor = (someField: unknown, otherField: unknown): string[] =>
			locators.emptiedByEditor({ someField, otherField }, optional.locator, other);
		expect(labelsFor(emptied, located('list', ''))).toEqual(['Some Field']);
		expect(labelsFor(located('id', ''), emptied)).toEqual(['Other Field']);
		expect(labelsFor(located('list', 'p1', { cachedResultName: '' }), '')).toEqual([]);
	});

	test('by an ID that has a form of its own is checked by the editor, which says so of any other', () => {
		const field = fieldOf(locators.pickedValue({ ...FIELD, modes: [locators.byUuid('task', '0b0e…', 'its key')] }));
		const complaintsAbout = (value: string): unknown => {
			const parameters = { someField: { __rl: true, mode: 'id', value } };
			const node: INode = { id: 'n', name: 'N', type: 'n8n-nodes-legal-ai.legalAi', typeVersion: 1.1, position: [0, 0], parameters };
			return NodeHelpers.getNodeParametersIssues([field], node, null)?.parameters?.someField;
		};
		expect(complaintsAbout(' 0b0e1C2d-3f4a-4b5c-8d6e-7f8091a2b3c4 ')).toBeUndefined();
		for (const value of ['t1', '0b0e1c2d3f4a4b5c8d6e7f8091a2b3c4', 'x0b0e1c2d-3f4a-4b5c-8d6e-7f8091a2b3c4']) {
			expect(complaintsAbout(value)).toEqual(["Enter the task's ID, e.g. 0b0e…, not its key."]);
		}
	});
});

describe('a list', () => {
	test('comes from text with commas or from an array', () => {
		for (const parameter of [optional.list, optional.chosenValues, mandatory.list]) {
			expect(read(parameter, 'nda, supplier,,  ')).toEqual(['nda', 'supplier']);
			expect(read(parameter, ['nda', ' EU, UK ', 7, null, ''])).toEqual(['nda', 'EU, UK', '7']);
			expect(read(parameter, '["nda", "EU, UK"]')).toEqual(['nda', 'EU, UK']);
			expect(read(parameter, '[draft], nda')).toEqual(['[draft]', 'nda']);
			expect(complaintAbout(parameter, [{ name: 'nda' }])).toBe('"Some Field" must be a list of words');
		}
		expect(read(optional.list, ', ,')).toBeUndefined();
		expect(read(optional.list, [])).toEqual([]);
		expect(complaintAbout(mandatory.list, [])).toBe('"Some Field" is empty');
	});

	test.each<[unknown, unknown[]]>([
		['[{"type":"task"}]', [{ type: 'task' }]],
		['["0b0e1c2d", 7, null]', ['0b0e1c2d', 7, null]],
		[['0b0e1c2d'], ['0b0e1c2d']],
		['{"type":"task"}', [{ type: 'task' }]],
		[{ type: 'task' }, [{ type: 'task' }]],
		['0b0e1c2d', ['0b0e1c2d']],
		['"0b0e1c2d"', ['0b0e1c2d']],
		[[], []],
	])('of anything is %j', (value, expected) => {
		expect(read(optional.jsonArray, value)).toEqual(expected);
	});

	test.each(['[{]', '{"type":', 5, true])('of anything is not %j', (value) => {
		expect(complaintAbout(optional.jsonArray, value)).toBe('"Some Field" must be a JSON array');
	});
});

describe('several parameters', () => {
	const tags = list({ displayName: 'Tags', name: 'tags' });
	const title = text({ displayName: 'Title', name: 'title' });

	test('behind a button are read from what was added', () => {
		const parameter = collection({ ...FIELD, placeholder: 'Add Field' }, { labels: tags, title });
		expect(read(parameter, { tags: 'a,b', other: 1 })).toEqual({ labels: ['a', 'b'], title: undefined });
		for (const nothing of [{}, undefined, null, 'text', []]) expect(read(parameter, nothing)).toEqual({ labels: undefined, title: undefined });
	});

	test('may be added any number of times', () => {
		const parameter = repeated({ ...FIELD, placeholder: 'Add Entry' }, { displayName: 'Entry', name: 'entry' }, { title });
		expect(read(parameter, { entry: [{ title: 'a' }, 7, { title: 'b' }] })).toEqual([{ title: 'a' }, { title: 'b' }]);
		expect(read(parameter, { entry: { title: 'a' } })).toEqual([{ title: 'a' }]);
		for (const nothing of [{}, undefined, null, 'text', []]) expect(read(parameter, nothing)).toEqual([]);
	});
});

test('a field is shown if all of its conditions are met: later ones are added to earlier ones', () => {
	const field = notForTools(displayedIf({ hide: { mode: ['a'] } }, displayedIf({ show: { kind: ['b'] } }, text(FIELD))));
	expect(fieldOf(field).displayOptions).toEqual({ show: { kind: ['b'] }, hide: { mode: ['a'], '@tool': [true] } });
});

test('a field may be described in other words where the node is a tool', () => {
	const { properties } = describedForTools({ hint: 'Let the model write it' }, text({ ...FIELD, hint: 'Write it' }));
	expect(properties).toMatchObject([
		{ hint: 'Write it', displayOptions: { hide: { '@tool': [true] } } },
		{ hint: 'Let the model write it', displayOptions: { show: { '@tool': [true] } } },
	]);
});
