import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
	commaSeparated,
	dateTime,
	flag,
	objects,
	text,
	Unusable,
	word,
	words,
	type Reader,
} from '../../nodes/LegalAi/resources/task/values.ts';

const read = (reader: Reader, value: unknown): unknown => reader(value, 'Europe/Berlin');
const readers = { commaSeparated, dateTime, flag, objects, text, word, words };

describe('a field of a task', () => {
	test.each(Object.entries(readers))('%s: left empty is not sent', (_name, reader) => {
		for (const empty of ['', '   ', null, undefined]) expect(read(reader, empty)).toBeUndefined();
	});

	test.each(Object.entries(readers))('%s: any value is read or refused, never thrown at', (_name, reader) => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				const outcome = read(reader, value);
				expect(outcome === null).toBe(false);
			}),
		);
	});

	test('text stays as it was entered, a word loses the blanks around it', () => {
		expect(read(text, ' two\nlines ')).toBe(' two\nlines ');
		expect(read(word, ' high ')).toBe('high');
		expect(read(text, 7)).toBe('7');
		expect(read(text, { a: 1 })).toBeInstanceOf(Unusable);
	});

	test('what was picked from a list is its value; a plain saved value is read the same', () => {
		expect(read(word, { __rl: true, mode: 'list', value: 'high' })).toBe('high');
		expect(read(word, { __rl: true, mode: 'value', value: '' })).toBeUndefined();
		expect(read(word, 'high')).toBe('high');
	});

	test('true and false, in words too', () => {
		expect([true, 'true', false, 'false'].map((value) => read(flag, value))).toEqual([true, true, false, false]);
		expect(read(flag, 'yes')).toBeInstanceOf(Unusable);
	});

	test('tags come from text with commas or from an array, and back again', () => {
		expect(read(words, 'nda, supplier,,  ')).toEqual(['nda', 'supplier']);
		expect(read(words, ['nda', ' EU, UK ', 7])).toEqual(['nda', 'EU, UK', '7']);
		expect(read(words, ', ,')).toBeUndefined();
		expect(read(words, [])).toEqual([]);
		expect(read(words, [{ name: 'nda' }])).toBeInstanceOf(Unusable);
		expect(read(commaSeparated, ['a', 'b'])).toBe('a,b');
		expect(read(commaSeparated, [])).toBeUndefined();

		const tag = fc.string({ minLength: 1 }).filter((each) => each.trim() === each && !each.includes(','));
		fc.assert(
			fc.property(fc.array(tag, { minLength: 1 }), (tags) => {
				expect(read(words, tags.join(' , '))).toEqual(tags);
				expect(read(words, tags)).toEqual(tags);
			}),
		);
	});

	test('linked items are an array of objects, as text or not', () => {
		expect(read(objects, '[{"type":"task"}]')).toEqual([{ type: 'task' }]);
		expect(read(objects, [{ type: 'task' }])).toEqual([{ type: 'task' }]);
		for (const value of ['{"type":"task"}', '[1]', '[{]', [null], 5]) expect(read(objects, value)).toBeInstanceOf(Unusable);
	});

	test('dates come from text, from JavaScript and from whatever says itself in JSON', () => {
		expect(read(dateTime, '2026-07-15T12:00:00')).toBe('2026-07-15T10:00:00.000Z');
		expect(read(dateTime, new Date(0))).toBe('1970-01-01T00:00:00.000Z');
		expect(read(dateTime, { toJSON: () => '2026-07-15T12:00:00.000+05:45' })).toBe('2026-07-15T06:15:00.000Z');
		expect(read(dateTime, new Date(NaN))).toBeInstanceOf(Unusable);
		expect(read(dateTime, 'soon')).toMatchObject({ reason: 'is not a date ("soon")' });
	});
});
