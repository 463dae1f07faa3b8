import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { byValue, fromList } from '../../../nodes/LegalAi/parameters/locator.ts';
import {
	isNamedValue,
	namedValue,
	namedValueForQuery,
	namedValuesForQuery,
	toLocatorText,
	type NamedValue,
} from '../../../nodes/LegalAi/parameters/namedValue.ts';
import { complaintAbout, FIELD, read } from './reading.mts';

const LOCATOR = { ...FIELD, modes: [fromList('searchStatuses'), byValue('e.g. in_progress')] };
const value = namedValue(LOCATOR);
const forQuery = namedValueForQuery(LOCATOR);
const severalForQuery = namedValuesForQuery(FIELD);

describe('a status or a priority', () => {
	test('of any kind comes back from a list as it was', () => {
		const text = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('3', ' 3', '"3"', '1e3', 'Infinity', 'null', '{', '{"a":1}', ' a '));
		const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => !Object.is(each, -0));
		const object = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }).map((each) => JSON.parse(JSON.stringify(each)) as NamedValue);
		fc.assert(
			fc.property(fc.oneof(text, number, object).filter(isNamedValue), (each) => {
				const locator = { __rl: true, mode: 'list', value: toLocatorText(each) };
				expect(read(value, locator)).toEqual(JSON.stringify(each).includes('"__proto__"') ? expect.anything() : each);
			}),
		);
	});

	test('in words is listed in these words, and one without any is not listed', () => {
		expect(toLocatorText('In progress')).toBe('In progress');
		expect(isNamedValue('In progress')).toBe(true);
		for (const blank of ['', ' ']) expect(isNamedValue(blank)).toBe(false);
	});

	test.each<[unknown, NamedValue]>([
		['in_progress', 'in_progress'],
		[' To Do ', 'To Do'],
		['3', 3],
		['-1.5', -1.5],
		['"3"', '3'],
		['007', '007'],
		['"Top" priority', '"Top" priority'],
		['true', 'true'],
		['{ "id": 3 }', { id: 3 }],
		[3, 3],
		[{ id: 3 }, { id: 3 }],
	])('entered as %j is %j', (entered, expected) => {
		expect(read(value, entered)).toEqual(expected);
		expect(read(value, { __rl: true, mode: 'value', value: entered })).toEqual(expected);
	});

	test('left empty is none', () => {
		for (const empty of ['', '  ', null, undefined]) {
			for (const raw of [empty, { __rl: true, mode: 'list', value: empty }]) {
				expect(read(value, raw)).toBeUndefined();
				expect(read(forQuery, raw)).toBeUndefined();
			}
			expect(read(severalForQuery, empty)).toBeUndefined();
		}
	});

	test.each([['{ "id": 3', '{ "id": 3'], ['{ "id": "s1"', '{ "id": "s1"'], [' {}x ', '{}x'], [true, 'true'], [NaN, 'NaN'], [['a'], 'object']])('%j is none', (entered, quoted) => {
		for (const parameter of [value, forQuery]) expect(complaintAbout(parameter, entered)).toBe(`"Some Field" can't be ${quoted}`);
	});
});

describe('a status or a priority in a query', () => {
	test.each<[unknown, string]>([
		['in_progress', 'in_progress'],
		['3', '3'],
		['"3"', '3'],
		['{ "id": "s1", "name": "To Do" }', 's1'],
		[{ value: 2, label: 'High' }, '2'],
		[{ rank: 1, name: 'High' }, 'High'],
		[{ id: '', key: 'HIGH' }, 'HIGH'],
		[{ id: ' ', key: 'HIGH' }, 'HIGH'],
	])('%j is %s', (entered, expected) => {
		expect(read(forQuery, entered)).toBe(expected);
	});

	test('is several words with commas, whatever they were', () => {
		expect(read(severalForQuery, ' open, in_progress')).toBe('open,in_progress');
		expect(read(severalForQuery, [{ id: 's1' }, 3, 'open'])).toBe('s1,3,open');
		expect(read(severalForQuery, { name: 'Open' })).toBe('Open');
		expect(read(severalForQuery, 3)).toBe('3');
		expect(read(severalForQuery, [])).toBeUndefined();
	});

	test('has to have a name', () => {
		expect(complaintAbout(forQuery, { rank: [1] })).toBe('"Some Field" has no ID or name to filter by');
		expect(complaintAbout(severalForQuery, [{}])).toBe('"Some Field" has no ID or name to filter by');
	});
});
