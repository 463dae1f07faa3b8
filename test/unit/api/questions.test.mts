import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { ConnectionError, RejectedError } from '../../../nodes/LegalAi/api/errors.ts';
import { askQuestion, lookAt, readQuestion, type QuestionBody } from '../../../nodes/LegalAi/api/questions.ts';
import { startClient, type Reply } from './timedClient.mts';

const MINUTE = 60_000;

beforeEach(() => {
	vi.useFakeTimers({ now: 1_760_000_000_000 });
});
afterEach(() => {
	vi.useRealTimers();
});

const open = { id: 'q', status: 'in_progress', session_id: 's', session_url: 'https://legal-ai.example.com/s' };

describe('asking', () => {
	const ask = async (client: ReturnType<typeof startClient>['client'], body: Partial<QuestionBody> = {}): Promise<unknown> =>
		await askQuestion(client, 'default', { question: 'May we sign?', ...body }, { deadline: Date.now() + 10 * MINUTE }).catch((error: unknown) => error);

	test('waits for the limit of sessions if it opens one, and not if it goes on with one', async () => {
		const { client, times } = startClient({ sessionsPerMinute: 1, reply: () => ({ body: open }) });
		const all = Promise.all([ask(client), ask(client), ask(client, { session_id: 's' }), ask(client, { session_id: 's' })]);
		await vi.runAllTimersAsync();
		await all;
		expect(times).toEqual([0, 0, 0, MINUTE]);
	});

	test.each([
		['synchronously, and turned down as the time was over', { sync_mode: true }, 422, 29_000, true],
		['synchronously, and turned down at once', { sync_mode: true }, 422, 28_999, undefined],
		['synchronously, and turned down for another reason', { sync_mode: true }, 402, 29_000, undefined],
		['as usual, and turned down late', {}, 422, 29_000, undefined],
	])('%s says whether it may have been accepted', async (_how, body, status, afterMs, maybeAccepted) => {
		const reply = (): Reply => ({ status, afterMs });
		const asked = ask(startClient({ reply }).client, body);
		await vi.runAllTimersAsync();
		const error = await asked;
		expect(error).toBeInstanceOf(RejectedError);
		expect(error).toMatchObject({ details: maybeAccepted ? { maybeAccepted } : expect.not.objectContaining({ maybeAccepted: true }) as object });
	});
});

describe('a look', () => {
	const look = async (reply: () => Reply): Promise<unknown> => {
		const { client } = startClient({ reply });
		const looked = lookAt(client, readQuestion(open, 'default'), Date.now() + MINUTE).catch((error: unknown) => error);
		await vi.runAllTimersAsync();
		return await looked;
	};

	test('brings the question as it stands now', async () => {
		expect(await look(() => ({ body: { ...open, status: 'completed', answer: 'Yes.' } }))).toMatchObject({ answer: 'Yes.', assistant_id: 'default' });
	});

	test('that does not get through to the service leaves the question as it was', async () => {
		expect(await look(() => ({ status: 503 }))).toEqual(readQuestion(open, 'default'));
		expect(await look(() => { throw new ConnectionError(); })).toEqual(readQuestion(open, 'default'));
	});

	test('that the service turns down fails with how to find the question', async () => {
		expect(await look(() => ({ status: 403 }))).toMatchObject({
			kind: 'rejected',
			details: { question: { id: 'q', assistant_id: 'default', session_url: 'https://legal-ai.example.com/s' } },
		});
	});
});
