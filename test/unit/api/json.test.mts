import { describe, expect, test } from 'vitest';

import { readJson, readObject } from '../../../nodes/LegalAi/api/json.ts';

describe('JSON text', () => {
	test.each(['', 'text', '{"a":', '<h1>'])('%j is none', (text) => {
		expect(readJson(text)).toBeUndefined();
	});

	test.each(['null', '7', '[]', '{"a":{"b":[1,null,"__proto__"]}}', '"\\u005f"'])('%s is read as it is', (text) => {
		expect(readJson(text)).toEqual(JSON.parse(text));
	});

	test.each([
		'{"__proto__":{"admin":true},"a":null,"b":"c"}',
		'{"\\u005f\\u005fproto\\u005F_":{"admin":true},"a":null,"b":"c"}',
		'{"__pr\\u006fto__":{"admin":true},"a":null,"b":"c"}',
		'{"__pro\\u0074o__":{"admin":true},"a":null,"b":"c"}',
	])('%s is read without the key that could change how an object behaves', (text) => {
		for (const value of [readJson(text), readJson(`{"list":[[${text}]]}`)]) expect(JSON.stringify(value)).not.toContain('admin');
		expect(readJson(text)).toEqual({ a: null, b: 'c' });
		expect(readJson(`[null,{"list":[[${text}]]},null]`)).toEqual([null, { list: [[{ a: null, b: 'c' }]] }, null]);
	});
});

test('a response that must be one object is refused if it is a list, and says so', () => {
	const record = { id: 't1' };
	expect(readObject(record)).toBe(record);
	expect(() => readObject([record])).toThrow('invalidResponse');
	expect(() => readObject([record])).toThrow(expect.objectContaining({ details: { serviceMessage: expect.stringMatching(/list/) as string } }) as Error);
});
