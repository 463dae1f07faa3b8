import { describe, expect, test, vi } from 'vitest';

import { callbackResponses } from '../../../nodes/LegalAi/messages/callbackMessages.ts';
import { startSandbox, type Question } from '../../sandbox/sandbox.mts';
import { accelerateClock, releaseClock } from '../../support/clock.mts';
import { NODE, runNode, storeBinary, type NodeRun, type NodeRunOptions } from '../../support/engine/engine.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';
import { answerTo, deliver } from '../trigger/listening.mts';
import { asking, callBack, questions } from '../wait/waking.mts';
import { CHECK, ended, inFastTime } from './waits.mts';

vi.setConfig({ testTimeout: 30_000 });

const sandbox = await sandboxOfFile({ newSessionsPerMinute: Infinity, requestsPerMinute: Infinity });

const ask = async (count: number, options: Partial<NodeRunOptions> = {}): Promise<NodeRun> =>
	await runNode({ sandbox, parameters: asking, items: questions(count), ...options });

/** The IDs of the questions that were checked. */
const checked = (service = sandbox) =>
	service.requests.filter(({ route }) => route === CHECK).map(({ path }) => path.split('/').at(-1) ?? '');

const containing = (text: string): unknown => expect.stringContaining(text);

/** The question that was asked at a place. */
function asked(index = 0): Question {
	const question = sandbox.questions[index];
	if (question === undefined) throw new Error(`There is no question ${index}`);
	return question;
}

describe('one question', () => {
	test('parks with the callback address and comes out with its answer, without a single check', async () => {
		const parked = await ask(1);
		expect(parked.status).toBe('waiting');
		expect(asked()).toMatchObject({ text: 'Question 0', callbackUrl: parked.resumeUrl });
		// Someone who stops the execution can still find the question: some editions of n8n show no highlighted data.
		expect(parked.hints).toEqual([expect.stringMatching(`"Max Wait" runs out in 30 minutes \\(\\d+:\\d+ [AP]M \\w+\\)\\. The ID of the question is ${asked().id}\\.`)]);

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
		expect(checked()).toEqual([]);
	});

	test('that a check brings comes out with the files that were sent and those that were not', async () => {
		const a = await storeBinary('A contract', { fileName: 'a.txt', mimeType: 'text/plain' });
		const b = await storeBinary('Unknown', { fileName: 'b.xyz', mimeType: 'x/y' });
		const items = [{ json: { words: 'May we sign?' }, binary: { a, b } }];
		const attachments = { attachment: [{ source: 'allBinary' }] };
		const parked = await ask(1, { items, parameters: { ...asking, attachments, options: { unsupportedFiles: 'skip' } } });
		sandbox.callbackFaults.drop = true;
		await sandbox.complete(asked().id);
		const over = await parked.wake();
		expect(over.json).toMatchObject([{ status: 'completed', attachments_sent: ['a.txt'], skipped_files: [{ file_name: 'b.xyz' }] }]);
	});

	test('is still waited for after a check whose response is too long', async () => {
		const parked = await ask(1);
		sandbox.faults.add({ kind: 'body', body: (body) => body + ' '.repeat(33 * 1024 * 1024), match: CHECK });
		const again = await parked.wake();
		expect([again.status, again.hints]).toEqual(['waiting', expect.arrayContaining([containing('could not check')])]);
	});

	test('leaves nothing of the wait in the execution that n8n keeps', async () => {
		const parked = await ask(1);
		await sandbox.complete(asked().id);
		const over = await parked.resumed();
		expect(over.status).toBe('success');
		expect(over.execution.runData[NODE]?.at(-1)?.metadata ?? {}).not.toHaveProperty('legalAi');
	});

	test('that is filtered at once does not park', async () => {
		sandbox.settings.answer = () => ({ status: 'filtered', answer: 'Not for us.', reason: 'Out of scope.' });
		const over = await ask(1);
		expect(over.status).toBe('success');
		expect(over.json).toMatchObject([{ status: 'filtered', answer: 'Not for us.', reason: 'Out of scope.' }]);
	});
});

describe('a callback that is not true', () => {
	test.each([
		['forged', { secret: 'another' }],
		['stale', { secret: sandbox.webhookSecret, secondsAgo: 61 }],
		['from the future', { secret: sandbox.webhookSecret, secondsAgo: -62 }],
		['unsigned', {}],
	])('because it is %s is rejected and resumes nothing', async (_, signing) => {
		const parked = await ask(1);
		const { id } = asked();
		const payload = { id, session_id: id, session_url: null, status: 'completed', answer: 'Sign it.', reason: null };
		expect(await callBack(parked.resumeUrl, payload, signing)).toBe(401);

		await sandbox.complete(id, { answer: 'Do not sign it.' });
		expect((await parked.resumed()).json).toMatchObject([{ answer: 'Do not sign it.' }]);
	});
});

test('a callback of more than 4 MB is rejected, and has the question checked', async () => {
	const parked = await ask(1);
	sandbox.callbackFaults.drop = true;
	await sandbox.complete(asked().id, { answer: 'Long.' });
	const [status] = await deliver(sandbox, parked.resumeUrl, `[${' '.repeat(5_000_000)}]`);
	expect([status, (await parked.resumed()).json]).toMatchObject([413, [{ answer: 'Long.' }]]);
});

test('the sender of a callback is told what becomes of it', async () => {
	const parked = await ask(2);
	const sent = async (payload: object) => await deliver(sandbox, parked.resumeUrl, payload);
	expect(await sent(answerTo('another'))).toEqual([200, { message: callbackResponses.notWaiting }]);
	expect(await sent(answerTo(asked(0).id))).toEqual([200, { message: callbackResponses.noted }]);
	expect(await sent(answerTo(asked(1).id))).toEqual([200, { message: callbackResponses.resuming }]);
	expect((await parked.resumed()).status).toBe('success');
});

test('without a webhook secret, a callback has the question checked', async () => {
	const parked = await ask(1, { credential: { webhookSecret: '' } });
	const { id } = asked();
	const forged = await deliver(sandbox, parked.resumeUrl, answerTo(id, { answer: 'Sign it.' }), { signature: undefined });
	expect(forged).toEqual([200, { message: callbackResponses.noted }]);

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
		expect(checked()).toEqual([]);
	});

	test('keep the answers that were there at once, and only wait for the others', async () => {
		sandbox.settings.answer = ({ text }) =>
			text === 'Question 1' ? { status: 'filtered', answer: 'No.' } : { status: 'completed', answer: 'Yes.' };
		const parked = await ask(3);
		expect(parked.status).toBe('waiting');
		expect(parked.hints).toEqual([expect.stringMatching(/^1 of 3 questions are answered\. .* runs out in 30 minutes \(\d+:\d+ [AP]M \w+\)/)]);
		for (const { id, status } of sandbox.questions) if (status === 'in_progress') await sandbox.complete(id);
		const over = await parked.resumed();
		expect(over.json.map(({ status }) => status)).toEqual(['completed', 'filtered', 'completed']);
		expect(over.hints.join()).not.toContain('Waiting for');
	});

	test('of which one was not accepted: the hint tells of the other', async () => {
		sandbox.faults.add({ kind: 'status', status: 422, match: ({ method }) => method === 'POST' });
		const parked = await ask(2, { node: { onError: 'continueRegularOutput' } });
		expect(parked.hints).toEqual([containing(`The ID of the question is ${asked().id}.`)]);
	});

	test('whose callbacks drop, and no others, are checked when the node wakes', async () => {
		const parked = await ask(20);
		const ids = sandbox.questions.map(({ id }) => id);
		const dropped = ids.filter((_, index) => index % 4 === 1);
		sandbox.callbackFaults.drop = ({ questionId }) => dropped.includes(questionId);
		for (const id of ids) await sandbox.complete(id);
		const over = await parked.wake();
		expect(over.json.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
		expect(over.json.map(({ status }) => status)).toEqual(Array(20).fill('completed'));
		expect(checked().toSorted()).toEqual(dropped.toSorted());
	});

	test('whose callbacks came while others were still being asked are checked before the node parks', async () => {
		await inFastTime(async (n8n) => {
			const service = await startSandbox({ answerTime: [61_000, 62_000] });
			const few = { ...asking, options: { requestsAtOnce: 10 } };
			const parked = await ask(130, { n8n, sandbox: service, parameters: few });
			expect(parked.status).toBe('waiting');
			expect(checked(service)).toContain(service.questions[0]?.id);
			expect(checked(service)).not.toContain(service.questions[129]?.id);
			const over = await ended(parked);
			expect(over.json.map(({ status }) => status)).toEqual(Array(130).fill('completed'));
			await service.close();
		});
	});
});

test('generated files come along as binary data', async () => {
	const parked = await ask(1, { parameters: { ...asking, options: { downloadFiles: true, outputPrefix: 'doc' } } });
	await sandbox.complete(asked().id, {
		attachments: [{ fileName: 'Redline.docx', contentType: 'application/msword', content: Buffer.from('redline') }],
	});
	const over = await parked.resumed();
	expect(over.items[0]?.binary?.doc0).toMatchObject({ fileName: 'Redline.docx', mimeType: 'application/msword' });
});

test('where the service can not call back, the node asks without a callback and says how to get answers at once', async () => {
	accelerateClock(40);
	const run = await ask(1, {
		credential: { baseUrl: 'https://legal-ai.invalid/api/v1' },
		node: { onError: 'continueRegularOutput' },
	});
	releaseClock();
	expect(run.status).toBe('success');
	expect(run.json).toMatchObject([{ error: containing('"Base URL"') }]);
	expect(run.hints.join()).toContain('WEBHOOK_URL');
});
