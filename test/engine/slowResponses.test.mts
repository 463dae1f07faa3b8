import { createServer, type ServerResponse } from 'node:http';

import { afterAll, beforeEach, expect, test } from 'vitest';

import { install, uninstall } from '../support/engine/acceleratedClock.mts';
import { listSearch, runNode } from '../support/engine/engine.mts';
import { listenLocally } from '../support/localServer.mts';

/** Sends the head of a response, and then a byte now and again, for ever. */
const dripping = new Set<ServerResponse>();
let requests = 0;
const server = createServer((request, response) => {
	requests += 1;
	response.writeHead(200, { 'content-type': 'application/json' });
	if (request.method === 'POST' && request.url?.endsWith('/questions')) {
		response.end(JSON.stringify({ id: 'q1', session_id: 's1', status: 'in_progress' }));
		return;
	}
	response.write('{');
	dripping.add(response);
	response.on('close', () => dripping.delete(response));
});
const drip = setInterval(() => {
	for (const response of dripping) response.write(' ');
}, 5);
const sandbox = { baseUrl: `http://127.0.0.1:${await listenLocally(server)}/api/v1`, apiKey: 'sk-svc-api1-1', webhookSecret: 'secret' };

install(600);
beforeEach(() => {
	requests = 0;
});
afterAll(() => {
	uninstall();
	clearInterval(drip);
	server.close();
});

/** Resolves once the service knows that nobody reads on. */
async function nobodyReads(): Promise<void> {
	while (dripping.size > 0) await new Promise((resolve) => setImmediate(resolve));
}

test('a response that comes in byte by byte for ever is given up, asked for again, and said so', async () => {
	const { error } = await runNode({ sandbox, parameters: { resource: 'user', operation: 'get' } });
	expect(error?.message).toBe('The service did not respond in time [item 0]');
	expect(requests).toBeGreaterThan(1);
	await nobodyReads();
});

test('a task whose creation is answered byte by byte is not created twice', async () => {
	const { error } = await runNode({ sandbox, parameters: { resource: 'task', operation: 'create', title: 'Review' } });
	expect(error?.message).toBe('The service did not respond in time [item 0]');
	expect(error?.description).toContain('may still have created the task');
	expect(requests).toBe(1);
	await nobodyReads();
});

test('a list in the editor does not wait longer than its patience', async () => {
	await expect(listSearch('searchTasks', { sandbox })).rejects.toMatchObject({ message: 'The service did not respond in time' });
	await nobodyReads();
});

test('a question whose looks are answered byte by byte comes out unanswered once Max Wait is over', async () => {
	const parameters = { resource: 'question', operation: 'askAndWait', question: 'Sign?', options: { waitUsing: 'polling', maxWait: 3 } };
	let run = await runNode({ sandbox, parameters });
	while (run.waitTill !== undefined) run = await run.wake();
	expect(run.json).toMatchObject([{ id: 'q1', status: 'in_progress', timed_out: true }]);
	await nobodyReads();
});

test('a question that is waited for is not looked at for longer than a minute before the wait begins', async () => {
	const { error } = await runNode({
		sandbox,
		parameters: { resource: 'question', operation: 'waitForAnswer', questionId: 'q1', options: { maxWait: 1 } },
	});
	expect(error?.message).toBe('The service did not respond in time [item 0]');
	expect(requests).toBe(1);
	await nobodyReads();
});
