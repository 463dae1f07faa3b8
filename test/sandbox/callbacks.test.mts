import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { listenLocally } from '../../harness/localServer.mts';
import { next } from './sandbox.mts';
import { ask as askAt, at, call, sandboxForTests, someText, textWith, type Reply } from './support.mts';

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
const signed = (secret: string, { headers, raw }: Received): boolean => {
	const header = headers['service-signature'];
	const [, timestamp, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(typeof header === 'string' ? header : '') ?? [];
	return signature === createHmac('sha256', secret).update(`${timestamp}.${raw.toString()}`).digest('hex');
};

describe('a callback', () => {
	test('carries what a poll would answer, once, signed', async () => {
		const id = await askAndComplete('Draft it [file]');
		const polled = (await call(sandbox, 'GET', `/assistants/default/questions/${id}`)).body;
		const [only] = received;
		expect(received).toHaveLength(1);
		expect(only?.headers).toMatchObject({ 'content-type': 'application/json' });
		expect(only && signed(sandbox.webhookSecret, only)).toBe(true);
		const fresh = { attachments: [{ file_name: 'Review report.md', url: someText }] };
		expect(polled).toMatchObject({ ...Object(payloads()[0]), ...fresh });
		const delivered = { attempt: 1, status: 200, error: null, dropped: false };
		expect(sandbox.callbacks).toMatchObject([{ questionId: id, url: callbackUrl, ...delivered }]);
	});

	test('tells of a question that was declined', async () => {
		const { body } = await ask('[filtered]');
		await sandbox.waitForCallback(() => true);
		expect(payloads()).toEqual([body]);
		expect(body).toMatchObject({ status: 'filtered', session_id: null, session_url: null });
	});

	test('is not sent without an address, nor for a synchronous question', async () => {
		await askAndComplete('x', { callback_url: undefined });
		await ask('[now]', { sync_mode: true });
		const id = await askAndComplete('One that has it');
		expect(payloads()).toMatchObject([{ id }]);
		expect(sandbox.callbacks).toMatchObject([{ questionId: id }]);
	});

	test('is not sent again where the receiver refuses it, and follows no redirect', async () => {
		answer = { status: 307, headers: { location: callbackUrl } };
		await askAndComplete();
		answer = { status: 500, headers: {} };
		await askAndComplete();
		expect(sandbox.callbacks.map(({ status }) => status)).toEqual([307, 500]);
		expect(received).toHaveLength(2);
	});

	test('to a receiver that is not there is recorded with the reason', async () => {
		await askAndComplete('x', { callback_url: 'http://127.0.0.1:1/' });
		expect(sandbox.callbacks).toMatchObject([{ status: null, error: textWith('ECONNREFUSED') }]);
	});

	test('that is under way at a reset is given up and forgotten', async () => {
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

describe('callback faults', () => {
	test('drop the next ones', async () => {
		sandbox.callbackFaults.drop = next(1);
		await askAndComplete();
		await askAndComplete();
		expect(sandbox.callbacks).toMatchObject([
			{ dropped: true, status: null },
			{ dropped: false, status: 200 },
		]);
		expect(received).toHaveLength(1);
	});

	test('come compressed', async () => {
		sandbox.callbackFaults.gzip = true;
		const id = await askAndComplete();
		expect(received[0]?.headers).toMatchObject({ 'content-encoding': 'gzip' });
		expect(JSON.parse(gunzipSync(received[0]?.raw ?? '').toString())).toMatchObject({ id });
	});
});
