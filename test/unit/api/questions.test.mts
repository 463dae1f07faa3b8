import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { hasKind } from '../../../nodes/LegalAi/api/errors.ts';
import { askQuestion, inOutputOrder, readQuestion, type QuestionBody } from '../../../nodes/LegalAi/api/questions.ts';
import { startClient } from './clients.mts';

const MINUTE = 60_000;

beforeEach(() => {
	vi.useFakeTimers({ now: 1_760_000_000_000 });
});
afterEach(() => {
	vi.useRealTimers();
});

const open = { id: 'q', status: 'in_progress', session_id: 's', session_url: 'https://legal-ai.example.com/s' };

/** What becomes of it, once all is over. */
async function settled<T>(promise: Promise<T>): Promise<T> {
	await vi.runAllTimersAsync();
	return await promise;
}

describe('asking', () => {
	const ask = async (client: ReturnType<typeof startClient>['client'], body: Partial<QuestionBody> = {}): Promise<unknown> =>
		await askQuestion(client, 'default', { question: 'May we sign?', ...body }, { askUntil: Date.now() + 10 * MINUTE }).catch((error: unknown) => error);

	test.each<[Partial<QuestionBody>, string]>([
		[{}, 'assistant'],
		[{ session_id: 's' }, 'session'],
		[{ sync_mode: true }, 'syncQuestion'],
		[{ sync_mode: true, session_id: 's' }, 'syncQuestion'],
	])('with %j names what to look at if it fails, and that it may have been accepted if what came back is no question', async (body, subject) => {
		expect(await settled(ask(startClient({ reply: () => ({ status: 403 }) }).client, body))).toMatchObject({ details: { subject } });
		expect(await settled(ask(startClient().client, body))).toMatchObject({ kind: 'invalidResponse', details: { subject, maybeAccepted: true } });
	});
});

describe('a question', () => {
	test('is output with its own fields in the order of people, and keeps those of later versions', () => {
		const question = readQuestion({ ...open, reason: 7, session_url: {}, session_id: 7, later: [1], assistant_id: 'other' }, 'default');
		expect(JSON.stringify(inOutputOrder(question))).toBe(
			'{"status":"in_progress","answer":null,"reason":null,"session_url":null,"later":[1],"session_id":null,"id":"q","assistant_id":"default"}',
		);
	});

	test.each([null, [], {}, { id: '' }, { id: 7, status: 'completed' }])('is not read from %j, which has no ID', (value) => {
		expect(reasonOf(value)).toMatch(/\bid\b/i);
	});

	test.each([{ id: 'q-7' }, { id: 'q-7', status: '' }, { id: 'q-7', status: 1 }])('is not read from %j, which has no status, and is named', (value) => {
		expect(reasonOf(value)).toContain('q-7');
	});

	test.each([{}, 7, ['Yes.'], true])('is not read with the answer %j, which is not text', (answer) => {
		expect(reasonOf({ ...open, answer })).toContain('not text');
	});

	function reasonOf(value: unknown): string | undefined {
		try {
			readQuestion(value, 'default');
		} catch (error) {
			if (!hasKind(error, 'invalidResponse')) throw error;
			return error.details.serviceMessage;
		}
		return undefined;
	}
});
