import type { INodeParameters } from 'n8n-workflow';

import {
	ASK,
	binaryItem,
	CHECK,
	legalAiNode,
	readBinary,
	type Sandbox,
	test,
	textWith,
	workflowAround,
} from '../../support/fixtures.mts';
import type { Outcome } from '../../sandbox/state/answers.mts';

test.override({
	serviceOptions: {
		answer: ({ text }) => {
			const found = ANSWERS[text.split('\n', 1).join()];
			return found ? { ...found, after: 0 } : { status: 'completed', answer: '', after: Infinity };
		},
	},
	timesFaster: 100,
});

type Answer = Omit<Outcome, 'after'>;

/** What questions are answered, by their words; any others are not. */
const ANSWERS: Record<string, Answer> = {
	'Fine?': { status: 'completed', answer: 'So. {"Risk": "low"}' },
	'Missing?': { status: 'completed', answer: 'No idea. {"Risk": null, "Law": "Ohio"}' },
	'Failed?': { status: 'error', answer: 'The PDF is locked.' },
	'Declined?': { status: 'filtered', answer: null, reason: 'Not a legal question.' },
	'Odd?': { status: 'filtered', answer: null, reason: 'Tax matters \u0096 not ours.' },
};

const asking = (options: INodeParameters) => ({
	question: '={{ $json.words }}',
	answerFields: {
		field: [
			{ name: 'Risk', type: 'choice', choices: 'low, high' },
			{ name: 'Law', required: false },
		],
	},
	options: { waitUsing: 'polling', maxWait: 0, ...options },
});
const failing = asking({ onNoAnswer: 'fail' });

const itemsFor = (...all: string[]) =>
	Promise.all(
		all.map(async (words) => ({
			...(await binaryItem(`Contract of ${words}`)),
			json: { words, matter: 'M-1' },
		})),
	);

/** The question that begins with these words: the node adds what it asks for. */
function askedAs({ questions }: Sandbox, words: string) {
	const found = questions.find(({ text }) => text.startsWith(words));
	if (found === undefined) throw new Error(`"${words}" was not asked`);
	return found;
}

const ALL = ['Fine?', 'Missing?', 'Failed?', 'Declined?', 'Late?'];

test('with an error output, what has no answer goes there whatever the reason, whole, with the fields and files of its item', async ({
	service,
	run,
}) => {
	const {
		outputs: [success = [], errors = []],
		hints,
	} = await run('question.askAndWait', failing, {
		items: await itemsFor(...ALL),
		node: { onError: 'continueErrorOutput' },
	});
	expect(success).toMatchObject([{ json: { status: 'completed', fields: { Risk: 'low' } } }]);
	expect(success[0]?.json).not.toHaveProperty('words');
	expect(errors).toMatchObject([
		{
			json: {
				error: 'Required answer fields are missing or could not be read: Risk [item 1]',
				words: 'Missing?',
				status: 'completed',
				fields: { Risk: null, Law: 'Ohio' },
				missing_fields: ['Risk'],
				answer: 'No idea.',
			},
		},
		{
			json: {
				error: 'The service could not answer: The PDF is locked. [item 2]',
				words: 'Failed?',
				status: 'error',
				answer: 'The PDF is locked.',
			},
		},
		{
			json: {
				error: 'The assistant declined the question: Not a legal question. [item 3]',
				words: 'Declined?',
				status: 'filtered',
				reason: 'Not a legal question.',
			},
		},
		{
			json: {
				error: 'The question was not answered in time [item 4]',
				words: 'Late?',
				status: 'in_progress',
				timed_out: true,
			},
		},
	]);
	for (const [index, item] of errors.entries()) {
		const { json, pairedItem } = item;
		const words = ALL[index + 1] ?? '';
		const { id } = askedAs(service, words);
		expect(json).toMatchObject({ matter: 'M-1', id, assistant_id: 'default' });
		expect(json.details).toEqual({ description: textWith(id) });
		expect(pairedItem).toEqual({ item: index + 1 });
		expect((await readBinary(item)).toString()).toBe(`Contract of ${words}`);
	}
	expect(hints).toEqual([]);
});

test('by default, all of them are output, with hints, and with fields if there is an answer', async ({
	run,
}) => {
	const { json, hints } = await run('question.askAndWait', asking({}), {
		items: await itemsFor(...ALL),
	});
	expect(json.map(({ status }) => status)).toEqual([
		'completed',
		'completed',
		'error',
		'filtered',
		'in_progress',
	]);
	expect(json.map((each) => 'fields' in each)).toEqual([true, true, false, false, false]);
	expect(hints.map((hint) => hint.split(':', 1).join()).toSorted()).toEqual([
		'Number of answers with fields that are missing or could not be read',
		'Number of questions that have no answer yet',
		'Number of questions that the assistant declined',
		'Number of questions that the service could not answer',
	]);
});

test.for([
	['get', {}],
	['waitForAnswer', { maxWait: 0 }],
] as const)(
	'question: %s fails an item without an answer, too',
	async ([operation, more], { service, run }) => {
		const asked = ALL.filter((words) => words !== 'Missing?');
		const items = await itemsFor(...asked);
		await run('question.ask', { question: '={{ $json.words }}' }, { items });
		const {
			outputs: [success = [], errors = []],
		} = await run(
			`question.${operation}`,
			{ options: { onNoAnswer: 'fail', ...more } },
			{
				items: items.map(({ json, ...item }) => ({
					...item,
					json: { id: service.asked(json.words).id },
				})),
				node: { onError: 'continueErrorOutput' },
			},
		);
		expect(success.map(({ json }) => json.status)).toEqual(['completed']);
		expect(errors.map(({ json }) => json.error)).toEqual([
			'The service could not answer: The PDF is locked. [item 1]',
			'The assistant declined the question: Not a legal question. [item 2]',
			operation === 'get'
				? 'The question has no answer yet [item 3]'
				: 'The question was not answered in time [item 3]',
		]);
	},
);

describe('a completed question', () => {
	const waiting = { waitUsing: 'polling', onNoAnswer: 'fail' };

	test.for<[string, string | null]>([
		['is empty', ''],
		['is blank', ' \n'],
		['is null', null],
	])(
		'whose answer %s fails, also if no answer field is required',
		async ([, answer], { service, run }) => {
			service.settings.answer = () => ({ status: 'completed', answer, after: 0 });
			const { error } = await run('question.askAndWait', {
				question: 'Fine?',
				answerFields: { field: [{ name: 'Law', required: false }] },
				options: waiting,
			});
			expect(error?.message).toBe('The service completed the question without an answer');
		},
	);

	test('that has no answer is output with a hint, unless it has to fail', async ({
		service,
		run,
	}) => {
		service.settings.answer = () => ({ status: 'completed', answer: null, after: 0 });
		const { json, hints } = await run('question.askAndWait', {
			question: 'Fine?',
			options: { ...waiting, onNoAnswer: 'output' },
		});
		expect(json).toMatchObject([{ status: 'completed', answer: null }]);
		expect(hints).toEqual([textWith('completed without an answer: 1. Ask again')]);
	});

	test('that has a file and no text does not fail', async ({ service, run }) => {
		const content = Buffer.from('The redline');
		const attachments = [{ fileName: 'redline.txt', contentType: 'text/plain', content }];
		service.settings.answer = () => ({ status: 'completed', answer: '', after: 0, attachments });
		const { json } = await run('question.askAndWait', { question: 'Fine?', options: waiting });
		expect(json).toMatchObject([{ status: 'completed', answer: '' }]);
	});

	test('whose text was all read into fields does not fail, in a later node neither', async ({
		service,
		run,
	}) => {
		service.settings.answer = () => ({ status: 'completed', answer: '{"Law": "Ohio"}', after: 0 });
		const { items } = await run('question.askAndWait', {
			question: 'Fine?',
			answerFields: { field: [{ name: 'Law' }] },
			options: waiting,
		});
		const { json } = await run(
			'question.waitForAnswer',
			{ options: { onNoAnswer: 'fail' } },
			{ items },
		);
		expect(json).toMatchObject([{ answer: '', fields: { Law: 'Ohio' } }]);
	});
});

test('a retry asks again what ended with "error", and looks at what was declined or timed out', async ({
	service,
	run,
}) => {
	const failed = await run('question.askAndWait', failing, {
		items: await itemsFor('Failed?', 'Declined?', 'Late?'),
	});
	expect(failed.status).toBe('error');
	expect(service.requestsTo(ASK)).toHaveLength(3);
	service.settings.answer = () => ({ status: 'completed', answer: '{"Risk": "high"}', after: 0 });
	await service.complete(askedAs(service, 'Late?').id, { answer: '{"Risk": "low"}' });
	const before = service.requestsTo(CHECK).length;
	const retried = await failed.retry();
	expect(retried.error?.message).toBe(
		'The assistant declined the question: Not a legal question. [item 1]',
	);
	expect(service.requestsTo(ASK)).toHaveLength(4);
	expect(service.questions.at(-1)?.text).toContain('Failed?');
	const looked = service.requestsTo(CHECK).slice(before);
	expect(looked.some(({ path }) => path.includes(askedAs(service, 'Late?').id))).toBe(true);
});

test('an error about a missing field says what is missing, how the answer begins, and where Required is, and names its question once', async ({
	run,
}) => {
	const { error } = await run('question.askAndWait', failing, {
		items: await itemsFor('Missing?'),
	});
	expect(error?.message).toBe('Required answer fields are missing or could not be read: Risk');
	expect(error?.description).toMatch(
		/^The answer begins: No idea\. To accept .*turn off "Required" of the field, in "Answer Fields"/,
	);
	const [{ id }] = error?.context.accepted as [{ id: string }];
	expect(error?.description?.split(id)).toHaveLength(2);
});

test('an answer with missing fields is read anew in a retry, from the whole answer', async ({
	service,
	run,
}) => {
	const failed = await run('question.askAndWait', failing, { items: await itemsFor('Missing?') });
	const retried = await failed.retry();
	expect(retried.error?.message).toBe(
		'Required answer fields are missing or could not be read: Risk',
	);
	expect(service.requestsTo(ASK)).toHaveLength(1);
	const { json } = await run('question.askAndWait', failing, {
		items: await itemsFor('Missing?'),
		node: { onError: 'continueRegularOutput', retryOnFail: true, waitBetweenTries: 0 },
	});
	expect(json).toMatchObject([{ fields: { Risk: null, Law: 'Ohio' }, answer: 'No idea.' }]);
});

test('the reason for a decline is told, also if a character of it was decoded wrongly', async ({
	run,
}) => {
	const { error } = await run('question.askAndWait', failing, { items: await itemsFor('Odd?') });
	expect(error?.message).toBe('The assistant declined the question: Tax matters not ours.');
});

test('once a field is required no longer, as the error advises, a retry outputs the answer, and asks nothing again', async ({
	service,
	run,
}) => {
	const parameters = (required: boolean): INodeParameters => ({
		...{ resource: 'question', operation: 'askAndWait', question: 'Missing?' },
		answerFields: { field: [{ name: 'Risk', type: 'text', required }] },
		options: { waitUsing: 'polling', onNoAnswer: 'fail' },
	});
	const failed = await run('question.askAndWait', parameters(true));
	expect(failed.error?.description).toContain('turn off "Required"');
	const edited = workflowAround(legalAiNode({ parameters: parameters(false) }));
	expect((await failed.retry(edited)).json).toMatchObject([{ fields: { Risk: null } }]);
	expect(service.questions).toHaveLength(1);
});
