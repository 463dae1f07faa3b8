import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { listenLocally } from '../../harness/localServer.mts';
import { askForId, sandboxForTests } from '../support/sandboxClient.mts';

const sandbox = await sandboxForTests();

const received: { readonly headers: IncomingHttpHeaders; readonly raw: Buffer }[] = [];
let answer = { status: 200, headers: {} };
const server = createServer((request, response) => {
	void buffer(request).then((raw) => {
		received.push({ headers: request.headers, raw });
		response.writeHead(answer.status, answer.headers).end('seen');
	});
});
const receiver = `http://127.0.0.1:${await listenLocally(server)}`;

beforeEach(() => {
	received.length = 0;
	answer = { status: 200, headers: {} };
});
afterAll(() => server.close());

async function askAndComplete(callback_url = receiver): Promise<string> {
	const id = await askForId(sandbox, { question: 'May we sign?', callback_url });
	await sandbox.complete(id);
	return id;
}

describe('callbacks of the sandbox', () => {
	test("the sandbox sends a callback only once, even if the receiver rejects it or can't be reached, and follows no redirect", async () => {
		answer = { status: 307, headers: { location: receiver } };
		await askAndComplete();
		answer = { status: 500, headers: {} };
		await askAndComplete();
		await askAndComplete('http://127.0.0.1:1/');
		expect(sandbox.callbacks.map(({ status }) => status)).toEqual([307, 500, null]);
		expect(received).toHaveLength(2);
	});

	test('a reset of the sandbox cancels a callback that is being sent', async () => {
		const silent = createServer();
		const id = await askForId(sandbox, { question: 'x', callback_url: `http://127.0.0.1:${await listenLocally(silent)}` });
		const tried = sandbox.complete(id);
		await once(silent, 'request');
		await sandbox.reset();
		await tried;
		expect(sandbox.callbacks).toEqual([]);
		silent.close();
	});

	test('the sandbox can compress a callback that it has signed', async () => {
		sandbox.callbackFaults.gzip = true;
		const id = await askAndComplete();
		expect(received[0]?.headers).toMatchObject({ 'content-encoding': 'gzip' });
		expect(JSON.parse(gunzipSync(received[0]?.raw ?? '').toString())).toMatchObject({ id });
	});
});
