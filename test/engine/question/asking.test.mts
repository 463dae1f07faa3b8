import { describe, expect, test } from 'vitest';

import { runNode, type NodeRunOptions } from '../../support/engine/engine.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';

const sandbox = await sandboxOfFile();

const parameters = { resource: 'question', operation: 'ask', question: 'Is this NDA mutual?' };

const ask = async (changes: object, options: Partial<NodeRunOptions> = {}) =>
	await runNode({ sandbox, parameters: { ...parameters, ...changes }, ...options });

const asked = () => sandbox.questions[0];

describe('question: ask', () => {
	test('goes on at once with the question, its assistant and its link', async () => {
		const run = await ask({});
		expect(run.items).toMatchObject([
			{
				json: { id: asked()?.id, status: 'in_progress', answer: null, assistant_id: 'default' },
				pairedItem: { item: 0 },
			},
		]);
		expect(run.json[0]?.session_url).toEqual(expect.stringContaining('http'));
		expect(asked()).toMatchObject({ text: parameters.question, callbackUrl: undefined, syncMode: false });
	});

	test('asks the assistant that was chosen, by list or by id', async () => {
		const { id } = sandbox.organization.assistants.find((assistant) => assistant.id !== 'default') ?? { id: '' };
		await ask({ assistantId: { __rl: true, mode: 'id', value: id } });
		expect(asked()?.assistantId).toBe(id);
	});

	test('sends visibility and session where they are set', async () => {
		await ask({ additionalFields: { visibility: 'organization' } });
		const sessionId = asked()?.sessionId ?? '';
		await sandbox.complete(asked()?.id ?? '');
		await ask({ additionalFields: { sessionId } });
		expect(sandbox.questions).toMatchObject([{ visibility: 'organization' }, { sessionId, followUp: true }]);
	});

	test.each(['', '={{ $json.nobody }}'])('asks the general assistant if the field holds "%s"', async (value) => {
		const { error } = await ask({ assistantId: { __rl: true, mode: 'id', value } });
		expect(error).toBeUndefined();
		expect(asked()?.assistantId).toBe('default');
	});

	test('says which fields the editor has emptied, as it does when the credential is changed', async () => {
		const emptied = { __rl: true, mode: 'list', value: '', cachedResultName: '', cachedResultUrl: '' };
		const template = { __rl: true, mode: 'list', value: '' };
		const { hints, error } = await ask({ assistantId: emptied, playbook: emptied, template });
		expect(error).toBeUndefined();
		expect(asked()?.text).toBe(parameters.question);
		const named = ['n8n emptied "Assistant"', 'n8n emptied "Playbook"'];
		expect(hints).toEqual(named.map((words) => expect.stringContaining(words) as unknown));
	});

	test('writes only the ID of a playbook that an expression chooses: the editor keeps the name of an earlier choice', async () => {
		const playbook = { __rl: true, mode: 'list', value: '={{ $json.id }}', cachedResultName: 'Lease review' };
		await ask({ playbook }, { items: [{ json: { id: 'pb-2' } }] });
		expect(asked()?.text).toBe(`${parameters.question}\n\nUse the playbook with the id pb-2.`);
	});

	test.each([
		['list', { mode: 'list', value: 'pb-1', cachedResultName: 'NDA review' }, 'Use the playbook "NDA review" (id: pb-1).'],
		['id', { mode: 'id', value: 'pb-1' }, 'Use the playbook with the id pb-1.'],
		['name', { mode: 'name', value: 'NDA review' }, 'Use the playbook "NDA review".'],
	])('writes a playbook chosen by %s after the words of the user', async (_, playbook, sentence) => {
		await ask({ playbook: { __rl: true, ...playbook } });
		expect(asked()?.text).toBe(`Is this NDA mutual?\n\n${sentence}`);
	});
});

describe('invalid input is rejected before any request', () => {
	test.each([
		['a missing question', { question: ' ' }, '"Question" is empty [item 0]'],
		['a question that is too long', { question: 'x'.repeat(10_001) }, '"Question" has 10,001 characters'],
		[
			'a question that its references make too long',
			{ question: 'x'.repeat(9_990), playbook: { __rl: true, mode: 'name', value: 'NDA review' } },
			'"Question" has 10,0',
		],
	])('%s', async (_, changes, message) => {
		const run = await ask(changes);
		expect(run.status).toBe('error');
		expect(run.error?.message).toContain(message);
		expect(run.error?.message).toContain('[item 0]');
		expect(run.error?.description?.length).toBeGreaterThan(20);
		expect(sandbox.requests).toHaveLength(0);
	});

	test('an operation that the node does not have', async () => {
		const { error } = await ask({ operation: 'sign' });
		expect(error?.message).toContain('"sign" is not an operation of "question"');
		expect(error?.description).toContain('Choose an operation');
	});

	test('for all items together: one bad item asks nothing for the good ones', async () => {
		const run = await ask({ question: '={{ $json.words }}' }, { items: [{ json: { words: 'Good?' } }, { json: {} }] });
		expect(run.error?.message).toBe('"Question" is empty [item 1]');
		expect(sandbox.requests).toHaveLength(0);
	});

	test('with Continue on Fail the good items are asked all the same', async () => {
		const run = await ask(
			{ question: '={{ $json.words }}' },
			{ items: [{ json: {} }, { json: { words: 'Good?' } }], node: { onError: 'continueRegularOutput' } },
		);
		expect(run.json).toMatchObject([{ error: '"Question" is empty [item 0]' }, { status: 'in_progress' }]);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(sandbox.questions).toHaveLength(1);
	});

	test('exactly 10,000 characters are asked', async () => {
		await ask({ question: 'x'.repeat(10_000) });
		expect(sandbox.questions).toHaveLength(1);
	});
});

describe('a question is asked once', () => {
	const route = 'POST /assistants/:assistant_id/questions';

	test.each(['unhandled', 'handled'] as const)('where the connection is reset with the request %s', async (when) => {
		sandbox.faults.add({ kind: 'reset', when, match: route });
		const run = await ask({});
		expect(run.error?.description).toContain('so it was not sent again');
		expect(sandbox.requests.filter((request) => request.route === route)).toHaveLength(1);
	});

	test('although "Retry On Fail" runs the node again for another item', async () => {
		sandbox.faults.add({ kind: 'status', status: 400, body: { error_code: 'busy' }, match: route, skip: 1 });
		const run = await ask(
			{ question: '={{ $json.words }}', options: { requestsAtOnce: 1 } },
			{
				items: [{ json: { words: 'One?' } }, { json: { words: 'Two?' } }],
				node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
			},
		);
		expect(run.status).toBe('success');
		expect(run.json.map(({ id }) => id)).toEqual(sandbox.questions.map(({ id }) => id));
		expect(sandbox.questions.map(({ text }) => text)).toEqual(['One?', 'Two?']);
	});
});
