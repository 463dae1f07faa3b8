import { expect, test } from 'vitest';

import { readJson, readObject } from '../../../nodes/LegalAi/api/json.ts';

test.each(['', 'text', '{"a":', '<h1>'])('%j is no JSON', (text) => {
	expect(readJson(text)).toBeUndefined();
});

test('a response that must be one object is refused if it is a list, and says so', () => {
	const record = { id: 't1' };
	expect(readObject(record)).toBe(record);
	const details = { serviceMessage: expect.stringMatching(/list/) as string };
	expect(() => readObject([record])).toThrow(expect.objectContaining({ kind: 'invalidResponse', details }) as Error);
});
