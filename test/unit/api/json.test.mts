import { describe, expect, test } from 'vitest';

import { readJson, readObject } from '../../../nodes/LegalAi/api/json.ts';

describe('JSON text', () => {
	test.each(['', 'text', '{"a":', '<h1>'])('%j is none', (text) => {
		expect(readJson(text)).toBeUndefined();
	});

	test.each(['null', '7', '[]', '{"a":{"b":[1,null,"__proto__"]}}', '"\\u005f"'])('%s is read as it is', (text) => {
		expect(readJson(text)).toEqual(JSON.parse(text));
	});
});

test('a response that must be one object is refused if it is a list, and says so', () => {
	const record = { id: 't1' };
	expect(readObject(record)).toBe(record);
	expect(() => readObject([record])).toThrow('invalidResponse');
	expect(() => readObject([record])).toThrow(expect.objectContaining({ details: { serviceMessage: expect.stringMatching(/list/) as string } }) as Error);
});
