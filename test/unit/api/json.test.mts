import { expect, test } from 'vitest';

import { readJson, readObject } from '../../../nodes/LegalAi/api/json.ts';

test.each(['', 'text', '{"a":', '<h1>'])('%j is not JSON', (text) => {
	expect(readJson(text)).toBeUndefined();
});

test('a response that must be one object is rejected with a clear reason if it is a list', () => {
	const record = { id: 't1' };
	expect(readObject(record)).toBe(record);
	const details = { serviceMessage: expect.stringMatching(/list/) as string };
	expect(() => readObject([record])).toThrow(expect.objectContaining({ kind: 'invalidResponse', details }) as Error);
});
