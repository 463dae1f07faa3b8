import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import { type INodeParameters, NodeHelpers } from 'n8n-workflow';

import { propertiesOf } from '../../../nodes/LegalAi/fields/field.ts';
import { readFields as readParameters } from '../../../nodes/LegalAi/fields/read.ts';
import {
	answerFields,
	requestForFields,
} from '../../../nodes/LegalAi/resources/question/answerFields.ts';
import { readFields } from '../../../nodes/LegalAi/resources/question/readAnswer.ts';

/** The parameter's value, as it is read from what a workflow has saved. */
function saved(...field: INodeParameters[]) {
	const properties = propertiesOf({ answerFields });
	const filled = NodeHelpers.getNodeParameters(
		properties,
		{ answerFields: { field } },
		true,
		false,
		null,
		null,
	);
	return readParameters({ answerFields }, (name) => filled?.[name]).answerFields;
}

/** What is read of a single field, as JSON. */
function readField(field: INodeParameters, json: string, documents?: string) {
	const { fields, unread_fields } = readFields(
		`{"x": ${json}}`,
		saved({ ...field, name: 'x', required: false }),
		documents,
	);
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

const NONE = { 'Notice By': null, Risk: null, Parties: null, Cap: null, Signed: null, Law: null };

const read = (answer: string) => readFields(answer, WANTED);

const SEVERAL = 'the answer fields in several places';
const BRACKET = 'a bracket left open before the answer fields, or other JSON beside them';
const INVALID = 'an object that is not valid JSON';
const HIGH = '{"Risk": "high"}';
const LOW = '{"Risk": "low"}';
const FULL =
	'{\n  "Notice By": "2026-04-03",\n  "Risk": "high",\n  "Parties": ["Acme, Inc.", "Müller {1} GmbH"],\n  "Cap": 1000.5,\n  "Signed": false,\n  "Law": "\\"Ohio\\" [US], {the: state\\\\"\n}';
const ALL = {
	'Notice By': '2026-04-03',
	Risk: 'high',
	Parties: ['Acme, Inc.', 'Müller {1} GmbH'],
	Cap: 1000.5,
	Signed: false,
	Law: '"Ohio" [US], {the: state\\',
};

/** What models answer; by default the risk is read, and nothing is left beside it. */
test.each<[string, string, string?, object?]>([
	['nothing else', FULL, '', ALL],
	['a fence', `\`\`\`json\n${FULL}\n\`\`\``, '', ALL],
	['prose before', `The cap is low.\n\n${FULL}`, 'The cap is low.', ALL],
	['a fence in prose', `Sum.\n\n\`\`\`json\n${HIGH}\n\`\`\`\n\nRegards`, 'Sum.\n\nRegards'],
	['a fence that does not end', `Sum.\n\`\`\`\n${HIGH}`, 'Sum.'],
	['a fence of tildes', `Sum.\n~~~json5\n${HIGH}\n~~~`, 'Sum.'],
	['a fence in a sentence', `The result: \`${HIGH}\`. Done.`, 'The result:\n\n. Done.'],
	['a fence with more', `\`\`\`\nResult: ${HIGH}\n\`\`\``, '```\nResult:\n\n```'],
	['a sentence that leads to it', `Here is the JSON object: ${HIGH}`, 'Here is the JSON object:'],
	['a heading in bold', `**Fields**:\n${HIGH}`, '**Fields**:'],
	['a heading with a colon in bold', `**Fields:**\n${HIGH}`, '**Fields:**'],
	['a heading of Markdown', `## JSON\n${HIGH}`, '## JSON'],
	['a name in a code', `json = ${HIGH};`, 'json =\n\n;'],
	['a tag', `<json>${HIGH}</json>`, '<json>\n\n</json>'],
	['round brackets', `(${HIGH})`, '(\n\n)'],
	['a footer', `${HIGH}\n\nThis is not legal advice.`, 'This is not legal advice.'],
	['a line', `${HIGH}\n---\n*Sources: NDA*`, '---\n*Sources: NDA*'],
	['a table after', `${HIGH}\n| a | b |\n|---|---|`, '| a | b |\n|---|---|'],
	['a table before', `| a | b |\n${HIGH}`, '| a | b |'],
	['a citation after', `${HIGH}\n[1] NDA, section 5`, '[1] NDA, section 5'],
	['a citation before', `High [1](https://a.example).\n${HIGH}`, 'High [1](https://a.example).'],
	['a list before', `- high [2]\n- {see annex}\nSo: ${HIGH}`, '- high [2]\n- {see annex}\nSo:'],
	['a quotation before', `It says "cap" and 'x'. ${HIGH}`, `It says "cap" and 'x'.`],
	['a quotation mark too few before', `It says "cap. ${HIGH}`, 'It says "cap.'],
	['inches and feet', `A 5" pipe at 6'. ${HIGH}`, `A 5" pipe at 6'.`],
	['the names in prose', `The "Risk" is high. ${HIGH}`, 'The "Risk" is high.'],
	['LaTeX before', `A cap of \\(K\\). ${HIGH}`, 'A cap of \\(K\\).'],
	[
		'other JSON before',
		`\`\`\`json\n{"plan": {"a": [1]}}\n\`\`\`\n\`\`\`json\n${HIGH}\n\`\`\``,
		'```json\n{"plan": {"a": [1]}}\n```',
	],
	['Windows lines', `{\r\n"Risk":\t"high"\r\n}\r\n`, ''],
	['a key that is escaped', '{"\\u0052isk": "high"}', ''],
	['more keys than asked for', '{"Risk": "high", "Note": "x"}', '{"Risk": "high", "Note": "x"}'],
	[
		'a name in a value',
		'{"Risk": "high", "Clauses": [{"Risk": "low"}]}',
		'{"Risk": "high", "Clauses": [{"Risk": "low"}]}',
	],
	[
		'another key twice',
		'{"Risk": "high", "Law": "Ohio", "Law": "Utah"}',
		'{"Risk": "high", "Law": "Ohio", "Law": "Utah"}',
	],
	[
		'JSON in a text of JSON',
		'{"Risk": "high", "Law": "{\\"Risk\\": 1}"}',
		'',
		{ Risk: 'high', Law: '{"Risk": 1}' },
	],
	[
		'a name that objects have',
		'{"Risk": "high", "__proto__": {"Law": "x"}, "constructor": 1}',
		'{"Risk": "high", "__proto__": {"Law": "x"}, "constructor": 1}',
	],
])('an answer with %s is read', (_, answer, left = '', values = { Risk: 'high' }) => {
	expect(read(answer)).toEqual({
		answer: left,
		fields: { ...NONE, ...values },
		isRead: true,
		problem: undefined,
	});
});

/** Each would give a value to who searches it, repairs it or chooses in it. By default, the hint says that it can't be parsed. */
test.each<[string, string, string?]>([
	['no JSON', 'The risk is high.', 'none'],
	['no end', '{"Risk": "high", "Parties": ["Ac'],
	['no end of its list', '{"Risk": "high", "Parties": ["Acme"]'],
	['no end, but that of an object in it', '{"Risk": "high", "old": {"Law": "Ohio"}', SEVERAL],
	['no end, but that of one in a list in it', '{"Risk": "high", "all": [{"Law": "Ohio"}', SEVERAL],
	['no beginning', '"Risk": "high"}'],
	['no beginning, but that of an object in it', '"Law": "Ohio", "old": {"Risk": "low"}}'],
	['no beginning, and a footer', '"Risk": "high"}\nThis is not legal advice.'],
	['a final that is cut off after a draft', `Draft: {"Law": "Ohio"}. Final: {"Risk": "hi`, SEVERAL],
	[
		'a backslash that JSON does not have',
		'{"why": "cap of \\(K\\)", "Risk": "high", "clauses": [{"Law": "x"}]}',
	],
	['a comma at its end', '{"Risk": "high",}'],
	['a comma at the end of a list', '{"Risk": "high", "Parties": ["Acme",]}'],
	['a comma too many', '{"Risk": "high",, "x": {"Law": "Ohio"}}'],
	['a comma too few', '{"Risk": "high" "x": {"Law": "Ohio"}}'],
	['a comma after it', `${HIGH},`, BRACKET],
	['a comment', '{"Risk": "high" // cap\n}'],
	['a comment in stars', '{/* cap */ "Risk": "high"}'],
	['a comment with an object', `{"Risk": "high"} // {"Law": "Ohio"`, SEVERAL],
	['an ellipsis', '{"Risk": "high", ...}'],
	['a colon too few', '{"Risk" "high"}'],
	['a colon too many', '{"Risk":: "high"}'],
	['an equals sign', '{"Risk" = "high"}'],
	['single quotes', "{'Risk': 'high'}"],
	['smart quotes', '{“Risk”: “high”}'],
	['keys without quotes', '{Risk: "high"}'],
	['a value without quotes', '{"Risk": high}'],
	['a quote too few', '{"Risk: "high"}', 'none'],
	['a quote too few in a value', '{"Law": "Ohio, "Risk": "high"}'],
	['a quote too many', '{"Law": "the "Ohio" law", "Risk": "high"}'],
	['a line break in a text', '{"Law": "Ohio\nlaw", "Risk": "high"}'],
	['a space that JSON does not have', `{\u00a0"Risk": "high"}`],
	['words of Python', '{"Risk": "high", "Signed": False}'],
	['a number of German', '{"Risk": "high", "Cap": 1.000,5}'],
	['a number with a currency', '{"Risk": "high", "Cap": 5 EUR}'],
	['NaN', '{"Risk": "high", "Cap": NaN}'],
	['an object in double braces', `{${HIGH}}`],
	['a brace too many at its beginning', `{ ${HIGH}`, BRACKET],
	['a brace too many at its end', `${HIGH}}`],
	['a bracket too many at its end', `${HIGH}]`, BRACKET],
	['a bracket before', `[ as of today ${HIGH}`, BRACKET],
	['a list around it', `[${HIGH}]`, BRACKET],
	['a list around it that is cut off', `[1, ${HIGH}`, BRACKET],
	['an object around it', `{"result": ${HIGH}}`, 'none'],
	['an object around it that is cut off', `{"result": ${HIGH}`, BRACKET],
	['an object around it without its beginning', `"result": ${HIGH}`, BRACKET],
	['an object around it, its colon apart', `"result" : ${HIGH}`, BRACKET],
	['a text around it', '"{\\"Risk\\": \\"high\\"}"'],
	['a text around it in an object', `{"text": "${HIGH}"}`],
	['a tool around it', `{"name": "answer", "arguments": "{\\"Risk\\": \\"high\\"}"}`, 'none'],
	['another object before, directly', `{"plan": 1}\n${HIGH}`, BRACKET],
	['another object after', `${HIGH}\n{"Note": "x"}`, 'none'],
	['an open brace after', `${HIGH} {`, BRACKET],
	['keys in German', '{"Risiko": "hoch", "Haftung": 5}', 'none'],
	['keys in another case', '{"risk": "high"}', 'none'],
	['keys with a space', '{"Risk ": "high"}', 'none'],
	['an empty object', '{}', 'none'],
])(
	'an answer whose object has %s is not read, and the reason is known',
	(_, answer, problem = INVALID) => {
		expect(read(answer)).toMatchObject({
			answer,
			fields: NONE,
			missing_fields: ['Risk'],
			problem: problem === 'none' ? undefined : problem,
		});
	},
);

test.each<[string, string]>([
	['a draft first', `Draft: ${LOW}. Better: ${HIGH}`],
	['the same twice', `${HIGH}\n\n${HIGH}`],
	['a quoted annex', `The annex says {"Law": "Ohio"}. So: ${HIGH}`],
	['the schema first', `{"Risk": "one of low, medium, high"}\n${HIGH}`],
	['a list of two', `[${HIGH}, ${LOW}]`],
	['an object for each of two documents', `{"A": ${HIGH}, "B": ${LOW}}`],
	['a key after it', `${HIGH}\nCorrection: "Risk" : "low"`],
	['a draft whose final is cut off', `${LOW} Final: {"Risk": "hi`],
])('an answer with several objects is not read, and said to have them: %s', (_, answer) => {
	expect(read(answer)).toMatchObject({ answer, fields: NONE, problem: SEVERAL });
});

test('a key that the object has twice has no value, and stays in the answer', () => {
	const answer = '{"Risk": "low", "Law": "Ohio", "R\\u0069sk": "high"}';
	expect(read(answer)).toEqual({
		answer,
		fields: { ...NONE, Law: 'Ohio' },
		missing_fields: ['Risk'],
		isRead: true,
		problem: undefined,
	});
});

test('what does not fit its type is listed as it was said; what says nothing is not', () => {
	const said = {
		'Notice By': '3/4/2026',
		Risk: 'low or high',
		Parties: ['Acme', 1],
		Cap: 'EUR 1,000,000 or 12 months of fees',
		Signed: 'yes',
		Law: { state: 'Ohio' },
	};
	expect(read(JSON.stringify(said))).toEqual({
		answer: '',
		fields: NONE,
		unread_fields: { ...said, Parties: '["Acme",1]', Law: '{"state":"Ohio"}' },
		missing_fields: ['Risk'],
		isRead: true,
		problem: undefined,
	});
	for (const nothing of [
		null,
		'',
		' ',
		'null',
		'N/A',
		'Unknown',
		'<unknown>',
		'<>',
		['n/a', null],
	]) {
		const object = Object.fromEntries(WANTED.map(({ name }) => [name, nothing]));
		const { unread_fields: unread, fields } = read(JSON.stringify(object));
		expect([unread, fields], JSON.stringify(nothing)).toEqual([undefined, NONE]);
	}
});

const choices = 'Low, High, 3, unknown';

/** Values as JSON; those that are texts stand here without their quotes, behind a `~`. */
test.each<[string, Record<string, unknown>, string[]]>([
	[
		'text',
		{ '~Ohio': 'Ohio', '~ Ohio\n': 'Ohio', '~none': 'none', '1.000': '1.000', '-5e3': '-5e3' },
		['true', '["Ohio"]', '{}'],
	],
	[
		'number',
		{
			'0': 0,
			'-1.5': -1.5,
			'1e-3': 0.001,
			'1E6': 1_000_000,
			'1.0000': 1,
			'0.125': 0.125,
			'1234.500': 1234.5,
			'33.333333333333336': 33.333333333333336,
			'~1000': 1000,
			'~1000.5': 1000.5,
			'~ -2 ': -2,
			'~0.125': 0.125,
			'~1.5': 1.5,
		},
		[
			'1.000',
			'-12.500',
			'999.999',
			'1e999',
			'9007199254740992',
			'12345678901234567890',
			'4503599627370497.3',
			'true',
			'[5]',
			...'1.000 1,000 1.000.000 1,5 1e3 007 $5 five .5 5. 0x10 9007199254740993 0.12345678901234567 none'
				.split(' ')
				.map((text) => `~${text}`),
			'~1 000',
			'~5 %',
			'~5 days',
		],
	],
	[
		'boolean',
		{ true: true, false: false, '~true': true, '~ FALSE': false },
		['1', '0', ...'yes No ja 1 constructor'.split(' ').map((text) => `~${text}`)],
	],
	[
		'date',
		{
			'~2026-04-03': '2026-04-03',
			'~ 2028-02-29\n': '2028-02-29',
		},
		[
			'2026',
			'20260403',
			'1775174400000',
			...[
				'3/4/2026',
				'3 April 2026',
				'April 3, 2026',
				'03.04.2026',
				'2026-02-30',
				'31 April 2026',
				'2026-4-3',
				'20260403',
				'2026-04',
				'April 2026',
				'3 April 26',
				'2026-04-03T00:00:00Z',
				'3 Aprilis 2026',
				'in May',
				'soon',
				'0000-01-01',
				'0 May 2026',
			].map((text) => `~${text}`),
		],
	],
	[
		'choice',
		{ '~high': 'High', '~ LOW ': 'Low', '3': '3', '~3': '3', '~UNKNOWN': 'unknown' },
		['~higher', '~High risk', '~Low, High', '["High"]', '3.5', '3.0', 'true'],
	],
	[
		'list',
		{ '["a","b, c"]': ['a', 'b, c'], '[]': [], '["a",null,"N/A",""]': ['a'] },
		['~a', '~a, b', '["a", 1]', '[["a"]]', '{}', '5'],
	],
	[
		'quote',
		{ '~the whole Term': 'the whole Term', '~ so\n': 'so' },
		['5', 'true', '["the whole Term"]', '{}'],
	],
])('a %s is read only if it can be read in one way', (type, fitting, unfit) => {
	const field = type === 'choice' ? { type, choices } : { type };
	const jsonOf = (said: string) => (said.startsWith('~') ? JSON.stringify(said.slice(1)) : said);
	for (const [said, value] of Object.entries(fitting))
		expect(readField(field, jsonOf(said)), said).toEqual({ value });
	for (const said of unfit)
		expect(readField(field, jsonOf(said)), said).toEqual({
			value: null,
			unread: { x: said.replace('~', '') },
		});
});

const DUTIES: INodeParameters = {
	name: 'Duties',
	type: 'table',
	columns: {
		column: [
			{ name: 'Who', type: 'text' },
			{ name: 'Due', type: 'date' },
			{ name: 'Fee', type: 'number' },
			{ name: 'Met', type: 'boolean' },
			{ name: 'Place', type: 'quote' },
		],
	},
};
const readTable = (json: string) => readField(DUTIES, json);

test('a table is read cell by cell, each row with every column in their order, and what does not fit is listed by row and column', () => {
	const rows = `[
		{"Met": true, "Who": " Buyer", "Fee": 1000.5, "Due": "2026-04-03", "Place": "the Buyer shall", "Note": {"x": [1]}},
		{"Who": "n/a", "Due": "3 April 2026", "Fee": 250.000},
		{"Who": 7, "Fee": "12345678901234567890", "Met": null, "Place": ["a"]}
	]`;
	expect(readTable(rows)).toEqual({
		value: [
			{ Who: 'Buyer', Due: '2026-04-03', Fee: 1000.5, Met: true, Place: 'the Buyer shall' },
			{ Who: null, Due: null, Fee: null, Met: null, Place: null },
			{ Who: '7', Due: null, Fee: null, Met: null, Place: null },
		],
		unread: {
			'x 2: Due': '3 April 2026',
			'x 2: Fee': '250.000',
			'x 3: Fee': '12345678901234567890',
			'x 3: Place': '["a"]',
		},
	});
	const [row = {}] = readTable(rows).value as object[];
	expect(Object.keys(row)).toEqual(['Who', 'Due', 'Fee', 'Met', 'Place']);
});

test.each<[string, string, unknown?]>([
	['has no rows', '[]', []],
	['has a row of nothing but null', '[{"Who": null}]'],
	['is null', 'null', null],
	['says nothing', '"n/a"', null],
	['is a list of what says nothing', '[null, "unknown"]', null],
])(
	'a table that %s is read',
	(_, json, value = [{ Who: null, Due: null, Fee: null, Met: null, Place: null }]) => {
		expect(readTable(json)).toEqual({ value });
	},
);

test.each([
	['a text', '"[{\\"Who\\": \\"Buyer\\"}]"'],
	['an object', '{"Who": "Buyer"}'],
	['a row without its list', '{"0": {"Who": "Buyer"}}'],
	['a list of texts', '["Buyer"]'],
	['a text among its rows', '[{"Who": "Buyer"}, "..."]'],
	['null among its rows', '[{"Who": "Buyer"}, null]'],
	['a list as a row', '[["Buyer", "2026-04-03"]]'],
	['a list around its rows', '[[{"Who": "Buyer"}]]'],
	['an empty row', '[{"Who": "Buyer"}, {}]'],
	['a row with none of the columns', '[{"Who": "Buyer"}, {"who": "Seller"}]'],
	['a row with a column twice', '[{"Who": "Buyer", "Fee": 1, "Who": "Seller"}]'],
	['a row with a column twice, once by its codes', '[{"Who": "Buyer", "W\\u0068o": "Seller"}]'],
])('a table that is, or has, %s is unread, whole', (_, json) => {
	expect(readTable(json)).toEqual({
		value: null,
		unread: { x: json.startsWith('"') ? (JSON.parse(json) as string) : json },
	});
});

test('a row may have another key twice', () => {
	expect(readTable('[{"Note": 1, "Who": "Buyer", "Note": 2}]')).toMatchObject({
		value: [{ Who: 'Buyer' }],
	});
});

test('a table has at most 500 rows', () => {
	const rows = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ Fee: 1 })));
	expect(readTable(rows(500)).value).toHaveLength(500);
	expect(readTable(rows(501))).toEqual({ value: null, unread: { x: rows(501) } });
});

test('of cells that do not fit, the first 100 are listed, and how many more there are', () => {
	const rows = (count: number) =>
		JSON.stringify(
			Array.from({ length: count }, () => ({ Who: 'Buyer', Fee: 'tbd', Due: 'soon' })),
		);
	expect(Object.keys(readTable(rows(50)).unread ?? {})).toHaveLength(100);
	const { unread = {}, value } = readTable(rows(60));
	expect(value).toHaveLength(60);
	expect(Object.entries(unread).slice(-2)).toEqual([
		['x 50: Fee', 'tbd'],
		['x', '20 more cells'],
	]);
});

test('a required table without rows is not missing, one that is unread is', () => {
	const missing = (json: string) => readFields(`{"Duties": ${json}}`, saved(DUTIES)).missing_fields;
	expect([missing('[]'), missing('null'), missing('["Buyer"]')]).toEqual([
		undefined,
		['Duties'],
		['Duties'],
	]);
});

test('fields and columns may have names that every object of JavaScript has', () => {
	const names = ['__proto__', 'constructor', 'toString'];
	const wanted = saved(...names.map((name) => ({ name })), {
		name: 'valueOf',
		type: 'table',
		columns: { column: names.map((name) => ({ name })) },
	});
	const said = `{"__proto__": "a", "toString": "c", "valueOf": [{"__proto__": "d"}, {"constructor": "e"}]}`;
	const { fields, missing_fields } = readFields(said, wanted);
	expect(JSON.stringify(fields)).toBe(
		'{"__proto__":"a","constructor":null,"toString":"c","valueOf":[{"__proto__":"d","constructor":null,"toString":null},{"__proto__":null,"constructor":"e","toString":null}]}',
	);
	expect(missing_fields).toEqual(['constructor']);
	expect(readFields('{"a": 1}', wanted).isRead).toBe(false);
});

test('a quote counts only if the documents have it, in a table, too; without documents, as it is said', () => {
	const documents = 'The Buyer shall pay within ten days of receipt.';
	const [said, madeUp] = ['"shall pay within ten days"', '"shall pay within six days"'];
	const quote = { type: 'quote' };
	expect(readField(quote, said, documents)).toEqual({ value: 'shall pay within ten days' });
	expect(readField(quote, madeUp, documents)).toEqual({
		value: null,
		unread: { x: 'shall pay within six days' },
	});
	expect(readField(quote, madeUp)).toEqual({ value: 'shall pay within six days' });
	expect(readField(quote, said, '')).toMatchObject({ value: null });
	expect(readField(quote, '"n/a"', documents)).toEqual({ value: null });
	const rows = `[{"Place": ${said}}, {"Place": ${madeUp}}]`;
	expect(readField(DUTIES, rows, documents)).toMatchObject({
		value: [{ Place: 'shall pay within ten days' }, { Place: null }],
		unread: { 'x 2: Place': 'shall pay within six days' },
	});
});

const FITS: Record<string, (value: unknown) => boolean> = {
	text: (value) => typeof value === 'string' && value.trim() !== '',
	number: (value) => Number.isFinite(value),
	boolean: (value) => typeof value === 'boolean',
	date: (value) => typeof value === 'string' && new Date(value).toISOString().startsWith(value),
	choice: (value) => value === 'low' || value === 'medium' || value === 'high',
	list: (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
};

const ALMOST = [
	'1.000',
	'3/4/2026',
	'2026-04-03',
	'HIGH',
	'true',
	'7',
	'',
	'n/a',
	['a'],
	['a', 1],
	5,
];
const anyValue = fc.oneof(fc.jsonValue(), fc.constantFrom(...ALMOST));
const names = WANTED.map(({ name }) => name);
const anyObject = fc.record(Object.fromEntries(names.map((name) => [name, anyValue])), {
	requiredKeys: [],
});

test('whatever an answer has for the fields, each is there in the order of the parameter, with a value of its type or null', () => {
	fc.assert(
		fc.property(fc.string(), anyObject, fc.string(), (before, value, after) => {
			const { fields } = read(`${before}${JSON.stringify(value)}${after}`);
			expect(Object.keys(fields)).toEqual(names);
			for (const { name, type } of WANTED)
				expect(fields[name] === null || FITS[type]?.(fields[name]), name).toBe(true);
		}),
	);
});

/** How many objects are spoilt, each in eleven ways; more by hand. */
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
	const deeper = fc.oneof(anyValue, nasty, anyObject, fc.array(anyObject, { maxLength: 3 }));
	const more = fc.dictionary(
		fc.oneof(fc.constantFrom(...names, 'Risks'), nasty, fc.string()),
		deeper,
		{ maxKeys: 5 },
	);
	const piece = fc.oneof(
		fc.constantFrom(
			...'{}[]",:\\`'.split(''),
			'"x":',
			'"Law":',
			'"a"',
			'So: ',
			'```\n',
			'//',
			LOW,
			'{"Cap": 7}',
			'[1]',
		),
		anyObject.map((other) => JSON.stringify(other)),
	);
	const around = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
	const changed = (json: string, at: number, put: string, before: string, after: string) => [
		json.slice(0, at) + json.slice(at + 1),
		json.slice(0, at) + json.charAt(at) + json.slice(at),
		json.slice(0, at) + put + json.slice(at),
		json.slice(0, at),
		json.slice(at),
		before + json + after,
		before + json,
		`${json}${put}${json}`,
		`[${json}]`,
		`{"a": ${json}}`,
		JSON.stringify(json),
	];
	fc.assert(
		fc.property(
			fc.record({ Risk: deeper }),
			more,
			fc.constantFrom(0, 2),
			fc.nat(),
			fc.constantFrom(...'{}[]",:\\a/`(\n'.split('')),
			around,
			around,
			(risk, others, indent, place, put, before, after) => {
				const object = { ...others, ...risk };
				const json = JSON.stringify(object, null, indent);
				const places = placesOutsideValues(json);
				expect(places).not.toEqual([]);
				const said = WANTED.map(({ type }) =>
					Object.values(object).map(
						(value) =>
							readField({ type, choices: 'low, medium, high' }, JSON.stringify(value)).value,
					),
				);
				for (const answer of changed(
					json,
					places[place % places.length] ?? 0,
					put,
					before,
					after,
				)) {
					const values = Object.values(read(answer).fields);
					const isSaid = values.every(
						(value, index) =>
							value === null || said[index]?.some((of) => isDeepStrictEqual(of, value)),
					);
					if (!isSaid) expect.unreachable(`${JSON.stringify(values)} of ${answer}`);
				}
			},
		),
		{ numRuns: OBJECTS },
	);
});

describe('an answer of 4 MB is read in 3 seconds of processor time', () => {
	const whole = (piece: string) => piece.repeat(Math.ceil(4_000_000 / piece.length));
	test.each([
		'[',
		'{"Risk":',
		'{"',
		'{"a":{"Risk":"low"},',
		'[[]',
		'["",{"',
		'{"a":"b\\',
		'`',
		'[1',
		HIGH,
		' ',
		'{"Law":"',
	])('made of %s', (piece) => {
		const before = process.cpuUsage();
		read(whole(piece));
		read(`{"Law": "${whole('\\"')}`);
		expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
	});

	test('with a text of escapes, whole', () => {
		expect(read(`{"Law": "${whole('\\n\\u00e4')}x"}`).fields.Law).toHaveLength(1_000_000);
	});
});

test('the fields are asked for once, by their names and types', () => {
	const fields = [
		...WANTED,
		...saved({ name: 'Says "no"', type: 'list', description: 'Who objects' }, DUTIES),
	];
	expect(requestForFields(fields)?.split('\n')).toEqual([
		'End your answer with one JSON object in a ```json fence. It has these keys, each once, and no others. Use null for what the documents do not say.',
		'"Notice By": date as YYYY-MM-DD',
		'"Risk": one of "low", "medium", "high"',
		'"Parties": list of texts',
		'"Cap": number without currency or unit',
		'"Signed": true or false',
		'"Law": text',
		'"Says \\"no\\"": list of texts (Who objects)',
		'"Duties": list of objects, one for every row, none left out or summed up, each with "Who": text, "Due": date as YYYY-MM-DD, "Fee": number without currency or unit, "Met": true or false, "Place": the first ten words or so of the passage, exactly as they stand in the document',
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
	['The table "Duties" has no columns', { name: 'Duties', type: 'table' }],
	...[
		['"Column Name" is empty', { name: ' ' }],
		['"Column Name" can\'t be a whole number: 12', { name: '12' }],
		['"Columns" has "Who" twice', { name: 'Who' }, { name: ' Who ', type: 'date' }],
		['"Type" can\'t be "table"', { name: 'Who', type: 'table' }],
	].map(([message = '', ...column]): [string, INodeParameters] => [
		message as string,
		{ name: 'Duties', type: 'table', columns: { column: column as INodeParameters[] } },
	]),
])("fields that can't be asked for are an error: %s", (message, ...fields) => {
	expect(() => saved(...fields)).toThrow(message);
});

test('choices are trimmed, and may be a list from an expression', () => {
	const choices = [' a, b ', 2] as unknown as string;
	expect(saved({ name: 'Risk', type: 'choice', choices })).toMatchObject([
		{ type: 'choice', choices: ['a, b', '2'] },
	]);
});
