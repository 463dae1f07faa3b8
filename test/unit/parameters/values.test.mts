import fc from 'fast-check';
import { NodeHelpers, type INode } from 'n8n-workflow';

import { InvalidInputError } from '../../../nodes/LegalAi/messages/template.ts';
import {
	allFiles,
	binaryFields,
	binaryFieldsIfAny,
} from '../../../nodes/LegalAi/parameters/binaryFields.ts';
import { choice, choices, toggle, variants } from '../../../nodes/LegalAi/parameters/choice.ts';
import { collection, repeated } from '../../../nodes/LegalAi/parameters/collection.ts';
import { dateTime } from '../../../nodes/LegalAi/parameters/dateTime.ts';
import * as locators from '../../../nodes/LegalAi/parameters/locator.ts';
import { number, resultLimit } from '../../../nodes/LegalAi/parameters/number.ts';
import {
	displayedIf,
	ifSet,
	notForTools,
	type Parameter,
	required,
	withDefault,
} from '../../../nodes/LegalAi/parameters/parameter.ts';
import {
	chosenValues,
	jsonArray,
	list,
	webAddresses,
	text,
	textIfAdded,
	webAddress,
} from '../../../nodes/LegalAi/parameters/text.ts';
import { complaintAbout, FIELD, fieldOf, ITEM, read } from '../../support/reading.mts';
import { like } from '../../support/matchers.mts';

const OPTIONS = { private: { name: 'Private' }, public: { name: 'Public' } };
const LOCATOR = {
	modes: [
		locators.fromList('searchTasks'),
		locators.by('ID', 'e.g. 1'),
		locators.by('Name', 'e.g. NDA'),
	],
};
const EMPTY = ['', '   ', null, undefined];

const located = (mode: string, value: unknown, more: object = {}) => ({
	__rl: true,
	mode,
	value,
	...more,
});

const title = text('title', 'Title');

const preset = {
	choice: choice(...FIELD, { default: 'private' }, OPTIONS),
	number: number(...FIELD, { default: 1 }, { min: 0, max: 9 }),
	toggle: toggle(...FIELD, { default: true }),
	wholeNumber: number(...FIELD, { default: 1 }, { min: 1, max: 100, whole: true }),
	withDefault: withDefault(text(...FIELD, { default: 'none' }), 'none'),
};

const optional = {
	chosenValues: chosenValues(...FIELD, {}, 'getStatuses'),
	ifSet: ifSet(preset.toggle),
	jsonArray: jsonArray(...FIELD),
	list: list(...FIELD),
	locator: locators.locator(...FIELD, LOCATOR),
	pickedTextOrNumber: locators.pickedTextOrNumber(...FIELD, LOCATOR),
	pickedValue: locators.pickedValue(...FIELD, LOCATOR),
	text: text(...FIELD),
};

const mandatory = {
	requiredList: required(list(...FIELD)),
	requiredText: required(text(...FIELD)),
	webAddress: webAddress(...FIELD),
	webAddresses: webAddresses(...FIELD),
};

/** Every kind of parameter. */
const kinds = {
	...preset,
	...optional,
	...mandatory,
	allFiles,
	binaryFields,
	binaryFieldsIfAny,
	choices: choices(...FIELD, {}, OPTIONS),
	collection: collection(
		...FIELD,
		{ placeholder: 'Add Field' },
		{ labels: list('tags', 'Tags'), title },
	),
	dateTime: dateTime(...FIELD, { description: 'When' }, 'end'),
	repeated: repeated(
		...FIELD,
		{ placeholder: 'Add Entry' },
		{ displayName: 'Entry', name: 'entry' },
		{ title },
	),
	resultLimit: resultLimit(),
	textIfAdded: textIfAdded(...FIELD),
	variants: variants(
		...FIELD,
		{ default: 'none' },
		{
			none: { name: 'None' },
			url: { name: 'URL', parameters: { address: webAddress('url', 'URL') } },
		},
	),
} satisfies Record<string, Parameter<unknown>>;
type Kind = keyof typeof kinds;
type Accepted = [kind: Kind, values: unknown[], read: unknown];
type Refused = [kind: Kind, values: unknown[], complaint: string];

test.each(Object.entries(preset))(
	'%s, left empty, has the default that the editor shows',
	(_name, parameter) => {
		for (const empty of EMPTY)
			expect(read<unknown>(parameter, empty)).toBe(fieldOf(parameter).default);
	},
);

test.each(Object.entries(optional))(
	'%s, left empty, has no value, so that nothing is sent',
	(_name, parameter) => {
		for (const empty of EMPTY) expect(read<unknown>(parameter, empty)).toBeUndefined();
	},
);

test.each(Object.entries(mandatory))(
	'%s, left empty, is rejected with the name of its field',
	(_name, parameter) => {
		for (const empty of EMPTY)
			expect(complaintAbout(parameter, empty)).toBe('"Some Field" is empty');
		expect(fieldOf(parameter).required).toBe(true);
	},
);

const lists = ['list', 'chosenValues', 'requiredList'] as const;
const nothing = [{}, undefined, null, 'text', []];
const noAddresses = ['example.com', 'ftp://example.com', 'https://', 'javascript:alert(1)', 7];

test.each<Accepted>([
	['text', [' two\nlines '], 'two\nlines'],
	['text', [7], '7'],
	['textIfAdded', [' s1 '], 's1'],
	['textIfAdded', ['', '   ', null], null],
	['textIfAdded', [undefined], undefined],
	['withDefault', ['other'], 'other'],
	...['https://example.com/a?b=c', 'http://127.0.0.1:1/'].map(
		(url): Accepted => ['webAddress', [url, ` ${url} `], url],
	),
	['webAddresses', ['https://example.com/a.pdf'], ['https://example.com/a.pdf']],
	[
		'webAddresses',
		['https://a.com/1,2.pdf, https://b.com,http://c.com/?d=1,2'],
		['https://a.com/1,2.pdf', 'https://b.com', 'http://c.com/?d=1,2'],
	],
	[
		'webAddresses',
		['https://a.com https://b.com\n https://c.com'],
		['https://a.com', 'https://b.com', 'https://c.com'],
	],
	[
		'webAddresses',
		[['https://a.com/1, 2.pdf', ' https://b.com ']],
		['https://a.com/1, 2.pdf', 'https://b.com'],
	],
	['choice', ['public', 'Public', ' PUBLIC '], 'public'],
	['choices', [['public', 'private'], 'public, private'], ['public', 'private']],
	['choices', [...EMPTY, []], []],
	['toggle', [true, 'true', ' TRUE ', 1, '1'], true],
	['toggle', [false, 'false', 'False', 0, '0'], false],
	['ifSet', [true], true],
	['ifSet', [false], false],
	['number', [0, '0'], 0],
	['number', [9, ' 9 '], 9],
	['number', [4.5, '4.5'], 4.5],
	['wholeNumber', [100], 100],
	['pickedValue', [located('list', 'high'), ' high '], 'high'],
	['pickedValue', [7], '7'],
	[
		'locator',
		[located('list', 'p1', { cachedResultName: 'Mutual NDA' })],
		{ id: 'p1', name: 'Mutual NDA' },
	],
	['locator', [located('id', ' p1 '), 'p1'], { id: 'p1' }],
	['locator', [located('name', 'NDA')], { name: 'NDA' }],
	...['2', 2, 'in_progress', '007', '"3"', '{ "id": 3 }'].map(
		(value): Accepted => ['pickedTextOrNumber', [value, located('list', value)], value],
	),
	...lists.flatMap((kind): Accepted[] => [
		[kind, ['nda, supplier,,  '], ['nda', 'supplier']],
		[kind, [['nda', ' EU, UK ', 7, null, '']], ['nda', 'EU, UK', '7']],
		[kind, ['["nda", "EU, UK"]'], ['nda', 'EU, UK']],
		[kind, ['[draft], nda'], ['[draft]', 'nda']],
	]),
	['list', [', ,'], undefined],
	['list', [[]], []],
	['jsonArray', ['[{"type":"task"}]', '{"type":"task"}', { type: 'task' }], [{ type: 'task' }]],
	['jsonArray', ['["0b0e1c2d", 7, null]'], ['0b0e1c2d', 7, null]],
	['jsonArray', [['0b0e1c2d'], '0b0e1c2d', '"0b0e1c2d"'], ['0b0e1c2d']],
	['jsonArray', [[]], []],
	['collection', [{ tags: 'a,b', other: 1 }], { labels: ['a', 'b'], title: undefined }],
	['collection', nothing, { labels: undefined, title: undefined }],
	['repeated', [{ entry: [{ title: 'a' }, 7, { title: 'b' }] }], [{ title: 'a' }, { title: 'b' }]],
	['repeated', [{ entry: { title: 'a' } }], [{ title: 'a' }]],
	['repeated', nothing, []],
])('%s is read from any of %j as %j', (kind, values, expected) => {
	for (const value of values) expect(read<unknown>(kinds[kind], value)).toEqual(expected);
});

test.each<Refused>([
	['text', [{ a: 1 }, ['a'], true], 'is not text'],
	['webAddress', noAddresses, 'is not a web address'],
	['webAddresses', noAddresses, 'is not a web address'],
	['choice', ['else'], 'can\'t be "else"'],
	['choice', [1], 'can\'t be "1"'],
	['choice', [['public']], 'can\'t be "object"'],
	['choice', ['x'.repeat(1_000)], `can't be "${'x'.repeat(40)}"`],
	['choices', [['public', 'else']], 'can\'t be "else"'],
	['toggle', ['yes', 2, {}], 'must be true or false'],
	['number', [-0.1, 9.1, 'ten', NaN, Infinity, true, [1]], 'must be a number from 0 to 9'],
	['wholeNumber', [1.5], 'must be a whole number from 1 to 100'],
	['pickedValue', [{ value: 'high' }], 'is not text'],
	['pickedTextOrNumber', [{ id: 3 }, ['a']], "can't be object"],
	['pickedTextOrNumber', [true], "can't be true"],
	['pickedTextOrNumber', [NaN], "can't be NaN"],
	...lists.map((kind): Refused => [kind, [[{ name: 'nda' }]], 'must be a list of words']),
	['requiredList', [[]], 'is empty'],
	['jsonArray', ['[{]', '{"type":', 5, true], 'must be a JSON array'],
])('%s given as any of %j gets the message that the field %s', (kind, values, complaint) => {
	for (const value of values)
		expect(complaintAbout(kinds[kind], value)).toBe(`"Some Field" ${complaint}`);
});

test('the error of an invalid choice lists the valid ones', () => {
	expect(() => read(kinds.choice, 'else')).toThrow(
		like({ description: 'Use one of these values: private, public.' }),
	);
});

test('a number has its bounds in the editor, too', () => {
	expect(fieldOf(kinds.number).typeOptions).toEqual({ minValue: 0, maxValue: 9 });
});

test('a limit of results is at least one, or there is no limit', () => {
	expect(read(resultLimit(), true)).toBe(Infinity);
	expect(read(resultLimit(), 'true', { limit: 0 })).toBe(Infinity);
	expect(read(resultLimit(), false)).toBe(50);
	for (const limit of [7, '7']) expect(read(resultLimit(), false, { limit })).toBe(7);
	for (const limit of [0, -1, 1.5, 'many', NaN, Infinity]) {
		expect(complaintAbout(resultLimit(), false, { limit })).toBe(
			'"Limit" must be a whole number of at least 1',
		);
	}
});

test('a choice may have parameters of its own, which are read and shown for it alone', () => {
	const { variants: parameter } = kinds;
	expect(read(parameter, 'none', { url: 'not read' })).toEqual({ kind: 'none' });
	expect(read(parameter, undefined)).toEqual({ kind: 'none' });
	expect(read(parameter, 'url', { url: 'https://example.com' })).toEqual({
		kind: 'url',
		address: 'https://example.com',
	});
	expect(complaintAbout(parameter, 'url', { url: 'x' })).toBe('"URL" is not a web address');
	for (const name of ['else', 'constructor', '__proto__'])
		expect(complaintAbout(parameter, name)).toBe(`"Some Field" can't be "${name}"`);
	expect(
		parameter.properties.map(({ name, displayOptions }) => [name, displayOptions?.show]),
	).toEqual([
		['someField', undefined],
		['url', { someField: ['url'] }],
	]);
});

describe('what is picked from a list', () => {
	test.each(['pickedValue', 'locator', 'pickedTextOrNumber'] as const)(
		'is nothing if nothing is picked: %s',
		(kind) => {
			for (const empty of EMPTY)
				expect(read<unknown>(kinds[kind], located('id', empty))).toBeUndefined();
			expect(read<unknown>(kinds[kind], fieldOf(kinds[kind]).default)).toBeUndefined();
		},
	);

	test('can be required, with its own advice', () => {
		const parameter = required(kinds.pickedValue, 'Choose one.');
		for (const empty of [...EMPTY, located('list', '')]) {
			expect(() => read(parameter, empty)).toThrow(
				like({ message: '"Some Field" is empty', description: 'Choose one.' }),
			);
		}
		expect(read(parameter, located('id', ' t1 '))).toBe('t1');
		expect(fieldOf(parameter).required).toBe(true);
	});

	test('loses the name that the editor kept if an expression gives the value', () => {
		const value = located('list', 'p2', { cachedResultName: 'Mutual NDA' });
		expect(read(kinds.locator, value, {}, { isExpression: (name) => name === FIELD[0] })).toEqual({
			id: 'p2',
		});
	});

	test('and then emptied by the editor is distinguished from what was never picked', () => {
		const other = locators.pickedValue('otherField', 'Other Field', LOCATOR);
		const emptied = located('list', '', { cachedResultName: '', cachedResultUrl: '' });
		const labelsFor = (someField: unknown, otherField: unknown) =>
			locators.emptiedByEditor({ someField, otherField }, kinds.locator, other);
		expect(labelsFor(emptied, located('list', ''))).toEqual(['Some Field']);
		expect(labelsFor(located('id', ''), emptied)).toEqual(['Other Field']);
		expect(labelsFor(located('list', 'p1', { cachedResultName: '' }), '')).toEqual([]);
	});

	test('by an ID with a fixed format is checked by the editor, which rejects any other ID', () => {
		const field = fieldOf(
			locators.pickedValue(...FIELD, { modes: [locators.byUuid('task', '0b0e…', 'its key')] }),
		);
		const complaintsAbout = (value: string) => {
			const parameters = { someField: { __rl: true, mode: 'id', value } };
			const node: INode = {
				id: 'n',
				name: 'N',
				type: 'n8n-nodes-legal-ai.legalAi',
				typeVersion: 1.1,
				position: [0, 0],
				parameters,
			};
			return NodeHelpers.getNodeParametersIssues([field], node, null)?.parameters?.someField;
		};
		expect(complaintsAbout(' 0b0e1C2d-3f4a-4b5c-8d6e-7f8091a2b3c4 ')).toBeUndefined();
		for (const value of [
			't1',
			'0b0e1c2d3f4a4b5c8d6e7f8091a2b3c4',
			'x0b0e1c2d-3f4a-4b5c-8d6e-7f8091a2b3c4',
		]) {
			expect(complaintsAbout(value)).toEqual(["Enter the task's ID, e.g. 0b0e…, not its key."]);
		}
	});
});

test('a field is shown if all of its conditions are met: later ones are added to earlier ones', () => {
	const field = notForTools(
		displayedIf({ hide: { mode: ['a'] } }, displayedIf({ show: { kind: ['b'] } }, text(...FIELD))),
	);
	expect(fieldOf(field).displayOptions).toEqual({
		show: { kind: ['b'] },
		hide: { mode: ['a'], '@tool': [true] },
	});
});

const circle: Record<string, unknown> = {};
circle.itself = circle;

const fails = (): never => {
	throw new TypeError('no JSON, no text');
};

const oddities = fc.constantFrom<unknown>(
	...[
		Symbol('x'),
		() => 1,
		10n,
		-0,
		NaN,
		Infinity,
		'1e400',
		'0x10',
		'\u0000',
		'\ud800',
		'__proto__',
		'constructor',
	],
	...[
		Object.create(null),
		{ toString: null },
		{ valueOf: () => ({}), toString: () => ({}) },
		{ toString: () => 'public' },
		circle,
	],
	...[
		{ toJSON: 7 },
		{ toJSON: () => circle },
		{ toJSON: () => 10n },
		new Date(NaN),
		/x/,
		new Error('x'),
		new Proxy({}, {}),
	],
	...[{ toJSON: fails }, { toString: fails }],
	...[
		'one',
		'two',
		'private',
		'true',
		'[{"a":1}]',
		'[[]]',
		'2026-02-29',
		'2026-07-15T12:00',
		'2026-07-15',
		'1784109600000',
	],
	...[
		'https://example.com',
		'data',
		'7',
		'\u00a0',
		' , ',
		'a, b',
		'http://',
		'javascript:x',
		'0000-01-01',
	],
	'9999-12-31T23:59-23:59',
);

const builtIns = {
	withBigInt: true,
	withBoxedValues: true,
	withDate: true,
	withMap: true,
	withSet: true,
	withTypedArray: true,
};
const anything = fc.oneof(
	fc.anything({
		...builtIns,
		withNullPrototype: true,
		withObjectString: true,
		withSparseArray: true,
	}),
	oddities,
	fc.array(oddities, { maxLength: 3 }),
);

const anyValue = fc.oneof(
	anything,
	fc.record({
		__rl: fc.constant(true),
		mode: anything,
		value: anything,
		cachedResultName: anything,
	}),
	fc.record({ someField: anything }),
	fc.record({ someField: fc.array(fc.record({ someField: anything })) }),
);

test.each(Object.entries(kinds))(
	'%s: any value at all is read, or the field is named with what to do',
	(_name, parameter) => {
		const files = { data: { data: '', mimeType: 'application/pdf' } };
		fc.assert(
			fc.property(anyValue, anyValue, (first, others) => {
				try {
					parameter.read((name) => (name === parameter.properties[0]?.name ? first : others), {
						...ITEM,
						files,
					});
				} catch (error) {
					if (!(error instanceof InvalidInputError)) throw error;
					expect(error.message).toMatch(/^"(Some Field|Limit|Return All)"|binary field/i);
					expect(error.message).not.toContain('[object');
					expect(error.description).toMatch(/^[A-Z].*\.$/s);
				}
			}),
			{ numRuns: 1_000 },
		);
	},
);
