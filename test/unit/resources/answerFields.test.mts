import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { requestForFields } from '../../../nodes/LegalAi/resources/question/answerFields.ts';
import { readAnswerFields } from '../../../nodes/LegalAi/resources/question/readAnswer.ts';
import { readSavedAnswerFields } from '../../support/reading.mts';

/** The parameter's value, as it is read from what a workflow has saved. */
const saved = (...field: INodeParameters[]) => readSavedAnswerFields({ field });

/** What is read of a single field, as JSON. */
function readField(field: INodeParameters, json: string) {
	const { fields, unread_fields } = readAnswerFields(
		`{"x": ${json}}`,
		saved({ ...field, name: 'x', required: false }),
	).read;
	return { value: fields.x, ...(unread_fields && { unread: unread_fields }) };
}

const WANTED = saved(
	{ name: 'Notice By', type: 'date', required: false },
	{ name: 'Risk', type: 'choice', choices: 'low, medium, high' },
	{ name: 'Parties', type: 'list', required: false },
	{ name: 'Cap', type: 'number', required: false },
	{ name: 'Signed', type: 'boolean', required: false },
	{ name: 'Law', required: false },
);
const NAMES = WANTED.map(({ name }) => name);
const NONE = Object.fromEntries(NAMES.map((name) => [name, null]));

function read(answer: string) {
	const { read: said, problem } = readAnswerFields(answer, WANTED);
	return { ...said, problem };
}

const SEVERAL = { problem: 'the answer fields in several places' };
const BRACKET = {
	problem: 'a bracket left open before the answer fields, or other JSON beside them',
};
const INVALID = { problem: 'an object that is not valid JSON' };
const NOTHING = { problem: undefined };
const HIGH = '{"Risk": "high"}';
const LOW = '{"Risk": "low"}';

/** What models answer, by class: what is left beside the risk that is read, or why it is not read. */
test.each<[string, string, string | { problem?: string }]>([
	['a fence in prose', `Sum.\n\n\`\`\`json\n${HIGH}\n\`\`\`\n\nRegards`, 'Sum.\n\nRegards'],
	['a fence that does not end', `Sum.\n\`\`\`\n${HIGH}`, 'Sum.'],
	['a fence of tildes', `Sum.\n~~~json5\n${HIGH}\n~~~`, 'Sum.'],
	['a fence without its end', `Sum.\n\`\`\`\n${HIGH}\nRegards`, 'Sum.\n```\n\nRegards'],
	['a fence in a sentence', `The result: \`${HIGH}\`. Done.`, 'The result:\n\n. Done.'],
	['a fence with more', `\`\`\`\nResult: ${HIGH}\n\`\`\``, '```\nResult:\n\n```'],
	['a heading with a colon', `**Fields:**\n${HIGH}`, '**Fields:**'],
	['a footer', `${HIGH}\n\nThis is not legal advice.`, 'This is not legal advice.'],
	['a citation after', `${HIGH}\n[1] NDA, section 5`, '[1] NDA, section 5'],
	['brackets before', `- high [2]\n- {see annex}\nSo: ${HIGH}`, '- high [2]\n- {see annex}\nSo:'],
	['a quotation mark too few before', `It says "cap. ${HIGH}`, 'It says "cap.'],
	['the names in prose', `The "Risk" is high: see. ${HIGH}`, 'The "Risk" is high: see.'],
	['other JSON before', `{"plan": {"a": [1]}} So: ${HIGH}`, '{"plan": {"a": [1]}} So:'],
	['Windows lines', `{\r\n"Risk":\t"high"\r\n}\r\n`, ''],
	['a key that is escaped', '{"\\u0052isk": "high"}', ''],
	['more keys than asked for', '{"Risk": "high", "Note": 1}', '{"Risk": "high", "Note": 1}'],
	['a name in a value', '{"Risk":"high","a":{"Risk":1}}', '{"Risk":"high","a":{"Risk":1}}'],
	['another key twice', '{"Risk": "high", "a": 1, "a": 2}', '{"Risk": "high", "a": 1, "a": 2}'],
	['no JSON', 'The risk is high.', NOTHING],
	['no JSON but a brace', 'Risk is high. }', NOTHING],
	['an object around it', `{"result": ${HIGH}}`, NOTHING],
	['another object after', `${HIGH}\n{"Note": "x"}`, NOTHING],
	['keys in another case', '{"risk": "high"}', NOTHING],
	['an empty object', '{}', NOTHING],
	['no end', '{"Risk": "high", "Parties": ["Ac', INVALID],
	['no beginning', '"Risk": "high"}', INVALID],
	['a backslash that JSON does not have', '{"why": "cap of \\(K\\)", "Risk": "high"}', INVALID],
	['a comma at its end', '{"Risk": "high",}', INVALID],
	['a comment', '{"Risk": "high" // cap\n}', INVALID],
	['single quotes', "{'Risk': 'high'}", INVALID],
	['a quote too many', '{"Law": "the "Ohio" law", "Risk": "high"}', INVALID],
	['a line break in a text', '{"Law": "Ohio\nlaw", "Risk": "high"}', INVALID],
	['words of Python', '{"Risk": "high", "Signed": False}', INVALID],
	['double braces', `{${HIGH}}`, INVALID],
	['no end, but that of an object in it', '{"Risk": "high", "old": {"Law": "Ohio"}', SEVERAL],
	['a draft first', `Draft: ${LOW}. Better: ${HIGH}`, SEVERAL],
	['a quoted annex', `The annex says {"Law": "Ohio"}. So: ${HIGH}`, SEVERAL],
	['a list of two', `[${HIGH}, ${LOW}]`, SEVERAL],
	['an object for each of two documents', `{"A": ${HIGH}, "B": ${LOW}}`, SEVERAL],
	['a key after it', `${HIGH}\nCorrection: "Risk" : "low"`, SEVERAL],
	['a comma after it', `${HIGH},`, BRACKET],
	['a bracket too many at its end', `${HIGH}]`, BRACKET],
	['an open brace after', `${HIGH} {`, BRACKET],
	['a brace too many at its beginning', `{ ${HIGH}`, BRACKET],
	['a bracket before', `[ as of today ${HIGH}`, BRACKET],
	['a brace before', `{ as of today ${HIGH}`, BRACKET],
	['an object around it without its beginning', `"result"  : ${HIGH}`, BRACKET],
	['another object before, directly', `{"plan": 1}\n${HIGH}`, BRACKET],
])('an answer with %s is read, or it is known why not', (_, answer, verdict) => {
	const expected =
		typeof verdict === 'string'
			? { answer: verdict, fields: { ...NONE, Risk: 'high' } }
			: { ...verdict, answer, fields: NONE, missing_fields: ['Risk'] };
	expect(read(answer)).toEqual({ problem: undefined, ...expected });
});

test('a key that the object has twice has no value, and stays in the answer', () => {
	const answer = '{"Risk": "low", "Law": "Ohio", "R\\u0069sk": "high"}';
	expect(read(answer)).toEqual({
		answer,
		fields: { ...NONE, Law: 'Ohio' },
		unread_fields: { Risk: '"low", "high"' },
		missing_fields: ['Risk'],
		problem: undefined,
	});
});

test('a key that the object has twice is unread unless neither says anything', () => {
	expect(read('{"Risk": "high", "Law": null, "Law": "n/a"}')).not.toHaveProperty('unread_fields');
	const { unread_fields } = read('{"Risk": "high", "Law": null, "Law": "Ohio"}');
	expect(unread_fields).toEqual({ Law: 'null, "Ohio"' });
});

test('an object that has a key very often takes no longer than others', () => {
	const answer = `{${'"Law":"Ohio",'.repeat(100_000)}"Risk":"high"}`;
	expect(read(answer)).toMatchObject({ fields: { Risk: 'high', Law: null } });
});

test('what says nothing is null and not unread, for every type', () => {
	for (const said of [null, ' ', 'null', 'N/A', 'Unknown', '<unknown>', '<>', ['n/a', null]]) {
		const object = Object.fromEntries(NAMES.map((name) => [name, said]));
		const { unread_fields, fields } = read(JSON.stringify(object));
		expect([unread_fields, fields], JSON.stringify(said)).toEqual([undefined, NONE]);
	}
});

/** Values as JSON; those that are texts stand here without their quotes, behind a `~`. */
test.each<[string, Record<string, unknown>, string[]]>([
	[
		'text',
		{
			'~ "Ohio" [US], {\n': '"Ohio" [US], {',
			'~5" pipe, {': '5" pipe, {',
			'~C:\\': 'C:\\',
			'1.000': '1.000',
		},
		['true', '["Ohio"]', '{}'],
	],
	[
		'number',
		{ '-1.5': -1.5, '1e-3': 0.001, '1234.500': 1234.5, '~ -2 ': -2, '33.333333333333336': 100 / 3 },
		[
			'1.000',
			'~1.000',
			'~1,000',
			'~1,5',
			'~007',
			'~$5',
			'1e999',
			'9007199254740993',
			'true',
			'[5]',
			'{"toString": ["Ohio"]}',
		],
	],
	[
		'boolean',
		{ false: false, '~ TRUE': true },
		['1', '~yes', '~not true', '~true?', '~constructor'],
	],
	[
		'date',
		{ '~ 2028-02-29\n': '2028-02-29' },
		[
			'2026',
			'~3/4/2026',
			'~3 April 2026',
			'~2026-02-30',
			'~2026-13-01',
			'~2026-4-3',
			'~2026-04',
			'~2026-04-03T00:00:00.000Z',
			'~+012026-04-03',
			'~0000-01-01',
		],
	],
	[
		'choice',
		{ '~ LOW ': 'Low', '3': '3', '~UNKNOWN': 'unknown' },
		['~higher', '~Low, High', '3.0'],
	],
	['list', { '["b, c",null,"N/A"]': ['b, c'], '[]': [] }, ['~a, b', '["a", 1]', '{}']],
	['quote', { '~ so\n': 'so' }, ['5', '["the whole Term"]']],
])('a %s is read only if it can be read in one way', (type, fitting, unfit) => {
	const field = { type, ...(type === 'choice' && { choices: 'Low, High, 3, unknown' }) };
	const toJson = (said: string) => (said.startsWith('~') ? JSON.stringify(said.slice(1)) : said);
	for (const [said, value] of Object.entries(fitting))
		expect(readField(field, toJson(said)), said).toEqual({ value });
	for (const said of unfit)
		expect(readField(field, toJson(said)), said).toEqual({
			value: null,
			unread: { x: said.replace('~', '') },
		});
});

const createTable = (...column: INodeParameters[]) => ({
	name: 'Duties',
	type: 'table',
	columns: { column },
});
const DUTIES = createTable(
	{ name: 'Who' },
	{ name: 'Due', type: 'date' },
	{ name: 'Fee', type: 'number' },
);

test('a table is read cell by cell, each row with every column in their order, and what does not fit is listed by row and column', () => {
	const rows = `[
		{"Who": " Buyer", "Fee": 1000.5, "Due": "2026-04-03", "Note": {"x": [1]}, "Note": 2},
		{"Who": "n/a", "Due": "3 April 2026", "Fee": 250.000},
		{"Fee": "12345678901234567890", "Who": 7}
	]`;
	expect(JSON.stringify(readField(DUTIES, rows))).toBe(
		'{"value":[{"Who":"Buyer","Due":"2026-04-03","Fee":1000.5},{"Who":null,"Due":null,"Fee":null},{"Who":"7","Due":null,"Fee":null}],"unread":{"x 2: Due":"3 April 2026","x 2: Fee":"250.000","x 3: Fee":"12345678901234567890"}}',
	);
});

test.each<[string, string, unknown?]>([
	['no rows', '[]', []],
	['a row of nothing but null', '[{"Who": null}]', [{ Who: null, Due: null, Fee: null }]],
	['what says nothing', '[null, "unknown"]', null],
	['a text that holds a list', '"[]"'],
	['an object', '{"Who": "Buyer"}'],
	['a list of texts', '["Buyer"]'],
	['null among its rows', '[{"Who": "Buyer"}, null]'],
	['a list around its rows', '[[{"Who": "Buyer"}]]'],
	['an empty row', '[{"Who": "Buyer"}, {}]'],
	['a row with none of the columns', '[{"Who": "Buyer"}, {"who": "Seller"}]'],
	['a row with a column twice', '[{"Who": "Buyer", "W\\u0068o": "Seller"}]'],
])('a table of %s has a value, or is unread as a whole', (_, json, value) => {
	const unread = { value: null, unread: { x: json.replace(/^"|"$/g, '') } };
	expect(readField(DUTIES, json)).toEqual(value === undefined ? unread : { value });
});

test('a table has at most 500 rows; of cells that do not fit, the first 100 are listed, and how many more there are', () => {
	const rows = (count: number) => JSON.stringify(Array(count).fill({ Fee: 'tbd', Due: 'soon' }));
	const { unread = {}, value } = readField(DUTIES, rows(500));
	expect(value).toHaveLength(500);
	expect(Object.keys(unread)).toHaveLength(101);
	expect(unread).toMatchObject({ 'x 50: Fee': 'tbd', x: '900 more cells' });
	expect(Object.keys(readField(DUTIES, rows(50)).unread ?? {})).toHaveLength(100);
	expect(readField(DUTIES, rows(501))).toEqual({ value: null, unread: { x: rows(501) } });
});

test('fields and columns may have names that every object of JavaScript has', () => {
	const names = ['__proto__', 'constructor'].map((name) => ({ name }));
	const wanted = saved(...names, { ...createTable(...names), name: 'valueOf' });
	const said = '{"__proto__": "a", "valueOf": [{"__proto__": "d"}]}';
	const { fields, missing_fields } = readAnswerFields(said, wanted).read;
	expect(JSON.stringify(fields)).toBe(
		'{"__proto__":"a","constructor":null,"valueOf":[{"__proto__":"d","constructor":null}]}',
	);
	expect(missing_fields).toEqual(['constructor']);
});

/** How many objects are spoilt, each in ten ways; more by hand. */
const OBJECTS = Number(process.env.SPOILT_OBJECTS ?? 300);

/** Where a correct object can be changed: everywhere but in its texts, numbers and words. */
function placesOutsideValues(json: string) {
	const keysAndMarks = /"(?:[^"\\]|\\.)*"\s*:|"(?:[^"\\]|\\.)*"|[{}[\]:,\s]/g;
	return [...json.matchAll(keysAndMarks)].flatMap(({ 0: token, index }) => {
		const isValue = token.length > 1 && token.endsWith('"');
		return Array.from({ length: isValue ? 1 : token.length }, (_, at) => index + at);
	});
}

test('no answer with one change outside its values gives a field a value that the object does not have at its first level', () => {
	const nasty = fc.constantFrom('{"Risk": "low"} \\" [,', '"}, {"', '": "', ', "Risk": "low"}');
	const almost = ['1.000', '3/4/2026', '2026-04-03', 'HIGH', 'true', '7', '', 'n/a', ['a', 1], 5];
	const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...almost), nasty);
	const key = fc.oneof(fc.constantFrom(...NAMES, 'Risks'), nasty, fc.string());
	const inner = fc.dictionary(key, value, { maxKeys: 5 });
	const deeper = fc.oneof(value, inner, fc.array(inner, { maxLength: 3 }));
	const marks = [...'{}[]",:\\`'.split(''), '"x":', '"Law":', 'So: ', '```\n', '//', LOW, '[1]'];
	const around = fc.array(fc.constantFrom(...marks), { maxLength: 5 }).map((all) => all.join(''));
	fc.assert(
		fc.property(
			fc.dictionary(key, deeper, { maxKeys: 5 }),
			deeper,
			fc.constantFrom(0, 2),
			fc.nat(),
			fc.constantFrom(...'{}[]",:\\a/`(\n'.split('')),
			around,
			around,
			(others, Risk, indent, place, put, before, after) => {
				const object = { ...others, Risk };
				const json = JSON.stringify(object, null, indent);
				const places = placesOutsideValues(json);
				const said = WANTED.map(({ type }) =>
					Object.values(object).map(
						(each) => readField({ type, choices: 'low, medium, high' }, JSON.stringify(each)).value,
					),
				);
				const at = places[place % places.length] ?? 0;
				const changed = [
					json.slice(0, at) + json.slice(at + 1),
					json.slice(0, at) + json.charAt(at) + json.slice(at),
					json.slice(0, at) + put + json.slice(at),
					json.slice(0, at),
					json.slice(at),
					before + json + after,
					`${json}${put}${json}`,
					`[${json}]`,
					`{"a": ${json}}`,
					JSON.stringify(json),
				];
				for (const answer of changed) {
					const madeUp = Object.values(read(answer).fields).filter(
						(found, index) =>
							found !== null && !said[index]?.some((each) => isDeepStrictEqual(each, found)),
					);
					if (madeUp.length > 0) expect(madeUp, answer).toEqual([]);
				}
				expect(places).not.toEqual([]);
			},
		),
		{ numRuns: OBJECTS },
	);
});

test('an object of 4 MB that does not end is not valid JSON', () => {
	expect(read(`{"Law": "${'\\"'.repeat(2_000_000)}`).problem).toBe(INVALID.problem);
});

test('the fields are asked for once, by their names and types; choices may be a list from an expression', () => {
	const choices = [' a, b ', 2] as unknown as string;
	const fields = saved(
		{ name: 'Level 2', type: 'choice', choices },
		{ name: 'Says "no"', type: 'list', description: 'Who objects' },
		createTable({ name: '2 Due', type: 'date' }, { name: 'Place', type: 'quote' }),
	);
	expect(requestForFields([...WANTED, ...fields])?.split('\n')).toEqual([
		'End your answer with one JSON object in a ```json fence. It has these keys, each once, and no others. Use null for what the documents do not say.',
		'"Notice By": date as YYYY-MM-DD',
		'"Risk": one of "low", "medium", "high"',
		'"Parties": list of texts',
		'"Cap": number without currency or unit',
		'"Signed": true or false',
		'"Law": text',
		'"Level 2": one of "a, b", "2"',
		'"Says \\"no\\"": list of texts (Who objects)',
		'"Duties": list of objects, one for every row, none left out or summed up, each with "2 Due": date as YYYY-MM-DD, "Place": the first ten words or so of the passage, exactly as they stand in the document',
	]);
	expect(requestForFields([])).toBeUndefined();
});

test.each<[string, ...fields: INodeParameters[]]>([
	['"Field Name" is empty', { name: ' ' }],
	['"Field Name" can\'t be a whole number: 12', { name: ' 12 ' }],
	['"Answer Fields" has "Risk" twice', { name: 'Risk' }, { name: ' Risk', type: 'number' }],
	['"Choices" is empty', { name: 'Risk', type: 'choice' }],
	['"Choices" has only "low; high"', { name: 'Risk', type: 'choice', choices: 'low; high' }],
	['"Choices" has "low" twice', { name: 'Risk', type: 'choice', choices: 'low, LOW ' }],
	['"Type" can\'t be "money"', { name: 'Cap', type: 'money' }],
	['The table "Duties" has no columns', createTable()],
	['"Column Name" is empty', createTable({ name: ' ' })],
	['"Column Name" can\'t be a whole number: 12', createTable({ name: '12' })],
	['"Columns" has "Who" twice', createTable({ name: 'Who' }, { name: ' Who ', type: 'date' })],
	['"Type" can\'t be "table"', createTable({ name: 'Who', type: 'table' })],
])("fields that can't be asked for are an error: %s", (message, ...fields) => {
	expect(() => saved(...fields)).toThrow(message);
});
