import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { listenLocally } from '../../harness/localServer.mts';
import { next } from './sandbox.mts';
import { ask as askAt, at, sandboxForTests, textWith, type Reply } from './support.mts';

const sandbox = await sandboxForTests();

interface Received {
	readonly headers: IncomingHttpHeaders;
	readonly raw: Buffer;
}

const received: Received[] = [];
let answer = { status: 200, headers: {} };
const receiver = createServer((request, response) => {
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	request.on('end', () => {
		received.push({ headers: request.headers, raw: Buffer.concat(chunks) });
		response.writeHead(answer.status, answer.headers).end('seen');
	});
});
const urlAt = (port: number): string => `http://127.0.0.1:${port}/hook?token=1`;
const callbackUrl = urlAt(await listenLocally(receiver));

beforeEach(() => {
	received.length = 0;
	answer = { status: 200, headers: {} };
});
afterAll(() => receiver.close());

const ask = (question = 'May we sign?', more: object = {}): Promise<Reply> =>
	askAt(sandbox, { question, callback_url: callbackUrl, ...more });
const askAndComplete = async (question?: string, more?: object): Promise<string> => {
	const id = at((await ask(question, more)).body, 'id');
	await sandbox.complete(id);
	return id;
};
const payloads = (): unknown[] => received.map(({ raw }): unknown => JSON.parse(raw.toString()));

describe('callbacks of the sandbox', () => {
	test('no callback is sent without an address', async () => {
		await askAndComplete('x', { callback_url: undefined });
		const id = await askAndComplete('One that has it');
		expect(payloads()).toMatchObject([{ id }]);
		expect(sandbox.callbacks).toMatchObject([{ questionId: id }]);
	});

	test('a callback is not sent again if the receiver refuses it, and follows no redirect', async () => {
		answer = { status: 307, headers: { location: callbackUrl } };
		await askAndComplete();
		answer = { status: 500, headers: {} };
		await askAndComplete();
		expect(sandbox.callbacks.map(({ status }) => status)).toEqual([307, 500]);
		expect(received).toHaveLength(2);
	});

	test('a callback to a receiver that is not there is recorded with the reason', async () => {
		await askAndComplete('x', { callback_url: 'http://127.0.0.1:1/' });
		expect(sandbox.callbacks).toMatchObject([{ status: null, error: textWith('ECONNREFUSED') }]);
	});

	test('a reset gives up a callback that is under way', async () => {
		const silent = createServer();
		const callback_url = urlAt(await listenLocally(silent));
		const id = at((await ask('x', { callback_url })).body, 'id');
		const tried = sandbox.complete(id);
		await once(silent, 'request');
		await sandbox.reset();
		await tried;
		expect(sandbox.callbacks).toEqual([]);
		silent.close();
	});
});

describe('faults of callbacks', () => {
	test('the next callbacks can be dropped', async () => {
		sandbox.callbackFaults.drop = next(1);
		await askAndComplete();
		await askAndComplete();
		expect(sandbox.callbacks).toMatchObject([
			{ dropped: true, status: null },
			{ dropped: false, status: 200 },
		]);
		expect(received).toHaveLength(1);
	});

	test('a callback can come compressed, signed over what it was before', async () => {
		sandbox.callbackFaults.gzip = true;
		const id = await askAndComplete();
		expect(received[0]?.headers).toMatchObject({ 'content-encoding': 'gzip' });
		expect(JSON.parse(gunzipSync(received[0]?.raw ?? '').toString())).toMatchObject({ id });
	});
});
