import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { next, startSandbox, type Question } from '../../sandbox/sandbox.mts';
import { install, uninstall } from '../../support/engine/acceleratedClock.mts';
import { instance, runNode, type NodeRun, type NodeRunOptions } from '../../support/engine/engine.mts';
import { callBack as postCallback, ended, inFastTime, LOOK, wordsOf as words, type Signing } from './waits.mts';

vi.setConfig({ testTimeout: 30_000 });

const sandbox = await startSandbox({ newSessionsPerMinute: Infinity, requestsPerMinute: Infinity });
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const parameters = {
	resource: 'question',
	operation: 'askAndWait',
	assistantId: { __rl: true, mode: 'list', value: 'default' },
	question: '={{ $json.words }}',
	options: { waitUsing: 'callback' },
};

const ask = async (count: number, options: Partial<NodeRunOptions> = {}): Promise<NodeRun> =>
	await runNode({ sandbox, parameters, items: words(count), ...options });

const polls = () => sandbox.requests.filter(({ route }) => route === LOOK);

const containing = (text: string): unknown => expect.stringContaining(text);

/** The question that was asked at a place. */
function asked(index = 0): Question {
	const question = sandbox.questions[index];
	if (question === undefined) throw new Error(`There is no question ${index}`);
	return question;
}

const callBack = async (url: string, payload: unknown, signing?: Signing): Promise<number> =>
	await postCallback(sandbox, url, payload, signing);

describe('one question', () => {
	test('parks with the callback address and comes out with its answer, without a single poll', async () => {
		const parked = await ask(1);
		expect(parked.status).toBe('waiting');
		expect(asked()).toMatchObject({ text: 'Question 0', callbackUrl: parked.resumeUrl });
		// Whoever stops the execution still finds the question: n8n shows highlighted data only where it is registered.
		expect(parked.hints).toEqual([containing(`at the latest. The ID of the question is ${asked().id}.`)]);

		await sandbox.complete(asked().id, { answer: 'Clause 7 deviates.' });
		const over = await parked.resumed();

		expect(over.status).toBe('success');
		expect(over.items).toMatchObject([
			{
				json: { id: asked().id, status: 'completed', answer: 'Clause 7 deviates.', assistant_id: 'default' },
				pairedItem: { item: 0 },
			},
		]);
		expect(over.json[0]).not.toHaveProperty('timed_out');
		expect(over.execution.itemsOf('After')).toHaveLength(1);
		expect(polls()).toHaveLength(0);
	});

	test('that is filtered at once does not park', async () => {
		sandbox.settings.answer = () => ({ status: 'filtered', answer: 'Not for us.', reason: 'Out of scope.' });
		const over = await ask(1);
		expect(over.status).toBe('success');
		expect(over.json).toMatchObject([{ status: 'filtered', answer: 'Not for us.', reason: 'Out of scope.' }]);
	});

	test('that runs out of time comes out marked as that, with everything needed to look it up', async () => {
		sandbox.settings.answer = () => ({ status: 'completed', answer: '', after: Infinity });
		const over = await inFastTime(async (n8n) => await ended(await ask(1, { n8n, parameters: { ...parameters, options: { maxWait: 7 } } })));
		expect(over.json).toMatchObject([
			{ id: asked().id, status: 'in_progress', answer: null, timed_out: true, assistant_id: 'default' },
		]);
		expect(over.json[0]?.session_url).toEqual(expect.stringContaining('http'));
	});

	test('is resumed once, however often the callback comes', async () => {
		const parked = await ask(1);
		sandbox.callbackFaults.duplicate = next(1);
		await sandbox.complete(asked().id);
		const over = await parked.resumed();
		expect(over.execution.itemsOf('After')).toHaveLength(1);
		expect(sandbox.callbacks.map(({ status }) => status)).toEqual([200, expect.any(Number)]);
		expect((await instance()).database.get(over.execution.id)).toMatchObject({ status: 'success', turns: 2 });
	});
});

describe('a callback that is not true', () => {
	test.each([
		['forged', { secret: 'another' }],
		['stale', { secondsAgo: 61 }],
		['from the future', { secondsAgo: -62 }],
		['unsigned', { signed: false }],
	])('because it is %s is turned away and resumes nothing', async (_, options) => {
		const parked = await ask(1);
		const { id } = asked();
		const payload = { id, session_id: id, session_url: null, status: 'completed', answer: 'Sign it.', reason: null };
		expect(await callBack(parked.resumeUrl, payload, options)).toBe(401);

		await sandbox.complete(id, { answer: 'Do not sign it.' });
		expect((await parked.resumed()).json).toMatchObject([{ answer: 'Do not sign it.' }]);
	});

	test('because it is for another question is taken without effect', async () => {
		const parked = await ask(1);
		const { id } = asked();
		const payload = { id: 'another', session_id: null, session_url: null, status: 'completed', answer: 'Yes', reason: null };
		expect(await callBack(parked.resumeUrl, payload)).toBe(200);

		await sandbox.complete(id);
		expect((await parked.resumed()).json).toMatchObject([{ id, status: 'completed' }]);
	});

	test('because it is none, or says nothing final, leaves the execution parked', async () => {
		const parked = await ask(1);
		const { id } = asked();
		const payload = { id, session_id: id, session_url: null, status: 'in_progress', answer: 'Soon', reason: null };
		expect(await callBack(parked.resumeUrl, payload)).toBe(400);
		expect(await callBack(parked.resumeUrl, 'no object at all')).toBe(400);
		await sandbox.complete(id);
		expect((await parked.resumed()).json).toMatchObject([{ id, status: 'completed' }]);
	});
});

test('without a webhook secret a callback only rings: the answer is fetched with the key', async () => {
	const parked = await ask(1, { credential: { webhookSecret: '' } });
	const { id } = asked();
	const forged = { id, session_id: id, session_url: null, status: 'completed', answer: 'Sign it.', reason: null };
	expect(await callBack(parked.resumeUrl, forged, { signed: false })).toBe(200);

	await sandbox.complete(id, { answer: 'Do not sign it.' });
	expect((await parked.resumed()).json).toMatchObject([{ answer: 'Do not sign it.' }]);
});

describe('several questions', () => {
	test('come out together, in order, paired, once the last is answered', async () => {
		const parked = await ask(4);
		const byWords = new Map(sandbox.questions.map(({ id, text }) => [text, id]));
		for (const index of [2, 0, 3, 1]) {
			await sandbox.complete(byWords.get(`Question ${index}`) ?? '', { answer: `Answer ${index}` });
		}
		const over = await parked.resumed();
		expect(over.json.map(({ answer }) => answer)).toEqual(['Answer 0', 'Answer 1', 'Answer 2', 'Answer 3']);
		expect(over.items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
	});

	test('keep the answers that were there at once, and only wait for the others', async () => {
		sandbox.settings.answer = ({ text }) =>
			text === 'Question 1' ? { status: 'filtered', answer: 'No.' } : { status: 'completed', answer: 'Yes.' };
		const parked = await ask(3);
		expect(parked.status).toBe('waiting');
		expect(parked.hints).toEqual([expect.stringMatching(/^1 of 3 questions are answered\. .* until \w+ \d+, \d+:\d+ [AP]M \w+/)]);
		for (const { id, status } of sandbox.questions) if (status === 'in_progress') await sandbox.complete(id);
		const over = await parked.resumed();
		expect(over.json.map(({ status }) => status)).toEqual(['completed', 'filtered', 'completed']);
		expect(over.hints.join()).not.toContain('Waiting for');
	});

	test('whose callbacks drop are looked at once, those alone, when the node wakes', async () => {
		const parked = await ask(20);
		const ids = sandbox.questions.map(({ id }) => id);
		const dropped = ids.filter((_, index) => index % 4 === 1);
		sandbox.callbackFaults.drop = ({ questionId }) => dropped.includes(questionId);
		for (const id of ids) await sandbox.complete(id);
		const over = await parked.wake();
		expect(over.json.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
		expect(over.json.map(({ status }) => status)).toEqual(Array(20).fill('completed'));
		expect(polls().map(({ path }) => path.split('/').at(-1)).toSorted()).toEqual(dropped.toSorted());
	});

	test('whose callbacks came while others were still being asked are looked at before the node parks', async () => {
		await inFastTime(async (n8n) => {
			const service = await startSandbox({ answerTime: [61_000, 62_000] });
			const few = { ...parameters, options: { requestsAtOnce: 10 } };
			const parked = await ask(130, { n8n, sandbox: service, parameters: few });
			const looked = service.requests.filter(({ route }) => route === LOOK).map(({ path }) => path.split('/').at(-1));
			expect(parked.status).toBe('waiting');
			expect(looked).toContain(service.questions[0]?.id);
			expect(looked).not.toContain(service.questions[129]?.id);
			const over = await ended(parked);
			expect(over.json.map(({ status }) => status)).toEqual(Array(130).fill('completed'));
			await service.close();
		});
	});

	test('cost no further request: 59 signed callbacks, not one look', async () => {
		const service = await startSandbox({ answerTime: [Infinity, Infinity] });
		const parked = await ask(59, { sandbox: service });
		for (const { id } of service.questions) await service.complete(id);
		expect((await parked.resumed()).json.map(({ status }) => status)).toEqual(Array(59).fill('completed'));
		expect(service.requests).toHaveLength(59);
		await service.close();
	});

	test('without a webhook secret cost one look each', async () => {
		const service = await startSandbox({ answerTime: [Infinity, Infinity] });
		const parked = await ask(20, { sandbox: service, credential: { webhookSecret: '' } });
		for (const { id } of service.questions) await service.complete(id);
		expect((await parked.resumed()).json.map(({ status }) => status)).toEqual(Array(20).fill('completed'));
		expect(service.requests).toHaveLength(40);
		await service.close();
	});
});

describe('status error', () => {
	const failing = { ...parameters, options: { onErrorStatus: 'fail' } };

	test('comes out as data by default', async () => {
		const parked = await ask(1);
		await sandbox.complete(asked().id, { status: 'error', answer: 'The PDF is locked.' });
		expect((await parked.resumed()).json).toMatchObject([{ status: 'error', answer: 'The PDF is locked.' }]);
	});

	test('fails the node where that is wanted, with the words of the service', async () => {
		const parked = await ask(2, { parameters: failing });
		await sandbox.complete(asked().id);
		await sandbox.complete(asked(1).id, { status: 'error', answer: 'The PDF is locked.' });
		const over = await parked.resumed();
		expect(over.status).toBe('error');
		expect(over.error?.message).toContain('The PDF is locked.');
		expect(over.execution.itemsOf('After')).toHaveLength(0);
	});

	test('fails its item alone with Continue on Fail', async () => {
		const parked = await ask(2, { parameters: failing, node: { onError: 'continueRegularOutput' } });
		const [first, second] = [asked(), asked(1)];
		await sandbox.complete(first.id);
		await sandbox.complete(second.id, { status: 'error', answer: 'The PDF is locked.' });
		const over = await parked.resumed();
		expect(over.status).toBe('success');
		expect(over.json).toMatchObject([
			{ status: 'completed' },
			{ error: containing('The PDF is locked.'), details: { description: containing(second.id) } },
		]);
	});

	test('goes to the error output where the node has one', async () => {
		const parked = await ask(2, { parameters: failing, node: { onError: 'continueErrorOutput' } });
		await sandbox.complete(asked().id);
		await sandbox.complete(asked(1).id, { status: 'error', answer: 'The PDF is locked.' });
		const over = await parked.resumed();
		expect(over.outputs.map((items) => items.length)).toEqual([1, 1]);
	});
});

test('generated files come along as binary data', async () => {
	const parked = await ask(1, { parameters: { ...parameters, options: { downloadFiles: true, outputPrefix: 'doc' } } });
	await sandbox.complete(asked().id, {
		attachments: [{ fileName: 'Redline.docx', contentType: 'application/msword', content: Buffer.from('redline') }],
	});
	const over = await parked.resumed();
	expect(over.items[0]?.binary?.doc0).toMatchObject({ fileName: 'Redline.docx', mimeType: 'application/msword' });
});

test('where the service can not call back, the node asks without a callback and says how to get answers at once', async () => {
	install(40);
	const run = await ask(1, {
		credential: { baseUrl: 'https://legal-ai.invalid/api/v1' },
		node: { onError: 'continueRegularOutput' },
	});
	uninstall();
	expect(run.status).toBe('success');
	expect(run.json).toMatchObject([{ error: containing('"Base URL"') }]);
	expect(run.hints.join()).toContain('WEBHOOK_URL');
});

describe('what used to go wrong', () => {
	test('a service that is down for ten minutes only delays the answer', async () => {
		sandbox.callbackFaults.drop = true;
		sandbox.settings.answerTime = [60_000, 60_000];
		sandbox.faults.add({ kind: 'status', status: 503, match: LOOK, times: 12 });
		const over = await inFastTime(async (n8n) => await ended(await ask(1, { n8n })));
		expect(over.json).toMatchObject([{ status: 'completed' }]);
		expect(sandbox.questions).toHaveLength(1);
	});
});
