import { readForeignJson, readObject } from '../../../nodes/LegalAi/api/json.ts';
import { textLike, like } from '../../support/matchers.mts';

test('names that every object of JavaScript has are dropped from what comes from outside, wherever they are', () => {
	const names = [
		'"__proto__"',
		'"\\u005f_proto__"',
		'"constructor"',
		'"toString"',
		'"hasOwnProperty"',
	].map((name) => `${name}:{"x":1},`);
	const read = readForeignJson(
		`{${names.join('')}"a":[{${names.join('')}"b":"the constructor"}],"prototype":2}`,
	);
	expect(JSON.stringify(read)).toBe('{"a":[{"b":"the constructor"}],"prototype":2}');
	expect(readForeignJson('{"\\u005f_proto__":{}}')).toEqual({});
});

test('a response that must be one object is rejected with a clear reason if it is a list', () => {
	const record = { id: 't1' };
	expect(readObject(record)).toBe(record);
	const details = { said: textLike(/list/) };
	expect(() => readObject([record])).toThrow(like({ kind: 'invalidResponse', details }) as Error);
});
