import type { ApiRequest } from '../../../nodes/LegalAi/api/client.ts';
import type { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { startClient } from '../../support/clients.mts';

const SECOND = 1_000;

beforeEach(() => {
	vi.useFakeTimers({ now: 1_760_000_000_000 });
});
afterEach(() => {
	vi.useRealTimers();
});

const taken = (content: unknown) => content;
const read: ApiRequest = { method: 'GET', path: ['tasks', 't'] };
const asking: ApiRequest = { method: 'POST', path: ['tasks'], isIdempotent: false };
const opening: ApiRequest = { ...asking, opensSession: true };

/** What becomes of a request, once all is over. */
async function settled(promise: Promise<unknown>) {
	const outcome = promise.catch((error: unknown) => error);
	await vi.runAllTimersAsync();
	return await outcome;
}

test.each([
	['..', '%252E'],
	['.', '%252E'],
	['a/../../me', 'a%2F..%2F..%2Fme'],
	['a?b#c', 'a%3Fb%23c'],
	['%2e%2e', '%252e%252e'],
	['...', '...'],
	['\ud800', '%EF%BF%BD'],
])('a request for the ID %j reaches no other endpoint with the key', async (id, segment) => {
	const { client, sent } = await startClient();
	await settled(client.request({ ...read, path: ['tasks', id] }, taken));
	expect(new URL(sent[0]?.url ?? '').href).toBe(
		`https://legal-ai.example.com/eu/api/v1/tasks/${segment}`,
	);
});

test.each([503, 429])(
	'a request that fails with %i is not repeated once the run is over',
	async (status) => {
		const stop = new AbortController();
		const { client, times } = await startClient({ reply: () => ({ status }), signal: stop.signal });
		const outcome = client.request(read, taken).catch((error: unknown) => error);
		await vi.advanceTimersByTimeAsync(100);
		stop.abort();
		expect(await outcome).toMatchObject({ kind: 'canceled' });
		expect(times).toEqual([0]);
	},
);

test.each<[string, ApiRequest, deadlineMs: number | undefined, timeout: number]>([
	['a minute', read, undefined, 60 * SECOND],
	['what is left until its deadline', read, 30 * SECOND, 30 * SECOND],
	['five seconds, though its deadline is near', read, SECOND, 5 * SECOND],
	['a minute, if it must not be sent again', asking, SECOND, 60 * SECOND],
])('a response may take %s', async (_, request, deadlineMs, timeout) => {
	const { client, sent } = await startClient();
	const deadline = deadlineMs === undefined ? undefined : Date.now() + deadlineMs;
	await settled(client.request({ ...request, deadline }, taken));
	expect(sent.map((options) => options.timeout)).toEqual([timeout]);
});

test.each([400, 429])(
	'a request is not repeated if it took 25 seconds to fail with %i, since it may have been accepted',
	async (status) => {
		const request = { ...asking, acceptedAfterMs: 25 * SECOND };
		for (const [afterMs, maybeAccepted] of [
			[25 * SECOND, true],
			[25 * SECOND - 1, undefined],
		] as const) {
			const { client, sent } = await startClient({ reply: () => ({ status, afterMs }) });
			const error = await settled(client.request({ ...request, deadline: Date.now() }, taken));
			expect((error as ApiError).details.maybeAccepted).toBe(maybeAccepted);
			expect(sent).toHaveLength(1);
		}
	},
);

test.each([300, 400])(
	'a change that fails with %i has failed, also if the service says nothing more',
	async (status) => {
		const { client } = await startClient({ reply: () => ({ status, body: '' }) });
		const outcome = await settled(client.request({ ...asking, method: 'PATCH' }, taken));
		expect(outcome).toMatchObject({ details: { status } });
	},
);

test.each([
	[
		'longer after each 429 in a row, and short again after a success',
		[429, 429, 200, 429, 200],
		[0, 1, 3, 3, 4],
	],
	['none after another failure', [400, 200], [0, 0]],
])('there is a pause before the next request, %s', async (_what, statuses, seconds) => {
	const { client, times } = await startClient({
		reply: (_url, index) => ({ status: statuses[index] ?? 200 }),
	});
	for (const status of statuses) if (status !== 429) await settled(client.request(read, taken));
	expect(times.map((ms) => Math.floor(ms / SECOND))).toEqual(seconds);
});

describe('the limit of new sessions', () => {
	test('delays a question that opens a session, but not one that continues a session', async () => {
		const { client, sent, times } = await startClient();
		for (let count = 0; count < 59; count++) await client.request(opening, taken);
		const requests = [{ ...opening, path: ['late'] }, read, asking];
		await settled(Promise.all(requests.map((request) => client.request(request, taken))));
		expect(times.filter((at) => at > 0)).toHaveLength(1);
		expect(sent.at(-1)?.url).toContain('late');
	});

	test('holds up nothing else after it was exceeded', async () => {
		const { client, times } = await startClient({
			reply: (_url, index) =>
				index === 0 ? { status: 429, headers: { 'retry-after': '10' } } : {},
		});
		const opened = client.request(opening, taken);
		await vi.advanceTimersByTimeAsync(SECOND);
		await settled(Promise.all([opened, client.request(read, taken)]));
		expect(times).toEqual([0, SECOND, 10 * SECOND]);
	});
});

const BASE_URL = 'https://legal.example/api/v1';

test.for<[string, string, string, boolean]>([
	['a slash at its end', `${BASE_URL}//`, 'sk-svc-api1-x', true],
	['other letters of its host', ' https://LEGAL.example:443/api/v1', 'sk-svc-api1-x ', true],
	['another path', 'https://legal.example/eu/api/v1', 'sk-svc-api1-x', false],
	['another key', BASE_URL, 'sk-svc-api1-y', false],
])(
	'a client whose credential is changed to %s notices whether it is that of somebody else',
	async ([, baseUrl, apiKey, isSame]) => {
		const credential = { baseUrl: BASE_URL, apiKey: 'sk-svc-api1-x' };
		const { client } = await startClient({ credential });
		Object.assign(credential, { baseUrl, apiKey });
		const outcome = await client.ensureSameCredential().catch((error: unknown) => error);
		expect((outcome as ApiError | undefined)?.kind).toBe(isSame ? undefined : 'credentialChanged');
	},
);

test('a request that gives up waiting for one of its limits takes up no permit of the other', async () => {
	const { client } = await startClient();
	const fill = async (request: Partial<ApiRequest>, permits: number) => {
		for (let count = 0; count < permits; count++) await client.acquirePermit(request);
	};
	// Nothing is left of the requests, and a single session.
	await fill({ opensSession: true }, 58);
	await fill({}, 393 - 58);
	const deferred = await client
		.acquirePermit({ opensSession: true, permitBy: Date.now() })
		.catch((error: unknown) => error);
	expect(deferred).toMatchObject({ kind: 'deferred' });
	// As soon as requests have a permit again, so have sessions.
	await vi.advanceTimersByTimeAsync(160);
	await expect(
		client.acquirePermit({ opensSession: true, permitBy: Date.now() }),
	).resolves.toBeUndefined();
});

/** Of 400 requests and 60 new sessions a minute, almost all come at once. */
const REQUESTS = 393;
const SESSIONS = 59;

test('a permit of two limits is taken of both or of none: what the limit of requests defers uses up no new session', async () => {
	const { client } = await startClient();
	for (let count = 0; count < REQUESTS; count++) await client.acquirePermit({});
	for (let count = 0; count < SESSIONS; count++)
		await expect(
			client.acquirePermit({ opensSession: true, permitBy: Date.now() }),
		).rejects.toMatchObject({ kind: 'deferred' });
	await vi.advanceTimersByTimeAsync(10 * SECOND);
	let opened = 0;
	for (let count = 0; count < SESSIONS; count++)
		void client.acquirePermit({ opensSession: true }).then(() => (opened += 1));
	await vi.advanceTimersByTimeAsync(0);
	expect(opened).toBe(SESSIONS);
});
