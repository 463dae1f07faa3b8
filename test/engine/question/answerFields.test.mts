import type { INodeParameters } from 'n8n-workflow';

import { test } from '../../support/fixtures.mts';

/** Answers with the question's first line, which is what the user has asked. */
test.override({
	serviceOptions: {
		answer: ({ text }) => ({ status: 'completed', answer: text.split('\n', 1).join(), after: 0 }),
	},
	timesFaster: 100,
});

const answerFields = {
	field: [
		{
			name: 'Risk',
			type: 'choice',
			choices: '={{ $json.choices ?? "low, high" }}',
		},
		{
			name: 'Notice By',
			// Of a field whose type is an expression, n8n keeps the choices.
			type: '={{ "date" }}',
			choices: 'soon, late',
			description: 'Last day to give notice',
			required: false,
		},
		{ name: 'Parties', type: 'list', required: '={{ $json.parties ?? false }}' },
	],
};

const asking = (options: INodeParameters = {}) => ({
	question: '={{ $json.words }}',
	answerFields,
	options: { waitUsing: 'polling', ...options },
});

const item = (words: string, more: object = {}) => ({
	json: { words, ...more },
});

const SAID = 'Two risks. {"Parties": ["Acme"], "Risk": "HIGH", "Notice By": "2026-04-03"}';
const READ = { Risk: 'high', 'Notice By': '2026-04-03', Parties: ['Acme'] };
const NOTHING = { Risk: null, 'Notice By': null, Parties: null };

test('the fields are asked for at the end of the question, and read out of the answer in their order', async ({
	service,
	run,
}) => {
	const { json, hints } = await run(
		'question.askAndWait',
		{ ...asking(), playbook: { __rl: true, mode: 'name', value: 'NDA' } },
		{ items: [item(SAID)] },
	);
	expect(service.asked().text).toMatch(
		/^Two risks.*\n\nUse the playbook "NDA"\.\n\nEnd your answer with .*\n"Risk": one of "low", "high"\n"Notice By": date as YYYY-MM-DD \(Last day to give notice\)\n/,
	);
	expect(json).toMatchObject([{ status: 'completed', answer: 'Two risks.', fields: READ }]);
	expect(Object.keys(json[0] ?? {}).slice(0, 5)).toEqual([
		'status',
		'fields',
		'answer',
		'reason',
		'session_url',
	]);
	expect(Object.keys(json[0]?.fields ?? {})).toEqual(['Risk', 'Notice By', 'Parties']);
	expect(json[0]).not.toHaveProperty('missing_fields');
	expect(hints).toEqual([]);
});

test('fields without a value are listed, counted and named, each item with the fields that it has asked for', async ({
	run,
}) => {
	const items = [
		item(SAID),
		item('No idea.', { parties: true }),
		item('Soon. {"Risk": "low or high", "Notice By": "in May"}'),
		item(SAID, { choices: ['Low', 'High'] }),
		item(`{"Risk": "low"} or ${SAID}`),
		item('{"Risk": "the "high" one"}'),
		item(`As of [May: ${SAID}`),
	];
	const { json, hints } = await run('question.askAndWait', asking(), { items });
	expect(json).toMatchObject([
		{ answer: 'Two risks.', fields: READ },
		{ answer: 'No idea.', fields: NOTHING, missing_fields: ['Risk', 'Parties'] },
		{
			answer: 'Soon.',
			fields: NOTHING,
			unread_fields: { Risk: 'low or high', 'Notice By': 'in May' },
			missing_fields: ['Risk'],
		},
		{ fields: { ...READ, Risk: 'High' } },
		{ answer: `{"Risk": "low"} or ${SAID}`, fields: NOTHING, missing_fields: ['Risk'] },
		{ answer: '{"Risk": "the "high" one"}', fields: NOTHING },
		{ answer: `As of [May: ${SAID}`, fields: NOTHING },
	]);
	expect(hints.toSorted()).toEqual([
		'Number of answers with a bracket left open before the answer fields, or other JSON beside them, so that none was read: 1. Read them in "answer".',
		'Number of answers with an object that is not valid JSON, so that none was read: 1. Read them in "answer".',
		'Number of answers with fields that are missing or could not be read: 5. Names: "Risk", "Notice By", "Parties". Check "missing_fields" and "unread_fields" before you use "fields".',
		'Number of answers with the answer fields in several places, so that none was read: 1. Read them in "answer".',
	]);
});

const tables = {
	question: '={{ $json.words }}',
	answerFields: {
		field: [
			{
				name: 'Duties',
				type: 'table',
				columns: {
					column: [
						{ name: 'Who', type: 'text' },
						{ name: 'Due', type: 'date' },
						{ name: 'Place', type: 'quote' },
					],
				},
			},
			{ name: 'Risk', required: false },
		],
	},
};
const DUTIES =
	'Two. {"Duties": [{"Who": "Buyer", "Due": "2026-05-31", "Place": "shall pay the fees"}, {"Who": "Seller", "Due": "soon", "Place": "may deliver the goods"}]}';
const DOCUMENT = 'The Buyer shall pay the fees. The Seller shall deliver the goods.';

test.for<[string, INodeParameters, string | null, string | null, string[]]>([
	['is not added', {}, 'shall pay the fees', 'may deliver the goods', []],
	[
		'has the text of the documents',
		{ checkQuotes: `={{ "${DOCUMENT}" }}` },
		'shall pay the fees',
		null,
		[],
	],
	...['', ' ', '={{ $json.nothing }}', '={{ null }}'].map(
		(checkQuotes): [string, INodeParameters, null, null, string[]] => [
			`is "${checkQuotes}"`,
			{ checkQuotes },
			null,
			null,
			[
				'Number of answers whose quotes could not be checked, because "Check Quotes Against" was empty: 1. A scan has no text. Recognize its text first (OCR), or remove the option.',
			],
		],
	),
])(
	'a table has its rows, and only quotes of the documents if "Check Quotes Against" %s',
	async ([, options, first, second, told], { run }) => {
		const { json, hints } = await run(
			'question.askAndWait',
			{ ...tables, options: { waitUsing: 'polling', ...options } },
			{ items: [item(DUTIES)] },
		);
		expect(json).toMatchObject([
			{
				answer: 'Two.',
				fields: {
					Duties: [
						{ Who: 'Buyer', Due: '2026-05-31', Place: first },
						{ Who: 'Seller', Due: null, Place: second },
					],
				},
				unread_fields: {
					'Duties 2: Due': 'soon',
					...(first === null && { 'Duties 1: Place': 'shall pay the fees' }),
					...(second === null && { 'Duties 2: Place': 'may deliver the goods' }),
				},
			},
		]);
		expect(hints).toEqual(expect.arrayContaining(told));
		expect(hints).toHaveLength(told.length + 1);
	},
);

test('without a field for quotes, nothing is said about checking them', async ({ run }) => {
	const { hints } = await run('question.askAndWait', asking({ checkQuotes: '' }), {
		items: [item(SAID)],
	});
	expect(hints).toEqual([]);
});

test('the fields are read from answers that callbacks bring to a paused execution', async ({
	service,
	run,
}) => {
	service.settings.answer = undefined;
	const parked = await run('question.askAndWait', asking({ waitUsing: 'callback' }), {
		items: [item('One?'), item('Two?', { choices: 'Low, High' })],
	});
	expect(parked.status).toBe('waiting');
	for (const { id } of service.questions) await service.complete(id, { answer: SAID });
	expect((await parked.resumed()).json).toMatchObject([
		{ fields: READ },
		{ fields: { ...READ, Risk: 'High' } },
	]);
});

test('what is asked for counts toward the length of a question, and an error says by how much it is too long', async ({
	service,
	run,
}) => {
	await run('question.askAndWait', asking(), { items: [item('x')] });
	const room = 10_000 - service.asked().text.length;
	const { error } = await run('question.askAndWait', asking(), {
		items: [item('x'.repeat(room + 3))],
	});
	expect(error?.message).toBe('"Question" has 10,002 characters, 2 more than the limit of 10,000');
	const fitting = await run('question.askAndWait', asking(), {
		items: [item('x'.repeat(room + 1))],
	});
	expect(fitting.error).toBeUndefined();
	expect(service.questions).toHaveLength(2);
});

test('a type by expression is one of its own for each item, and what belongs to another type is not read', async ({
	service,
	run,
}) => {
	const byItem = {
		name: 'Value',
		type: '={{ $json.type }}',
		choices: '={{ $json.choices }}',
		columns: { column: [{ name: '={{ $json.column }}' }] },
	};
	// A node that did not run gives an error to whoever reads it.
	const failing = '={{ $("Not There").item.json.x }}';
	const items = [
		item('One', { type: 'text' }),
		item('Two', { type: 'choice', choices: 'low, high' }),
		item('Three', { type: 'table', column: 'Duty' }),
	];
	const other = { name: 'Other', type: '={{ "text" }}', choices: failing, columns: failing };
	const parameters = { ...asking(), answerFields: { field: [other, byItem] } };
	const { error } = await run('question.askAndWait', parameters, { items });
	expect(error?.message).toBeUndefined();
	const requests = service.questions.map(({ text }) => text.split('\n').at(-1));
	expect(requests.toSorted()).toEqual([
		'"Value": list of objects, one for every row, none left out or summed up, each with "Duty": text',
		'"Value": one of "low", "high"',
		'"Value": text',
	]);

	const lacking = [item('One', { type: 'choice' })];
	const { error: empty } = await run('question.askAndWait', parameters, { items: lacking });
	expect(empty?.message).toBe('"Choices" is empty');
});

test('a table without columns fails with where they are added', async ({ run }) => {
	const table = { name: 'Duties', type: 'table', columns: {} };
	const parameters = { ...asking(), answerFields: { field: [table] } };
	const { error } = await run('question.askAndWait', parameters, { items: [item('One')] });
	expect(error?.message).toBe('The table "Duties" has no columns');
	expect(error?.description).toBe('Add at least one in "Columns", below the type of the field.');
});
