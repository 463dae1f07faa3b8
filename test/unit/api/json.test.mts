import { readForeignJson, readObject, shortenForMessage } from '../../../nodes/LegalAi/api/json.ts';
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

test.each([
	['Mutual_Non_Disclosure_Agreement_Acme_GmbH_redlined.docx', undefined],
	['Sign <NDA>, policy: 7=7, 50%ab', undefined],
	['Is it signed?Yes', undefined],
	['Approve NDA \u0096 Acme', 'Approve NDA Acme'],
	['One\nTwo\u0000Three ', 'One Two Three'],
	['of sk-svc-api1-1f2e-3d, SK-SVC-API1-1F2E', 'of …, …'],
	[
		'see [here](https://store.example.com/f.pdf?sig=5ec3et) now',
		'see [here](https://store.example.com/f.pdf now',
	],
	['see https://id.example.com/f%3Fsig%3D5ec3et now', 'see https://id.example.com/f… now'],
	['x'.repeat(201), `${'x'.repeat(200)}…`],
	[7, '7'],
	[undefined, ''],
	[' \u0096', ''],
])(
	'a name or a sentence of the service, %j, is shown in a message as %j: in one line, without keys and signed links',
	(text, shown) => {
		expect(shortenForMessage(text)).toBe(shown ?? text);
	},
);
