import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import {
	answerFields,
	readFields,
	requestForFields,
	type AnswerWithFields,
} from '../../../nodes/LegalAi/resources/question/answerFields.ts';
import {
	readFieldValue,
	type FieldType,
} from '../../../nodes/LegalAi/resources/question/fieldReaders.ts';
import type { ValueOf } from '../../../nodes/LegalAi/parameters/parameter.ts';

type Wanted = ValueOf<typeof answerFields>;

/** The parameter's value, as it is read from what a workflow has saved. */
function saved(...field: INodeParameters[]): Wanted {
	const item = {
		timezone: 'UTC',
		json: {},
		files: {},
		isFileField: () => false,
		isExpression: () => false,
	};
	return answerFields.read((name) => (name === 'answerFields' ? { field } : undefined), item);
}

const WANTED = saved(
	{ name: 'Notice By', type: 'date' },
	{ name: 'Risk', type: 'choice', choices: 'low, medium, high', required: true },
	{ name: 'Parties', type: 'list' },
	{ name: 'Cap', type: 'number' },
	{ name: 'Signed', type: 'boolean' },
	{ name: 'Law' },
);

const NONE = { 'Notice By': null, Risk: null, Parties: null, Cap: null, Signed: null, Law: null };

const read = (answer: string): AnswerWithFields => readFields(answer, WANTED);

const HIGH = '{"Risk": "high"}';
const FULL =
	'{\n  "Notice By": "2026-04-03",\n  "Risk": "high",\n  "Parties": ["Acme, Inc.", "Müller GmbH"],\n  "Cap": 1000.5,\n  "Signed": false,\n  "Law": "Delaware"\n}';
const ALL = {
	'Notice By': '2026-04-03',
	Risk: 'high',
	Parties: ['Acme, Inc.', 'Müller GmbH'],
	Cap: 1000.5,
	Signed: false,
	Law: 'Delaware',
};

/** What models answer: the values that are read, those not named null, and the text that is left. */
test.each<[kind: string, answer: string, values: object, left: string]>([
	['nothing else', FULL, ALL, ''],
	['a fence', `\`\`\`json\n${FULL}\n\`\`\``, ALL, ''],
	['prose before', `The cap is low.\n\n${FULL}`, ALL, 'The cap is low.'],
	[
		'prose before and after a fence',
		`Sum.\n\n\`\`\`json\n${HIGH}\n\`\`\`\n\nRegards`,
		{ Risk: 'high' },
		'Sum.\n\nRegards',
	],
	['a fence that does not end', `Sum.\n\`\`\`\n${HIGH}`, { Risk: 'high' }, 'Sum.'],
	['a fence of tildes', `Sum.\n~~~json5\n${HIGH}\n~~~`, { Risk: 'high' }, 'Sum.'],
	[
		'a fence in a sentence',
		`The result: \`${HIGH}\`. Done.`,
		{ Risk: 'high' },
		'The result:\n\n. Done.',
	],
	[
		'a fence with more in it',
		`\`\`\`\nResult: ${HIGH}\n\`\`\``,
		{ Risk: 'high' },
		'```\nResult:\n\n```',
	],
	[
		'two objects of equal worth: the last',
		`Draft {"Risk": "low"}, better ${HIGH}`,
		{ Risk: 'high' },
		'Draft {"Risk": "low"}, better',
	],
	[
		'two objects: the one with more names',
		`{"Law": "Ohio", "Cap": 5} and ${HIGH}`,
		{ Law: 'Ohio', Cap: 5 },
		`and ${HIGH}`,
	],
	[
		'the schema first',
		`{"Risk": "one of low, medium, high"}\n${HIGH}`,
		{ Risk: 'high' },
		'{"Risk": "one of low, medium, high"}',
	],
	...['string', 'word', 'end', 'high', 'NaN', '-'].map((word): [string, string, object, string] => {
		return [
			`the word ${word} without quotes first`,
			`{"Risk": ${word}, "Law": "Ohio"}\n${HIGH}`,
			{ Risk: 'high' },
			`{"Risk": ${word}, "Law": "Ohio"}`,
		];
	}),
	['nested', `See {"result": ${HIGH}}.`, { Risk: 'high' }, 'See\n\n.'],
	[
		'nested and not: the shallowest',
		'{"Risk": "low", "before": {"Risk": "high"}}',
		{ Risk: 'low' },
		'',
	],
	[
		'more names inside',
		'{"Risk": "low", "all": {"Risk": "high", "Cap": 7}}',
		{ Risk: 'high', Cap: 7 },
		'',
	],
	['an array', `[${HIGH}, {"Risk": "low"}]`, { Risk: 'low' }, ''],
	['deeply nested', `${'[{"a":'.repeat(300)}${HIGH}${'}]'.repeat(300)}`, { Risk: 'high' }, ''],
	['keys in German', '{"Risiko": "hoch", "Haftung": 5}', {}, '{"Risiko": "hoch", "Haftung": 5}'],
	['keys in another case', '{"risk": "high"}', {}, '{"risk": "high"}'],
	['more keys than asked for', '{"Risk": "high", "Note": "x"}', { Risk: 'high' }, ''],
	['a key that is escaped', '{"\\u0052isk": "high"}', { Risk: 'high' }, ''],
	[
		'the same key twice: as JSON has it, the last',
		'{"Risk": "low", "Risk": "high"}',
		{ Risk: 'high' },
		'',
	],
	['no JSON', 'The risk is high.', {}, 'The risk is high.'],
	['cut off', '{"Risk": "high", "Parties": ["Ac', {}, '{"Risk": "high", "Parties": ["Ac'],
	[
		'cut off, with an older object in it',
		'{"old": {"Risk": "low"}, "new": {"Ri',
		{},
		'{"old": {"Risk": "low"}, "new": {"Ri',
	],
	['cut off, with white space after it', '[{"Risk": "low"}, \n', {}, '[{"Risk": "low"}, \n'],
	[
		'a bracket and a quotation around it',
		`[${HIGH} "as of today"`,
		{ Risk: 'high' },
		'[\n\n"as of today"',
	],
	['cut off in a word', '[{"Risk": "low"}, tru', {}, '[{"Risk": "low"}, tru'],
	['cut off after a complete object', `${HIGH} {"Risk": "lo`, { Risk: 'high' }, '{"Risk": "lo'],
	['escaped JSON in a text', '"{\\"Risk\\": \\"high\\"}"', {}, '"{\\"Risk\\": \\"high\\"}"'],
	['JSON in a text of JSON', '{"Law": "{\\"Risk\\": \\"high\\"}"}', { Law: HIGH }, ''],
	['single quotes', "{'Risk': 'high'}", {}, "{'Risk': 'high'}"],
	['smart quotes', '{“Risk”: “high”}', {}, '{“Risk”: “high”}'],
	[
		'a space that JSON does not have',
		`{\u00a0"Risk": "low"} ${HIGH}`,
		{ Risk: 'high' },
		'{\u00a0"Risk": "low"}',
	],
	['a trailing comma', '{"Risk": "high",}', {}, '{"Risk": "high",}'],
	['a comment', '{"Risk": "high" // cap\n}', {}, '{"Risk": "high" // cap\n}'],
	[
		'quotes in a text that are not escaped',
		'{"Law": "the "Ohio" law"}',
		{},
		'{"Law": "the "Ohio" law"}',
	],
	['a line break in a text', '{"Law": "Ohio\nlaw"}', {}, '{"Law": "Ohio\nlaw"}'],
	[
		'brackets of prose before',
		`Section [2] says {see annex}. [${HIGH} as of today`,
		{ Risk: 'high' },
		'Section [2] says {see annex}. [\n\nas of today',
	],
	['a quote without an end before', `{"a": "5} ${HIGH}`, { Risk: 'high' }, '{"a": "5}'],
	[
		'values of other types',
		'{"Notice By": 20260403, "Risk": 2, "Parties": "Acme, Inc.", "Cap": "high", "Signed": 1, "Law": {"state": "Ohio"}}',
		{},
		'',
	],
	[
		'words for nothing',
		'{"Notice By": "n/a", "Risk": "unknown", "Parties": "none", "Cap": "null", "Signed": "", "Law": " "}',
		{},
		'',
	],
	[
		'null',
		'{"Notice By": null, "Risk": null, "Parties": null, "Cap": null, "Signed": null, "Law": null}',
		{},
		'',
	],
])('an answer with %s', (_, answer, values, left) => {
	expect(read(answer)).toEqual({
		answer: left,
		fields: { ...NONE, ...values },
		...('Risk' in values ? {} : { missing_fields: ['Risk'] }),
	});
});

const choice: FieldType = { kind: 'choice', choices: ['Low', 'High', '3'] };

test.each<[type: FieldType['kind'], read: [value: unknown, as: unknown][], unfit: unknown[]]>([
	[
		'text',
		[
			['Ohio', 'Ohio'],
			[' Ohio\n', 'Ohio'],
			['n/a', 'n/a'],
		],
		['', ' ', 1.1, true, ['Ohio'], {}],
	],
	[
		'number',
		[
			[0, 0],
			[-1.5, -1.5],
			[1e-3, 0.001],
			['1000', 1000],
			['1000.5', 1000.5],
			[' -2 ', -2],
			['0.125', 0.125],
			['1.5', 1.5],
		],
		[
			'',
			'1.000',
			'1,000',
			'1.000.000',
			'1,5',
			'1 000',
			'1e3',
			'007',
			'$5',
			'5 %',
			'5 days',
			'five',
			'.5',
			'5.',
			'0x10',
			1e999,
			2 ** 53,
			'9007199254740993',
			'0.12345678901234567',
			true,
			[5],
		],
	],
	[
		'boolean',
		[
			[true, true],
			[false, false],
			['true', true],
			[' FALSE', false],
		],
		['yes', 'No', 'ja', '1', 1, 0, '', [], 'constructor'],
	],
	[
		'date',
		[
			['2026-04-03', '2026-04-03'],
			['3 April 2026', '2026-04-03'],
			['03 apr 2026', '2026-04-03'],
			['April 3, 2026', '2026-04-03'],
			['Sept. 1st, 2026', '2026-09-01'],
			['3. April 2026', '2026-04-03'],
			['29 February 2028', '2028-02-29'],
		],
		[
			'',
			'3/4/2026',
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
			1775174400000,
			'0000-01-01',
			'0 May 2026',
		],
	],
	[
		'choice',
		[
			['high', 'High'],
			[' LOW ', 'Low'],
			[3, '3'],
			['3', '3'],
		],
		['', 'higher', 'High risk', 'Low, High', ['High'], 3.5, true],
	],
	[
		'list',
		[
			[
				['a', 'b, c'],
				['a', 'b, c'],
			],
			[[], []],
		],
		['a', 'a, b', ['a', 1], [['a']], [null], {}],
	],
])('a %s is read only if it can be read in one way', (kind, fitting, unfit) => {
	const type = kind === 'choice' ? choice : { kind };
	for (const [value, as] of fitting)
		expect(readFieldValue(type, value), JSON.stringify(value)).toEqual(as);
	for (const value of [...unfit, null, undefined])
		expect(readFieldValue(type, value), JSON.stringify(value)).toBeNull();
});

const FITS: Record<FieldType['kind'], (value: unknown) => boolean> = {
	text: (value) => typeof value === 'string' && value.trim() !== '',
	number: (value) => Number.isFinite(value),
	boolean: (value) => typeof value === 'boolean',
	date: (value) => typeof value === 'string' && new Date(value).toISOString().startsWith(value),
	choice: (value) => value === 'low' || value === 'medium' || value === 'high',
	list: (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
};

test('whatever an answer has for the fields, each is there in the order of the parameter, with a value of its type or null', () => {
	const almost = fc.constantFrom(
		'1.000',
		'3/4/2026',
		'2026-02-30',
		'2026-04-03',
		'HIGH',
		'true',
		'7',
		'',
		'n/a',
		['a'],
		['a', 1],
	);
	const content = fc.record(
		Object.fromEntries(WANTED.map(({ name }) => [name, fc.oneof(fc.jsonValue(), almost)])),
		{ requiredKeys: [] },
	);
	fc.assert(
		fc.property(fc.string(), content, fc.string(), (before, value, after) => {
			const { fields } = read(`${before}${JSON.stringify(value)}${after}`);
			expect(Object.keys(fields)).toEqual(WANTED.map(({ name }) => name));
			for (const { name, type } of WANTED)
				expect(fields[name] === null || FITS[type.kind](fields[name]), name).toBe(true);
		}),
	);
});

test('an object is found whatever text is around it, and no part of it once its end is cut off', () => {
	const prose = fc.string({ unit: fc.constantFrom(...'a {}[]",:\\\n`'.split('')), maxLength: 12 });
	fc.assert(
		fc.property(prose, fc.jsonValue(), fc.nat(200), (before, other, cut) => {
			const object = JSON.stringify({ other, Risk: 'high', Law: 'Ohio' });
			// A quote or bracket in front may make it part of something else.
			if (!/[{["]/.test(before))
				expect(read(`${before}${object}`).fields).toEqual({ ...NONE, Risk: 'high', Law: 'Ohio' });
			expect(
				read(JSON.stringify([{ Risk: 'low' }, { other, Risk: 'high' }]).slice(0, -1 - (cut % 10)))
					.fields,
			).toEqual(NONE);
		}),
	);
});

describe('an answer of 4 MB is read in 3 seconds of processor time', () => {
	const whole = (piece: string): string => piece.repeat(Math.ceil(4_000_000 / piece.length));
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
		...saved({ name: 'Says "no"', type: 'list', description: 'Who objects' }),
	];
	expect(requestForFields(fields)?.split('\n')).toEqual([
		"End your answer with a JSON object that has these keys. Use null for what you can't say for sure.",
		'"Notice By": date as YYYY-MM-DD',
		'"Risk": one of "low", "medium", "high"',
		'"Parties": list of texts',
		'"Cap": number',
		'"Signed": true or false',
		'"Law": text',
		'"Says \\"no\\"": list of texts (Who objects)',
	]);
	expect(requestForFields([])).toBeUndefined();
});

test.each<[message: string, ...fields: INodeParameters[]]>([
	['"Name" is empty', { name: ' ' }],
	['"Name" can\'t be a whole number: 12', { name: ' 12 ' }],
	['"Answer Fields" has "Risk" twice', { name: 'Risk' }, { name: ' Risk', type: 'number' }],
	['"Answer Fields" can\'t contain "__proto__"', { name: '__proto__' }],
	['"Choices" is empty', { name: 'Risk', type: 'choice' }],
	['"Choices" has "LOW" twice', { name: 'Risk', type: 'choice', choices: 'low, LOW ' }],
	['"Type" can\'t be "money"', { name: 'Cap', type: 'money' }],
])("fields that can't be asked for are an error: %s", (message, ...fields) => {
	expect(() => saved(...fields)).toThrow(message);
});

test('choices are trimmed, and may be a list from an expression', () => {
	const choices = [' a, b ', 2] as unknown as string;
	expect(saved({ name: 'Risk', type: 'choice', choices })).toMatchObject([
		{ type: { kind: 'choice', choices: ['a, b', '2'] } },
	]);
});
