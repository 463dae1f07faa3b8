import type { ApiRequest, LegalAiClient } from '../../../nodes/LegalAi/api/client.ts';
import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { startClient } from '../../support/clients.mts';

const SECOND = 1_000;
const MINUTE = 60_000;

beforeEach(() => {
	vi.useFakeTimers({ now: 1_760_000_000_000 });
});
afterEach(() => {
	vi.useRealTimers();
});

const taken = (content: unknown) => content;
const read: ApiRequest = { method: 'GET', path: ['tasks', 't'] };
const asking: ApiRequest = {
	method: 'POST',
	words: { maybeAccepted: 'Look for it.' },
	path: ['tasks'],
	idempotent: false,
};
const opening: ApiRequest = { ...asking, opensSession: true };

/** Says to the first request that there were too many. */
const tooManyFirst = (_url: URL, index: number) =>
	index === 0 ? { status: 429, headers: { 'retry-after': '10' }, afterMs: SECOND } : {};

/** What becomes of a request, once all is over. */
async function settled(promise: Promise<unknown>) {
	const outcome = promise.catch((error: unknown) => error);
	await vi.runAllTimersAsync();
	return await outcome;
}

/** Sends a file, in vain if there is an error. */
async function transfer(client: LegalAiClient, error?: ApiError) {
	await client.transfer({ transfer: 'upload' }, Date.now() + MINUTE, async (send) => {
		await send({ url: 'https://files.example.com' });
		if (error !== undefined) throw error;
	});
}

test.each([
	['..', '%252E%252E'],
	['.', '%252E'],
	['a/../../me', 'a%2F..%2F..%2Fme'],
	['a?b#c', 'a%3Fb%23c'],
	['%2e%2e', '%252e%252e'],
	['...', '...'],
	['\ud800', '%EF%BF%BD'],
])('a request for the ID %j reaches no other endpoint with the key', async (id, segment) => {
	const { client, sent } = startClient();
	await settled(client.request({ ...read, path: ['tasks', id] }, taken));
	expect(new URL(sent[0]?.url ?? '').href).toBe(
		`https://legal-ai.example.com/eu/api/v1/tasks/${segment}`,
	);
});

test.each([
	['has a minute', read, undefined, MINUTE],
	['has no more than its deadline allows', read, 20 * SECOND, 20 * SECOND],
	['has five seconds at the least', read, 1, 5 * SECOND],
	['has a minute whatever its deadline if it must not be repeated', asking, 20 * SECOND, MINUTE],
])('a request %s to be answered', async (_what, request, patience, timeout) => {
	const { client, sent } = startClient();
	await settled(client.request({ ...request, deadline: patience && Date.now() + patience }, taken));
	expect(sent).toMatchObject([{ timeout }]);
});

test.each<[string, number, (client: LegalAiClient) => Promise<unknown>]>([
	['request', 503, async (client) => await client.request(read, taken)],
	['request', 429, async (client) => await client.request(read, taken)],
	[
		'transfer of a file',
		503,
		async (client) => {
			await transfer(client, new ApiError('outcomeUnknown'));
		},
	],
])('a %s that fails with %i is not repeated once the run is over', async (_what, status, send) => {
	const stop = new AbortController();
	const { client, times } = startClient({ reply: () => ({ status }), signal: stop.signal });
	const outcome = send(client).catch((error: unknown) => error);
	await vi.advanceTimersByTimeAsync(100);
	stop.abort();
	expect(await outcome).toMatchObject({ kind: 'canceled' });
	expect(times).toEqual([0]);
});

test.each([400, 429])(
	'a request is not repeated if it took 25 seconds to fail with %i, since it may have been accepted',
	async (status) => {
		const request = { ...asking, acceptedAfterMs: 25 * SECOND };
		for (const [afterMs, maybeAccepted] of [
			[25 * SECOND, true],
			[25 * SECOND - 1, undefined],
		] as const) {
			const { client, sent } = startClient({ reply: () => ({ status, afterMs }) });
			const error = await settled(client.request({ ...request, deadline: Date.now() }, taken));
			expect((error as ApiError).details.maybeAccepted).toBe(maybeAccepted);
			expect(sent).toHaveLength(1);
		}
	},
);

test('the probe of a trigger is sent without the key, and not repeated', async () => {
	const { client, sent } = startClient({ reply: () => ({ status: 503 }) });
	const url = 'https://n8n.example.com/webhook/legal-ai/w1';
	expect((await client.probe({ method: 'POST', url })).status).toBe(503);
	expect(sent).toMatchObject([{ url }]);
});

describe('the limit of new sessions', () => {
	test('delays a question that opens a session, but not one that continues a session', async () => {
		const { client, sent, times } = startClient({ sessionsPerMinute: 1 });
		const requests = [opening, { ...opening, path: ['second'] }, read, asking];
		await settled(Promise.all(requests.map((request) => client.request(request, taken))));
		expect(times).toEqual([0, 0, 0, MINUTE]);
		expect(sent.at(-1)?.url).toContain('second');
	});

	test('holds up nothing else after it was exceeded', async () => {
		const { client, times } = startClient({ reply: tooManyFirst });
		const opened = client.request(opening, taken);
		await vi.advanceTimersByTimeAsync(2 * SECOND);
		await settled(Promise.all([opened, client.request(read, taken)]));
		expect(times).toEqual([0, 2 * SECOND, 11 * SECOND + 1]);
	});
});
