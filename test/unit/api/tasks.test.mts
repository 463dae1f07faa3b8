import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { InvalidResponseError } from '../../../nodes/LegalAi/api/errors.ts';
import { createTask, getTask, readTask, updateTask } from '../../../nodes/LegalAi/api/tasks.ts';
import { startClient } from './timedClient.mts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const task = { id: 't', title: 'Review' };

test.each([
	['created', createTask, ['POST', 'https://legal-ai.example.com/api/v1/tasks', '{"title":"Review"}']],
	['changed', (client, body) => updateTask(client, 't', body), ['PATCH', 'https://legal-ai.example.com/api/v1/tasks/t', '{"title":"Review"}']],
	['fetched', (client) => getTask(client, 't'), ['GET', 'https://legal-ai.example.com/api/v1/tasks/t', undefined]],
] satisfies [string, typeof createTask, unknown[]][])('a task is %s at its own address', async (_what, act, request) => {
	const { client, sent } = startClient({ reply: () => ({ body: task }) });
	const done = act(client, { title: 'Review' });
	await vi.runAllTimersAsync();
	expect(await done).toEqual(task);
	expect(sent.map(({ method, url, body }): unknown => [method, url, body])).toEqual([request]);
});

test('a task whose creation was not answered as it should be is not created twice, and may be there', async () => {
	const { client, sent } = startClient({ reply: () => ({ body: {} }) });
	const created = createTask(client, { title: 'Review' }).catch((error: unknown) => error);
	await vi.runAllTimersAsync();
	expect(await created).toMatchObject({ kind: 'invalidResponse', details: { subject: 'task', maybeAccepted: true } });
	expect(sent).toHaveLength(1);
});

test.each([task, { task }, { data: { task } }, { response: task }, { id: '', data: task }])('a task is read from %j', (answer) => {
	expect(readTask(answer)).toEqual(task);
});

test.each([undefined, [], [task], {}, { id: 7 }, { other: task }])('no task is read from %j', (answer) => {
	expect(() => readTask(answer)).toThrow(InvalidResponseError);
});
