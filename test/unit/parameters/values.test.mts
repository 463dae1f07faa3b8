import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { choice, choices, toggle, variants } from '../../../nodes/LegalAi/parameters/choice.ts';
import { collection, repeated } from '../../../nodes/LegalAi/parameters/collection.ts';
import { dateTime } from '../../../nodes/LegalAi/parameters/dateTime.ts';
import { commaSeparated, jsonObjects, list } from '../../../nodes/LegalAi/parameters/list.ts';
import { byId, fromList, locator, pickedValue, requiredPick } from '../../../nodes/LegalAi/parameters/locator.ts';
import { number, resultLimit } from '../../../nodes/LegalAi/parameters/number.ts';
import { converted, group, withDefault } from '../../../nodes/LegalAi/parameters/parameter.ts';
import { requiredWord, text, webAddress, word, wordIfAny } from '../../../nodes/LegalAi/parameters/text.ts';
import { complaintAbout, FIELD, fieldOf, ITEM, read } from './reading.mts';

const OPTIONS = [
	{ name: 'Private', value: 'private' },
	{ name: 'Public', value: 'public' },
] as const;
const LOCATOR = { ...FIELD, modes: [fromList('searchTasks'), byId('e.g. 1')] };
const EMPTY = ['', '   ', null, undefined];

const optional = {
	choice: choice(FIELD, OPTIONS),
	commaSeparated: commaSeparated(FIELD),
	dateTime: dateTime({ ...FIELD, description: 'When' }, 'end'),
	jsonObjects: jsonObjects(FIELD),
	list: list(FIELD),
	locator: locator(LOCATOR),
	number: number({ ...FIELD, default: 1 }, { min: 0, max: 9 }),
	pickedValue: pickedValue(LOCATOR),
	text: text(FIELD),
	toggle: toggle({ ...FIELD, default: false }),
	word: word(FIELD),
};

test.each(Object.entries(optional))('%s: left empty has no value, so that nothing is sent', (_name, parameter) => {
	for (const empty of EMPTY) expect(read<unknown>(parameter, empty)).toBeUndefined();
});

test.each(Object.entries({ requiredWord: requiredWord(FIELD), webAddress: webAddress(FIELD) }))(
	'%s: left empty is asked for by its name',
	(_name, parameter) => {
		for (const empty of EMPTY) expect(complaintAbout(parameter, empty)).toBe('"Some Field" is empty');
		expect(fieldOf(parameter).required).toBe(true);
	},
);

test('a required pick says in its own words what is missing', () => {
	const parameter = requiredPick(LOCATOR, { message: '"Task" is empty', description: 'Choose one.' });
	for (const empty of [...EMPTY, { __rl: true, mode: 'list', value: '' }]) {
		expect(complaintAbout(parameter, empty)).toBe('"Task" is empty');
	}
	expect(read(parameter, { __rl: true, mode: 'id', value: ' t1 ' })).toBe('t1');
	expect(fieldOf(parameter).required).toBe(true);
});

describe('text', () => {
	test('stays as it was entered; a word loses the blanks around it', () => {
		expect(read(text(FIELD), ' two\nlines ')).toBe(' two\nlines ');
		expect(read(word(FIELD), ' high ')).toBe('high');
		expect(read(requiredWord(FIELD), ' high ')).toBe('high');
		expect(read(text(FIELD), 7)).toBe('7');
	});

	test('of a field that was added without a value is null; of one that was not added there is none', () => {
		expect(read(wordIfAny(FIELD), undefined)).toBeUndefined();
		for (const empty of ['', '   ', null]) expect(read(wordIfAny(FIELD), empty)).toBeNull();
		expect(read(wordIfAny(FIELD), ' s1 ')).toBe('s1');
	});

	test('is no list, object or truth', () => {
		for (const value of [{ a: 1 }, ['a'], true]) {
			expect(complaintAbout(text(FIELD), value)).toBe('"Some Field" is not text');
		}
	});

	test.each(['https://example.com/a?b=c', 'http://127.0.0.1:1/', ' https://example.com '])('%j is a web address', (value) => {
		expect(read(webAddress(FIELD), value)).toBe(value.trim());
	});

	test.each(['example.com', 'ftp://example.com', 'https://', 'javascript:alert(1)', 7])('%j is no web address', (value) => {
		expect(complaintAbout(webAddress(FIELD), value)).toBe('"Some Field" is not a web address');
	});
});

describe('a choice', () => {
	test('is one of its options, by value', () => {
		expect(read(optional.choice, 'public')).toBe('public');
		for (const value of ['Public', 'else', 1, ['public']]) {
			expect(complaintAbout(optional.choice, value)).toMatch(/^"Some Field" can't be "/);
		}
	});

	test('that is none of its options says which they are', () => {
		const others: unknown = expect.objectContaining({ description: 'Use one of these values: private, public.' });
		expect(() => read(optional.choice, 'else')).toThrow(others);
	});

	test('quotes no more of a wrong value than helps', () => {
		expect(complaintAbout(optional.choice, 'x'.repeat(1_000)).length).toBeLessThan(200);
	});

	test('of several is a list, given as text or not', () => {
		const several = choices(FIELD, OPTIONS);
		expect(read(several, ['public', 'private'])).toEqual(['public', 'private']);
		expect(read(several, 'public, private')).toEqual(['public', 'private']);
		for (const empty of [...EMPTY, []]) expect(read(several, empty)).toEqual([]);
		expect(complaintAbout(several, ['public', 'else'])).toBe('"Some Field" can\'t be "else"');
	});

	test('of yes or no may be in words', () => {
		expect([true, 'true', false, 'false'].map((value) => read(optional.toggle, value))).toEqual([true, true, false, false]);
		for (const value of ['yes', 1, {}]) expect(complaintAbout(optional.toggle, value)).toBe('"Some Field" must be true or false');
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
		expect(complaintAbout(parameter, 'else')).toBe('"Some Field" can\'t be "else"');
		expect(parameter.properties.map(({ name, displayOptions }) => [name, displayOptions?.show])).toEqual([
			['someField', undefined],
			['url', { someField: ['url'] }],
		]);
	});

	test('named like what every object has is none', () => {
		const parameter = variants({ ...FIELD, default: 'none' }, { none: { name: 'None' } });
		for (const name of ['constructor', '__proto__', 'toString']) {
			expect(complaintAbout(parameter, name)).toBe(`"Some Field" can't be "${name}"`);
		}
	});
});

describe('a number', () => {
	test('is within its bounds, both included, and may be written as text', () => {
		expect([0, 9, 4.5, '9', ' 1 '].map((value) => read(optional.number, value))).toEqual([0, 9, 4.5, 9, 1]);
		for (const value of [-0.1, 9.1, 'ten', NaN, Infinity, true, [1]]) {
			expect(complaintAbout(optional.number, value)).toBe('"Some Field" must be a number from 0 to 9');
		}
	});

	test('that is whole has no fraction', () => {
		const whole = number({ ...FIELD, default: 1 }, { min: 1, max: 100, whole: true });
		expect(read(whole, 100)).toBe(100);
		expect(complaintAbout(whole, 1.5)).toBe('"Some Field" must be a whole number from 1 to 100');
	});

	test('of results is all of them, or at least one', () => {
		expect(read(resultLimit(), true)).toBe(Infinity);
		expect(read(resultLimit(), 'true', { limit: 0 })).toBe(Infinity);
		expect(read(resultLimit(), false, { limit: 7 })).toBe(7);
		expect(read(resultLimit(), false, { limit: '7' })).toBe(7);
		for (const limit of [0, -1, 1.5, 'many', undefined, NaN, Infinity]) {
			expect(complaintAbout(resultLimit(), false, { limit })).toBe('"Limit" must be a whole number of at least 1');
		}
	});
});

describe('what is picked', () => {
	test('is the value that was picked from a list; a plain saved value is read the same', () => {
		expect(read(optional.pickedValue, { __rl: true, mode: 'list', value: 'high' })).toBe('high');
		expect(read(optional.pickedValue, { __rl: true, mode: 'value', value: '' })).toBeUndefined();
		expect(read(optional.pickedValue, ' high ')).toBe('high');
		expect(read(optional.pickedValue, 7)).toBe('7');
		expect(complaintAbout(optional.pickedValue, { value: 'high' })).toBe('"Some Field" is not text');
	});

	test('brings along how it was picked, and what it is called', () => {
		const picked = { __rl: true, mode: 'list', value: 'p1', cachedResultName: 'Mutual NDA' };
		expect(read(optional.locator, picked)).toEqual({ value: 'p1', mode: 'list', name: 'Mutual NDA' });
		expect(read(optional.locator, { __rl: true, mode: 'name', value: 'NDA' })).toEqual({ value: 'NDA', mode: 'name', name: undefined });
		expect(read(optional.locator, 'p1')).toEqual({ value: 'p1', mode: 'id', name: undefined });
	});
});

describe('a list', () => {
	test('comes from text with commas or from an array', () => {
		expect(read(optional.list, 'nda, supplier,,  ')).toEqual(['nda', 'supplier']);
		expect(read(optional.list, ['nda', ' EU, UK ', 7])).toEqual(['nda', 'EU, UK', '7']);
		expect(read(optional.list, ', ,')).toBeUndefined();
		expect(read(optional.list, [])).toEqual([]);
		expect(complaintAbout(optional.list, [{ name: 'nda' }])).toBe('"Some Field" must be a list of words');
	});

	test('is written with commas if the API takes it so', () => {
		expect(read(optional.commaSeparated, ['a', 'b'])).toBe('a,b');
		expect(read(optional.commaSeparated, ' a , b,')).toBe('a,b');
		expect(read(optional.commaSeparated, [])).toBeUndefined();
	});

	test('of any words comes back as it was, as text and as an array', () => {
		const tag = fc.string({ minLength: 1 }).filter((each) => each.trim() === each && !each.includes(','));
		fc.assert(
			fc.property(fc.array(tag, { minLength: 1 }), (tags) => {
				expect(read(optional.list, tags.join(' , '))).toEqual(tags);
				expect(read(optional.list, tags)).toEqual(tags);
			}),
		);
	});

	test('of objects is an array, as JSON text or not', () => {
		expect(read(optional.jsonObjects, '[{"type":"task"}]')).toEqual([{ type: 'task' }]);
		expect(read(optional.jsonObjects, [{ type: 'task' }])).toEqual([{ type: 'task' }]);
		for (const value of ['{"type":"task"}', '[1]', '[{]', [null], 5]) {
			expect(complaintAbout(optional.jsonObjects, value)).toBe('"Some Field" must be a JSON array of objects');
		}
	});
});

test('dates come from text, from JavaScript and from whatever has a JSON form of its own', () => {
	expect(read(optional.dateTime, '2026-07-15T12:00:00')).toBe('2026-07-15T10:00:00.000Z');
	expect(read(optional.dateTime, new Date(0))).toBe('1970-01-01T00:00:00.000Z');
	expect(read(optional.dateTime, { toJSON: () => '2026-07-15T12:00:00.000+05:45' })).toBe('2026-07-15T06:15:00.000Z');
	expect(complaintAbout(optional.dateTime, 'soon')).toBe('"Some Field" is not a date: soon');
	for (const value of [new Date(NaN), {}, [], { toJSON: 7 }]) {
		expect(complaintAbout(optional.dateTime, value)).toBe('"Some Field" is not a date: object');
	}
});

describe('a date', () => {
	test('without a time is the beginning or the end of the day, and the field says which', () => {
		const from = dateTime({ ...FIELD, description: 'When' }, 'start');
		expect(read(from, '2026-07-15')).toBe('2026-07-14T22:00:00.000Z');
		expect(read(optional.dateTime, '2026-07-15')).toBe('2026-07-15T21:59:59.999Z');
		expect(fieldOf(from).description).toMatch(/^When\. A date alone means the start of that day\. .*time zone of the workflow/);
		expect(fieldOf(optional.dateTime).description).toMatch(/A date alone means the end of that day/);
	});

	test('may be that of an email, or milliseconds since 1970', () => {
		expect(read(optional.dateTime, 'Wed, 15 Jul 2026 12:00:00 +0200 (CEST)')).toBe('2026-07-15T10:00:00.000Z');
		for (const value of [1784109600000, '1784109600000', ' 1784109600000 ']) {
			expect(read(optional.dateTime, value)).toBe('2026-07-15T10:00:00.000Z');
		}
	});

	test.each([
		...['wait 40', '40', 40, 2026, '2026', '20260715', '202607151000', '20260715100000', 1784109600, '1784109600', 1784109600000.5],
		...['2026-02-30', 'Thu, 15 Jul 2026 12:00:00 +0200', '15 Jul 2026', '07/15/2026', -1784109600000, NaN, true],
	])('is not made of %j', (value) => {
		expect(complaintAbout(optional.dateTime, value)).toBe(`"Some Field" is not a date: ${String(value)}`);
	});
});

describe('several parameters', () => {
	const tags = list({ displayName: 'Tags', name: 'tags' });
	const title = text({ displayName: 'Title', name: 'title' });

	test('behind a button are read from what was added', () => {
		const parameter = collection({ ...FIELD, placeholder: 'Add Field' }, { labels: tags, title });
		expect(read(parameter, { tags: 'a,b', other: 1 })).toEqual({ labels: ['a', 'b'], title: undefined });
		for (const nothing of [{}, undefined, null, 'text', []]) {
			expect(read(parameter, nothing)).toEqual({ labels: undefined, title: undefined });
		}
		expect(fieldOf(parameter)).toMatchObject({ type: 'collection', default: {}, options: [{ name: 'tags' }, { name: 'title' }] });
	});

	test('may be added any number of times', () => {
		const parameter = repeated({ ...FIELD, placeholder: 'Add Entry' }, { displayName: 'Entry', name: 'entry' }, { title });
		expect(read(parameter, { entry: [{ title: 'a' }, 7, { title: 'b' }] })).toEqual([{ title: 'a' }, { title: 'b' }]);
		expect(read(parameter, { entry: { title: 'a' } })).toEqual([{ title: 'a' }]);
		for (const nothing of [{}, undefined, null, 'text', []]) expect(read(parameter, nothing)).toEqual([]);
	});

	test('may be one, with the fields of all', () => {
		const parameter = group({ title, labels: tags });
		expect(parameter.properties.map(({ name }) => name)).toEqual(['title', 'tags']);
		expect(read(parameter, 'x', { tags: 'a' })).toEqual({ title: 'x', labels: ['a'] });
	});
});

test('a parameter with a value of its own has it if none is set, and one that is converted knows its item', () => {
	expect(read(withDefault(optional.number, 5), '')).toBe(5);
	expect(read(withDefault(optional.number, 5), 0)).toBe(0);
	const parameter = converted(optional.text, (value, { timezone }) => `${value ?? ''} in ${timezone}`);
	expect(read(parameter, 'noon')).toBe(`noon in ${ITEM.timezone}`);
});
