import { afterEach, beforeEach, expect, test, vi } from 'vitest';

;
import { createTask, getTask, readTask, updateTask } from '../../../nodes/LegalAi/api/tasks.ts';
import { startClient } from './timedClient.mts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const task = { id: 't', title: 'Review' };

const actions: [string, typeof createTask, unknown[]][] = [
	['created', createTask, ['POST', 'https://legal-ai.example.com/api/v1/tasks', '{"title":"Review"}']],
	['changed', (client, body) => updateTask(client, 't', body), ['PATCH', 'https://legal-ai.example.com/api/v1/tasks/t', '{"title":"Review"}']],
	['fetched', (client) => getTask(client, 't'), ['GET', 'https://legal-ai.example.com/api/v1/tasks/t', undefined]],
];

test.each(actions)('a task is %s at its own address', async (_what, act, request) => {
	const { client, sent } = startClient({ reply: () => ({ body: task }) });
	const done = act(client, { title: 'Review' });
	await vi.runAllTimersAsync();
	expect(await done).toEqual(task);
	expect(sent.map(({ method, url, body }): unknown => [method, url, body])).toEqual([request]);
});

test.each(actions)('a task that is not %s is called a task', async (_what, act) => {
	const { client } = startClient({ reply: () => ({ status: 403 }) });
	const done = act(client, { title: 'Review' }).catch((error: unknown) => error);
	await vi.runAllTimersAsync();
	expect(await done).toMatchObject({ kind: 'rejected', details: { subject: 'task' } });
});

test.each([
	['a server that failed', 'outcomeUnknown', { status: 500 }],
	['no task', 'invalidResponse', { body: {} }],
])('a task whose creation was answered with %s is not created twice, and may be there', async (_what, kind, reply) => {
	const { client, sent } = startClient({ reply: () => reply });
	const created = createTask(client, { title: 'Review' }).catch((error: unknown) => error);
	await vi.runAllTimersAsync();
	expect(await created).toMatchObject({ kind, details: { subject: 'task', maybeAccepted: true } });
	expect(sent).toHaveLength(1);
});

test.each([task, { task }, { data: task }, { id: '', data: task }])('a task is read from %j', (answer) => {
	expect(readTask(answer)).toEqual(task);
});

test.each([undefined, [], [task], {}, { id: 7 }, { other: task }, { data: { task } }])('no task is read from %j', (answer) => {
	expect(() => readTask(answer)).toThrow('invalidResponse');
});
