import { type Field, type Fields, toProperties } from '../../../nodes/LegalAi/fields/field.ts';
import { HIDDEN } from '../../../nodes/LegalAi/fields/read.ts';
import {
	readAddress,
	readAddresses,
	readJsonList,
	readTextOrNumber,
	readWords,
} from '../../../nodes/LegalAi/fields/readers.ts';
import { statuses, tags } from '../../../nodes/LegalAi/resources/task/fields.ts';
import { like } from '../../support/matchers.mts';
import { read } from '../../support/reading.mts';

const EMPTY = ['', '   ', null, undefined];
const displayName = 'Some Field';
const words = (value: unknown, field: Field) => readWords(value, field);
const options = { private: { name: 'Private' }, public: { name: 'Public' } };

const located = (mode: string, value: unknown) => ({ __rl: true, mode, value });

const inner = {
	tags: tags('Labels'),
	title: { displayName: 'Title', type: 'string', default: 'none' },
} satisfies Fields;

const optional = {
	choice: { displayName, type: 'options', default: 'private', options },
	number: { displayName, type: 'number', default: 1, typeOptions: { minValue: 0, maxValue: 9 } },
	toggle: { displayName, type: 'boolean', default: true },
	wholeNumber: {
		displayName,
		type: 'number',
		default: 1,
		typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
	},
	limit: { displayName, type: 'number', default: 5, typeOptions: { minValue: 1 } },
	textWithPreset: { displayName, type: 'string', default: 'none' },
	jsonList: { displayName, type: 'json', read: readJsonList },
	locator: { displayName, type: 'resourceLocator' },
	text: { displayName, type: 'string' },
	textOrNumber: { displayName, type: 'resourceLocator', read: readTextOrNumber },
	words: { displayName, type: 'string', read: words },
} satisfies Fields;

const mandatory = {
	address: { displayName, type: 'string', required: true, read: readAddress },
	addresses: { displayName, type: 'string', required: true, read: readAddresses },
	requiredLocator: { displayName, type: 'resourceLocator', required: true },
	requiredText: { displayName, type: 'string', required: true, default: '={{ $json.id }}' },
	requiredWords: { displayName, type: 'string', required: true, read: words },
} satisfies Fields;

/** Every kind of field. */
const kinds = {
	...optional,
	...mandatory,
	choices: { displayName, type: 'multiOptions', options },
	collection: { displayName, type: 'collection', options: inner },
	fixedCollection: { displayName, type: 'fixedCollection', entry: 'Entry', options: inner },
	listed: { ...statuses('Which'), displayName },
	omitting: { displayName, type: 'collection', omitsEmpty: true, options: inner },
	tags: { ...tags('Labels'), displayName },
} satisfies Fields;
type Kind = keyof typeof kinds;
type Accepted = [kind: Kind, values: unknown[], read: unknown];
type Refused = [kind: Kind, values: unknown[], complaint: string];

test.each(Object.entries<Field>(optional))(
	'%s, left empty, has the default that the editor shows, if any: nothing else is sent',
	(_name, field) => {
		for (const empty of EMPTY) expect(read(field, empty)).toBe(field.default);
	},
);

test.each(Object.entries(mandatory))(
	'%s, left empty, is rejected with the name of its field, unless it is not shown',
	(_name, field) => {
		for (const empty of EMPTY) expect(() => read(field, empty)).toThrow('"Some Field" is empty');
		expect(read(field, HIDDEN)).toBeUndefined();
	},
);

const lists = ['words', 'listed', 'requiredWords', 'tags'] as const;
const nothing = [{}, undefined, null, 'text', []];
const noAddresses = [
	'example.com',
	'https-x://example.com',
	'x-http://example.com',
	'https://',
	'javascript:alert(1)',
	7,
];

test.each<Accepted>([
	['text', [' two\nlines '], 'two\nlines'],
	['text', [7], '7'],
	['textWithPreset', ['other'], 'other'],
	...['https://example.com/a?b=c', 'http://127.0.0.1:1/'].map(
		(url): Accepted => ['address', [url, ` ${url} `], url],
	),
	[
		'addresses',
		['https://a.com/1,2.pdf, https://b.com,http://c.com/?d=1,2 http://d.com,'],
		['https://a.com/1,2.pdf', 'https://b.com', 'http://c.com/?d=1,2', 'http://d.com'],
	],
	[
		'addresses',
		[['https://a.com/1, 2.pdf', ' https://b.com ']],
		['https://a.com/1, 2.pdf', 'https://b.com'],
	],
	['choice', ['public', 'Public', ' PUBLIC '], 'public'],
	['choices', [['public', 'private'], 'public, private'], ['public', 'private']],
	['choices', [...EMPTY, []], []],
	['listed', [...EMPTY, []], []],
	['toggle', [true, 'true', ' TRUE ', 1, '1'], true],
	['toggle', [false, 'false', 'False', 0, '0'], false],
	['number', [0, '0'], 0],
	['number', [9, ' 9 '], 9],
	['number', [4.5, '4.5'], 4.5],
	['wholeNumber', [100], 100],
	['limit', [7, '7'], 7],
	['locator', [located('list', 'high'), ' high ', { mode: 'id', value: 'high' }], 'high'],
	['locator', [7], '7'],
	['locator', EMPTY.map((empty) => located('id', empty)), undefined],
	...['2', 2, 'in_progress', '007', '"3"', '{ "id": 3 }'].map(
		(value): Accepted => ['textOrNumber', [value, located('list', value)], value],
	),
	...lists.flatMap((kind): Accepted[] => [
		[kind, ['nda, supplier,,  '], ['nda', 'supplier']],
		[kind, [['nda', ' EU, UK ', 7, null, '']], ['nda', 'EU, UK', '7']],
		[kind, ['["nda", "EU, UK"]'], ['nda', 'EU, UK']],
		[kind, ['[draft], nda'], ['[draft]', 'nda']],
		[kind, [7], ['7']],
	]),
	// An empty list empties the tags of a task; text without a word does not.
	['tags', [', ,', ''], undefined],
	['tags', [[]], []],
	['jsonList', ['[{"type":"task"}]', '{"type":"task"}', { type: 'task' }], [{ type: 'task' }]],
	['jsonList', ['["0b0e1c2d", 7, null]'], ['0b0e1c2d', 7, null]],
	['jsonList', [['0b0e1c2d'], '0b0e1c2d', '"0b0e1c2d"', ' ["0b0e1c2d"]'], ['0b0e1c2d']],
	['jsonList', ['see [1]'], ['see [1]']],
	['jsonList', [[]], []],
	['collection', [{ tags: 'a,b', other: 1 }], { tags: ['a', 'b'], title: 'none' }],
	['collection', nothing, { tags: undefined, title: 'none' }],
	['omitting', [{ tags: 'a', title: '' }, { tags: 'a' }], { tags: ['a'], title: undefined }],
	['omitting', [{ title: 'b' }], { tags: undefined, title: 'b' }],
	[
		'fixedCollection',
		[{ entry: [{ title: 'a' }, 7, { title: '' }] }],
		[{ title: 'a' }, { title: 'none' }],
	],
	['fixedCollection', [{ entry: { title: 'a' } }], [{ title: 'a' }]],
	['fixedCollection', nothing, []],
])('%s is read from any of %j as %j', (kind, values, expected) => {
	for (const value of values) expect(read(kinds[kind], value)).toEqual(expected);
});

test.each<Refused>([
	['text', [{ a: 1 }, ['a'], true, { value: 'a' }, Symbol('a'), { toString: null }], 'is not text'],
	['address', noAddresses, 'is not a web address'],
	['addresses', noAddresses, 'is not a web address'],
	['choice', ['else'], 'can\'t be "else"'],
	['choice', ['constructor'], 'can\'t be "constructor"'],
	['choice', [1], 'can\'t be "1"'],
	['choice', [['public']], 'can\'t be "an object or a list"'],
	['choice', ['x'.repeat(1_000)], `can't be "${'x'.repeat(40)}"`],
	['choices', [['public', 'else']], 'can\'t be "else"'],
	['toggle', ['yes', 2, {}], 'must be true or false'],
	['number', [-0.1, 9.1, 'ten', NaN, Infinity, true, [1]], 'must be a number from 0 to 9'],
	['wholeNumber', [1.5], 'must be a whole number from 1 to 100'],
	['limit', [0, 'many'], 'must be a number of at least 1'],
	['locator', [{ value: 'high' }], 'is not text'],
	['textOrNumber', [{ id: 3 }, ['a'], true], 'is not text'],
	...lists.map((kind): Refused => [kind, [[{ name: 'nda' }], true], 'must be a list of words']),
	['requiredWords', [[], ', ,'], 'is empty'],
	['jsonList', ['[{]', '{"type":', 5, true], 'must be a JSON array'],
])('%s given as any of %j gets the message that the field %s', (kind, values, complaint) => {
	for (const value of values)
		expect(() => read(kinds[kind], value)).toThrow(`"Some Field" ${complaint}`);
});

test('the error of an invalid choice lists the valid ones, and that of an empty field may have its own advice', () => {
	expect(() => read(kinds.choice, 'else')).toThrow(
		like({ description: 'Use one of these values: private, public.' }),
	);
	const field = { ...kinds.requiredText, advice: 'Enter one.' };
	expect(() => read(field, '')).toThrow(like({ description: 'Enter one.' }));
});

test('in the editor, a fixed collection takes several entries, in any order, each with the optional fields that were added', () => {
	const { text, fixedCollection } = kinds;
	const [single, several] = toProperties({ text, fixedCollection });
	const typeOptions = { multipleValues: true, sortable: true, hideOptionalFields: true };
	expect(several).toMatchObject({ typeOptions });
	expect(single).not.toHaveProperty('typeOptions');
});

test('the editor lists the fields of a collection by their labels', () => {
	const { title, tags } = inner;
	expect(
		toProperties({ someField: { ...kinds.collection, options: { title, tags } } }),
	).toMatchObject([{ options: [{ name: 'tags' }, { name: 'title' }] }]);
});
