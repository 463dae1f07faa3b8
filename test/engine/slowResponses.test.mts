import { ClientRequest, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeEach, expect, test } from 'vitest';

import { accelerateClock, releaseClock } from '../support/clock.mts';
import { binaryItem, listSearch, runNode, useBinaryData } from '../support/engine/engine.mts';
import { listenLocally } from '../../harness/localServer.mts';

/** Sends the head of a response, and then a byte now and again, for ever. */
const dripping = new Set<ServerResponse | Socket>();
/** Read a byte now and again. */
const sipping = new Set<IncomingMessage>();
let requests = 0;
let isHeadSlow = false;
const server = createServer((request, response) => {
	requests += 1;
	if (isHeadSlow) {
		const { socket } = request;
		socket.write('HTTP/1.1 200 OK\r\nx-slow:');
		dripping.add(socket);
		socket.on('error', () => undefined).on('close', () => dripping.delete(socket));
		return;
	}
	if (request.method === 'PUT') {
		sipping.add(request);
		request.on('error', () => undefined);
		return;
	}
	response.writeHead(200, { 'content-type': 'application/json' });
	if (request.method === 'POST' && request.url?.endsWith('/questions')) {
		response.end(JSON.stringify({ id: 'q1', session_id: 's1', status: 'in_progress' }));
		return;
	}
	if (request.url?.endsWith('/files/upload-url')) {
		response.end(JSON.stringify({ job_id: 'j1', upload_url: `${origin}/storage/j1` }));
		return;
	}
	response.write('{');
	dripping.add(response);
	response.on('close', () => dripping.delete(response));
});
const drip = setInterval(() => {
	for (const response of dripping) response.write(' ');
	for (const request of sipping) request.read(1);
}, 5);
const origin = `http://127.0.0.1:${await listenLocally(server)}`;
const sandbox = { baseUrl: `${origin}/api/v1`, apiKey: 'sk-svc-api1-1', webhookSecret: 'secret' };

/** A request's own timeout starts again with every byte: it ends none of these. */
const idleTimeout = Object.getOwnPropertyDescriptor(ClientRequest.prototype, 'setTimeout') ?? {};

function accelerate(factor: number): void {
	accelerateClock(factor);
	Object.defineProperty(ClientRequest.prototype, 'setTimeout', idleTimeout);
}

beforeEach(() => {
	accelerate(600);
	requests = 0;
	sipping.clear();
	isHeadSlow = false;
});
afterAll(() => {
	releaseClock();
	clearInterval(drip);
	server.close();
});

/** Resolves once the service knows that nobody reads or sends on. */
async function nobodyGoesOn(): Promise<void> {
	for (const request of sipping) request.resume();
	while (dripping.size > 0 || [...sipping].some(({ closed }) => !closed)) await new Promise((resolve) => setImmediate(resolve));
}

const me = { resource: 'user', operation: 'get' };
const create = { resource: 'task', operation: 'create', title: 'Review' };

test.each<[what: string, part: 'head' | 'body', parameters: INodeParameters, isAskedForAgain: boolean]>([
	['a response', 'body', me, true],
	['a response', 'head', me, true],
	['a response to the creation of a task, which may have been created,', 'body', create, false],
])('%s, the %s of which comes in byte by byte for ever, is given up, and said so', async (_what, part, parameters, isAskedForAgain) => {
	isHeadSlow = part === 'head';
	const { error } = await runNode({ sandbox, parameters });
	expect(error?.message).toBe('The service did not respond in time [item 0]');
	expect(requests > 1).toBe(isAskedForAgain);
	await nobodyGoesOn();
});

test('a list in the editor that is answered byte by byte is given up', async () => {
	await expect(listSearch('searchTasks', { sandbox })).rejects.toMatchObject({ message: 'The service did not respond in time' });
	await nobodyGoesOn();
});

test.each([
	['Ask and Wait', { operation: 'askAndWait', question: 'Sign?', options: { waitUsing: 'polling', maxWait: 3 } }],
	['Wait for Answer', { operation: 'waitForAnswer', questionId: 'q1', options: { maxWait: 3 } }],
])('%s: a question whose checks are answered byte by byte comes out unanswered once Max Wait is over', async (_name, parameters) => {
	let run = await runNode({ sandbox, parameters: { resource: 'question', ...parameters } });
	while (run.waitTill !== undefined) run = await run.wake();
	expect(run.json).toMatchObject([{ id: 'q1', status: 'in_progress', timed_out: true }]);
	await nobodyGoesOn();
});

test('a file that comes in byte by byte for ever is given up, fetched once more, and said so', async () => {
	accelerate(3_000);
	const { error } = await runNode({ sandbox, parameters: { resource: 'file', operation: 'download', url: `${origin}/storage/f1` } });
	expect(error?.message).toBe('The download of the file was interrupted [item 0]');
	expect(requests).toBe(2);
	await nobodyGoesOn();
});

test('a file that its storage reads byte by byte is given up, sent again from its start, and said so', async () => {
	accelerate(3_000);
	await useBinaryData('filesystem');
	const item = await binaryItem(Buffer.alloc(20 * 1024 * 1024));
	const { error } = await runNode({ sandbox, items: [item], parameters: { resource: 'file', operation: 'upload' } });
	await useBinaryData('default');
	expect(error?.message).toBe('The upload of "contract.pdf" was interrupted [item 0]');
	await nobodyGoesOn();
	expect([...sipping].map(({ complete }) => complete)).toEqual([false, false, false]);
});
