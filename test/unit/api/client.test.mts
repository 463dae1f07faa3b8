import type { IHttpRequestOptions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { ApiRequest, LegalAiClient } from '../../../nodes/LegalAi/api/client.ts';
import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { startClient, type Reply } from './clients.mts';

const SECOND = 1_000;
const MINUTE = 60_000;

beforeEach(() => {
	vi.useFakeTimers({ now: 1_760_000_000_000 });
});
afterEach(() => {
	vi.useRealTimers();
});

const taken = (content: unknown): unknown => content;
const read: ApiRequest = { method: 'GET', subject: 'task', path: ['tasks', 't'] };
const asking: ApiRequest = { method: 'POST', subject: 'assistant', path: ['tasks'], idempotent: false };

/** What becomes of a request, once all is over. */
async function settled(promise: Promise<unknown>): Promise<unknown> {
	const outcome = promise.catch((error: unknown) => error);
	await vi.runAllTimersAsync();
	return await outcome;
}

/** Sends a file, in vain if there is an error. */
async function transfer(client: LegalAiClient, patience = MINUTE, error?: ApiError): Promise<void> {
	await client.transfer({ subject: 'upload' }, Date.now() + patience, async (send) => {
		await send({ url: 'https://files.example.com' });
		if (error !== undefined) throw error;
	});
}

async function sentFor(request: ApiRequest): Promise<IHttpRequestOptions | undefined> {
	const { client, sent } = startClient();
	await settled(client.request(request, taken));
	return sent[0];
}

describe('a request', () => {
	test.each([
		['..', '%252E%252E'],
		['.', '%252E'],
		['a/../../me', 'a%2F..%2F..%2Fme'],
		['a?b#c', 'a%3Fb%23c'],
		['%2e%2e', '%252e%252e'],
		['...', '...'],
		['\ud800', '%EF%BF%BD'],
	])('for the ID %j reaches no other endpoint with the key', async (id, segment) => {
		const options = await sentFor({ ...read, path: ['tasks', id] });
		expect(new URL(options?.url ?? '').href).toBe(`https://legal-ai.example.com/api/v1/tasks/${segment}`);
	});

	test('has the parts of a query that are given, and a body if there is one', async () => {
		const plain = await sentFor({ ...read, query: { limit: 5, cursor: undefined, query: 'a b&c' } });
		expect(new URL(plain?.url ?? '').search).toBe('?limit=5&query=a+b%26c');
		expect(plain).not.toHaveProperty('body');
		const withBody = await sentFor({ ...asking, body: { title: 'Review' } });
		expect(withBody).toMatchObject({ method: 'POST', body: '{"title":"Review"}', headers: { 'Content-Type': 'application/json' } });
	});

	test.each([
		['has a minute', read, undefined, MINUTE],
		['has no more than its deadline allows', read, 20 * SECOND, 20 * SECOND],
		['has five seconds at the least', read, 1, 5 * SECOND],
		['has a minute whatever its deadline if it must not be repeated', asking, 20 * SECOND, MINUTE],
	])('%s to be answered', async (_what, request, patience, timeout) => {
		const deadline = patience === undefined ? undefined : Date.now() + patience;
		expect((await sentFor({ ...request, deadline }))?.timeout).toBe(timeout);
	});

	test('that was turned down says what it was about, and how long it took', async () => {
		const { client } = startClient({ reply: () => ({ status: 404, afterMs: 3 * SECOND }) });
		const error = await settled(client.request(read, taken));
		expect(error).toMatchObject({ kind: 'rejected' });
		expect(error).toMatchObject({ details: { subject: 'task', responseMs: 3 * SECOND } });
	});
});

describe('what does not get through is sent again', () => {
	const broken = (): Reply => ({ status: 503 });

	const ways: [string, (client: LegalAiClient, patience: number) => Promise<unknown>][] = [
		['request', (client, patience) => client.request({ ...read, deadline: Date.now() + patience }, taken)],
		['transfer', (client, patience) => transfer(client, patience, new ApiError('outcomeUnknown'))],
	];

	test.each(ways)('until the deadline of a %s', async (_what, send) => {
		const { client, times } = startClient({ reply: broken });
		await settled(send(client, SECOND));
		expect(times).toHaveLength(2);
	});

	test.each(ways)('no more once the run is over: %s', async (_what, send) => {
		const stop = new AbortController();
		const { client, times } = startClient({ reply: broken, signal: stop.signal });
		const outcome = send(client, MINUTE).catch((error: unknown) => error);
		await vi.advanceTimersByTimeAsync(100);
		stop.abort();
		expect(await outcome).toMatchObject({ kind: 'canceled' });
		expect(times).toHaveLength(1);
	});
});

describe('a 429', () => {
	const after = (seconds: number) => (index: number): Reply => (index === 0 ? { status: 429, headers: { 'retry-after': String(seconds) } } : {});

	test.each([
		['within its deadline', 1_200, 21 * MINUTE, [0, 20 * MINUTE]],
		['beyond its deadline', 1_200, 19 * MINUTE, [0]],
		['of 5 minutes', 300, undefined, [0, 5 * MINUTE]],
		['of more than 5 minutes, if it has no deadline', 301, undefined, [0]],
		['of a day, which nobody allows', 86_400, undefined, [0]],
		['of more than a day, which is not believed', 86_401, undefined, [0, SECOND]],
	])('that asks for a wait %s (%i s) is waited for, or reported at once', async (_what, seconds, patience, expected) => {
		const { client, times } = startClient({ reply: after(seconds) });
		const outcome = client.request({ ...read, deadline: patience && Date.now() + patience }, taken).catch((error: unknown) => error);
		await vi.advanceTimersByTimeAsync(0);
		if (expected.length === 1) expect(await outcome).toMatchObject({ kind: 'rateLimited', details: { retryAfterMs: seconds * SECOND } });
		await settled(outcome);
		expect(times).toEqual(expected);
	});

	test('of a new session does not let one out that has had a turn, waits for room, and exceeds the limit of requests', async () => {
		const reply = (index: number): Reply => (index === 0 ? { status: 429, headers: { 'retry-after': '10' }, afterMs: SECOND } : {});
		const { client, sent, times } = startClient({ reply, concurrency: 1 });
		await settled(Promise.all([client.request(read, taken), client.request({ ...asking, opensSession: true }, taken)]));
		expect(times.slice(1).every((at) => at >= 11 * SECOND)).toBe(true);
		expect(sent).toHaveLength(3);
	});
});

test('a probe takes a place among the requests at once, is sent without the key, and is not repeated', async () => {
	const { client, sent, mostAtOnce } = startClient({ reply: () => ({ status: 503, afterMs: SECOND }), concurrency: 1 });
	const probe = client.probe({ method: 'POST', url: 'https://n8n.example.com/webhook/legal-ai/w1' });
	await settled(Promise.all([probe, transfer(client)]));
	expect(mostAtOnce()).toBe(1);
	expect((await probe).status).toBe(503);
	expect(sent.map(({ url }) => new URL(url).host)).toEqual(['n8n.example.com', 'files.example.com']);
});

describe('at once', () => {
	const slow = (): Reply => ({ afterMs: SECOND });

	test('no more is under way than the user has chosen, transfers of files included', async () => {
		const { client, times, mostAtOnce } = startClient({ reply: slow, concurrency: 2 });
		await settled(Promise.all([client.request(read, taken), transfer(client), transfer(client), transfer(client)]));
		expect(mostAtOnce()).toBe(2);
		expect(times).toEqual([0, 0, SECOND, SECOND]);
	});

	test('whoever still waits for room when the run is over sends nothing', async () => {
		const stop = new AbortController();
		const { client, sent } = startClient({ reply: slow, concurrency: 1, signal: stop.signal });
		const all = Promise.allSettled([transfer(client), transfer(client), client.request(read, taken)]);
		await vi.advanceTimersByTimeAsync(SECOND / 2);
		stop.abort();
		const canceled = { status: 'rejected', reason: expect.objectContaining({ kind: 'canceled' }) as unknown };
		expect(await settled(all)).toMatchObject([{ status: 'fulfilled' }, canceled, canceled]);
		expect(sent).toHaveLength(1);
	});
});

describe('the limit of sessions', () => {
	const opening: ApiRequest = { ...asking, opensSession: true };

	test('holds up what opens a session, and not what goes on with one', async () => {
		const { client, sent, times } = startClient({ sessionsPerMinute: 1 });
		const requests = [opening, { ...opening, path: ['second'] }, read, asking];
		await settled(Promise.all(requests.map((request) => client.request(request, taken))));
		expect(times).toEqual([0, 0, 0, MINUTE]);
		expect(sent.at(-1)?.url).toContain('second');
	});

	test('alone is paused if it was exceeded', async () => {
		const { client, times } = startClient({ reply: (index) => (index === 0 ? { status: 429, headers: { 'retry-after': '10' } } : {}) });
		const opened = client.request(opening, taken);
		await vi.advanceTimersByTimeAsync(SECOND);
		await settled(Promise.all([opened, client.request(read, taken)]));
		expect(times).toEqual([0, SECOND, 10 * SECOND]);
	});

	test('of requests holds up all: whoever has had a turn, and waits for room, too', async () => {
		const { client, times } = startClient({
			reply: (index) => (index === 0 ? { status: 429, headers: { 'retry-after': '10' }, afterMs: SECOND } : {}),
			concurrency: 1,
		});
		await settled(Promise.all([client.request(read, taken), client.request(read, taken)]));
		expect(times[0]).toBe(0);
		expect(times.slice(1).every((at) => at >= 11 * SECOND)).toBe(true);
		expect(times).toHaveLength(3);
	});
});
