import type { ApiRequest } from '../../../nodes/LegalAi/api/client.ts';
import { startClient } from '../../support/clients.mts';

const ofN8n1 = await vi.hoisted(async () => {
	const { createRequire } = await import('node:module');
	return createRequire(new URL('../../n8n/1/package.json', import.meta.url));
});
vi.mock('n8n-workflow', () => ofN8n1('n8n-workflow') as object);

const MINUTE = 60_000;
const request: ApiRequest = {
	method: 'POST',
	words: { maybeAccepted: 'Look for it.' },
	path: ['questions'],
	opensSession: true,
};

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

test('the version of n8n-workflow is one whose sleep takes no signal', () => {
	const { version } = ofN8n1('n8n-workflow/package.json') as { version: string };
	expect(version).toMatch(/^1\.120\./);
	const { sleep } = ofN8n1('n8n-workflow') as { sleep: (ms: number) => Promise<void> };
	expect(sleep).toHaveLength(1);
});

test('stopping ends the wait before a request is repeated immediately', async () => {
	const stop = new AbortController();
	const { client, sent } = startClient({
		reply: () => ({ status: 503, headers: { 'retry-after': '60' } }),
		signal: stop.signal,
	});
	let outcome: unknown;
	void client.request(request, (content) => content).catch((error: unknown) => (outcome = error));
	await vi.advanceTimersByTimeAsync(1_000);
	stop.abort();
	await vi.advanceTimersByTimeAsync(0);
	expect(outcome).toMatchObject({ kind: 'canceled' });
	expect(sent).toHaveLength(1);
});

test('requests that have waited for the limit leave no timers behind', async () => {
	const { client, sent } = startClient({ sessionsPerMinute: 60 });
	const deadline = Date.now() + 60 * MINUTE;
	for (let count = 0; count < 500; count++) {
		void client.request(
			{ ...request, deadline: count % 2 === 0 ? deadline : undefined },
			(content) => content,
		);
	}
	await vi.advanceTimersByTimeAsync(8 * MINUTE);
	expect(sent).toHaveLength(500);
	await vi.advanceTimersByTimeAsync(MINUTE);
	expect(vi.getTimerCount()).toBe(0);
});
