import type { INodeParameters } from 'n8n-workflow';

import { ASK, test, textWith } from '../../support/fixtures.mts';

const question = 'Is this NDA mutual?';

describe('question: ask', () => {
	test('outputs the question at once, with its assistant and its link', async ({
		service,
		run,
	}) => {
		const { items } = await run('question.ask', { question });
		const asked = service.asked();
		expect(asked).toMatchObject({ text: question, callbackUrl: undefined, syncMode: false });
		const session_url = textWith('http');
		expect(items).toMatchObject([
			{
				json: {
					id: asked.id,
					status: 'in_progress',
					answer: null,
					assistant_id: 'default',
					session_url,
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('sends nothing but the question if nothing else is filled in', async ({ service, run }) => {
		await run('question.ask', { question, additionalFields: { visibility: '' } });
		expect(service.requestsTo(ASK).map(({ body }) => body)).toEqual([{ question }]);
	});

	test('sends visibility and session if they are set', async ({ service, run }) => {
		await run('question.ask', { question, additionalFields: { visibility: 'organization' } });
		const { id, sessionId } = service.asked();
		await service.complete(id);
		const { hints } = await run('question.ask', { question, additionalFields: { sessionId } });
		expect(service.questions).toMatchObject([
			{ visibility: 'organization' },
			{ sessionId, followUp: true },
		]);
		expect(hints).toEqual([]);
	});

	test.for(['={{ $json.nothing }}', '={{ null }}', '={{ "" }}', '={{ "  " }}', ''])(
		'opens a new session, with a hint, if the session to continue is "%s"',
		async (sessionId, { service, run }) => {
			const { hints } = await run('question.ask', { question, additionalFields: { sessionId } });
			expect(service.questions).toMatchObject([{ followUp: false }]);
			expect(hints).toEqual([
				textWith(
					'Number of questions that opened a new session, because "Session ID" was empty: 1.',
				),
			]);
		},
	);

	test.for(['', '={{ $json.nobody }}'])(
		'asks the general assistant if the field holds "%s"',
		async (value, { service, run }) => {
			await run('question.ask', { question, assistantId: { __rl: true, mode: 'id', value } });
			expect(service.questions).toMatchObject([{ assistantId: 'default' }]);
		},
	);

	test.for<[string, INodeParameters, string]>([
		[
			'list',
			{ mode: 'list', value: 'pb-1', cachedResultName: 'NDA review' },
			'Use the playbook "NDA review" (id: pb-1).',
		],
		['ID', { mode: 'id', value: 'pb-1' }, 'Use the playbook with the id pb-1.'],
		['name', { mode: 'name', value: 'NDA review' }, 'Use the playbook "NDA review".'],
		// The editor keeps the name of an earlier choice.
		[
			'expression',
			{ mode: 'list', value: '={{ "pb-2" }}', cachedResultName: 'Lease review' },
			'Use the playbook with the id pb-2.',
		],
	])(
		'writes a playbook chosen by %s after the words of the user',
		async ([, playbook, sentence], { service, run }) => {
			await run('question.ask', { question, playbook: { __rl: true, ...playbook } });
			expect(service.questions).toMatchObject([{ text: `${question}\n\n${sentence}` }]);
		},
	);

	test('gives up at once if the service asks to wait for longer than the user allows, and says for how long', async ({
		service,
		run,
	}) => {
		service.faults.add({
			status: 429,
			headers: { 'retry-after': '1200' },
			match: ASK,
		});
		// A key of its own: whatever has the same key waits, too.
		const credential = { apiKey: 'sk-svc-api1-impatient' };
		const { error } = await run(
			'question.ask',
			{ question, options: { giveUpAfter: 15 } },
			{ credential },
		);
		expect(error?.description).toContain('The service asks you to wait 20 min.');
		expect(service.requests).toHaveLength(1);
	});
});

describe('invalid input is rejected before any request:', () => {
	test('a question that its references make too long', async ({ service, run }) => {
		const { error } = await run('question.ask', {
			question: 'x'.repeat(9_990),
			playbook: { __rl: true, mode: 'name', value: 'NDA review' },
		});
		expect(error?.message).toMatch(/^"Question" has 10,0.*$/);
		expect(service.requests).toHaveLength(0);
	});

	test('an operation that the node does not have', async ({ run }) => {
		const { error } = await run('question.sign', { question });
		expect(error?.message).toContain('"sign" is not an operation of "question"');
		expect(error?.description).toContain('Choose an operation');
	});

	test('one bad item keeps the good ones from being asked, unless the node continues on fail', async ({
		service,
		run,
	}) => {
		const parameters = { question: '={{ $json.words }}' };
		const items = [{ json: { words: 'Good?' } }, { json: {} }];
		const { error } = await run('question.ask', parameters, { items });
		expect(error?.message).toBe('"Question" is empty [item 1]');
		expect(service.requests).toHaveLength(0);

		const continued = await run('question.ask', parameters, {
			items,
			node: { onError: 'continueRegularOutput' },
		});
		expect(continued.items).toMatchObject([
			{ json: { status: 'in_progress' }, pairedItem: { item: 0 } },
			{ json: { error: '"Question" is empty [item 1]' }, pairedItem: { item: 1 } },
		]);
		expect(service.questions).toHaveLength(1);
	});

	test('NUL and halves of characters are sent as the character for what has none', async ({
		service,
		run,
	}) => {
		const items = [{ json: { words: 'May\0 we \ud83d sign \udd8a this 🖊?' } }];
		const playbook = { __rl: true, mode: 'name', value: '={{ "ND\udc00A" }}' };
		await run('question.ask', { question: '={{ $json.words }}', playbook }, { items });
		expect(service.asked().text).toBe(
			'May\ufffd we \ufffd sign \ufffd this 🖊?\n\nUse the playbook "ND\ufffdA".',
		);
	});
});
