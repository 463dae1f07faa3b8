import { describe, expect, test } from 'vitest';

import { runNode, type NodeRunOptions } from '../support/engine/engine.mts';
import { sandboxOfFile } from '../support/lifetimes.mts';

const sandbox = await sandboxOfFile({ requestsPerMinute: Infinity, newSessionsPerMinute: Infinity }, 100);

const me = { resource: 'user', operation: 'get' };
const ask = { resource: 'question', operation: 'ask', question: 'Is the cap usual?' };
const create = { resource: 'task', operation: 'create', title: 'Review NDA' };

const items = (count: number): NodeRunOptions['items'] => Array.from({ length: count }, (_, row) => ({ json: { row } }));
const body = { error_code: 'rate_limit_exceeded', svc_api_error_code: 'rate_limit_exceeded', message: 'Slow down' };

/** How long the node waited before each request but the first, in ms. */
const waits = (): number[] => sandbox.requests.slice(1).map(({ at }, index) => at - (sandbox.requests[index]?.at ?? 0));

function throttle(retryAfter: string, times: number): void {
	sandbox.faults.add({ kind: 'status', status: 429, body, headers: { 'retry-after': retryAfter }, times });
}

describe('Retry-After', () => {
	test('of a second that comes again and again is followed more slowly each time, until the user\'s time is over', async () => {
		throttle('1', Infinity);
		const run = await runNode({ sandbox, parameters: { ...ask, options: { giveUpAfter: 3 } } });

		expect(run.error?.message).toContain('Slow down');
		expect(sandbox.requests.length).toBeLessThan(20);
		expect(waits().at(-1)).toBeGreaterThan(20_000);
	});
});

describe('where the service says 429', () => {
	test('no request is sent before the time, and then no more than the limit lets through', async () => {
		const [asked] = (await runNode({ sandbox, parameters: ask })).json;
		throttle('20', 5);
		sandbox.faults.add({ kind: 'latency', ms: 500, times: Infinity });
		const parameters = { resource: 'question', operation: 'get', questionId: asked?.id as string, options: { requestsAtOnce: 5 } };
		const run = await runNode({ sandbox, parameters, items: items(20) });

		expect(run.status).toBe('success');
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(items(20)?.map((_, item) => ({ item })));
		const [first, ...others] = sandbox.requests.filter(({ method }) => method === 'GET');
		const later = others.filter(({ status }) => status !== 429);
		expect(others).toHaveLength(24);
		expect(later).toHaveLength(20);
		for (const [index, { at }] of later.entries()) {
			expect(at - (first?.at ?? 0)).toBeGreaterThanOrEqual(20_000 + index * (60_000 / 400));
		}
	});
});

describe('where it is left open whether a request arrived', () => {
	test.each([
		['question', ask],
		['task', create],
	])('a %s is not sent again by "Retry On Fail", and neither is one that was accepted', async (_name, parameters) => {
		sandbox.faults.add({ kind: 'reset', when: 'handled', skip: 1, match: ({ method }) => method === 'POST' });
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 };
		const run = await runNode({ sandbox, parameters, items: items(2), node });

		expect(run.error?.description).toContain('may still have');
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
	});

	test('a task that was refused is sent again by "Retry On Fail", the one before it is not', async () => {
		sandbox.faults.add({ kind: 'status', status: 400, body: { error_code: 'busy', message: 'Not now' }, skip: 1 });
		const run = await runNode({ sandbox, parameters: create, items: items(2), node: { retryOnFail: true } });

		expect(run.status).toBe('success');
		expect(run.items).toHaveLength(2);
		expect(sandbox.requests.map(({ status }) => status)).toEqual([200, 400, 200]);
	});
});

describe('stopping the execution', () => {
	test('ends a wait for the limit at once', async () => {
		throttle('60', Infinity);
		const stop = new AbortController();
		const running = runNode({ sandbox, parameters: me, items: items(3), signal: stop.signal });
		await sandbox.waitForRequest(() => sandbox.requests.filter(({ ended }) => ended).length === 3);
		const stopped = Date.now();
		stop.abort();

		expect((await running).status).toBe('canceled');
		expect(Date.now() - stopped).toBeLessThan(60_000);
		const sent = sandbox.requests.length;
		sandbox.faults.clear();
		await new Promise((resolve) => setTimeout(resolve, 70_000));
		expect(sandbox.requests).toHaveLength(sent);
	});
});

test('Retry-After of more than the user allows ends the node at once, and the error says how long the service asks you to wait', async () => {
	throttle('1200', 1);
	const run = await runNode({ sandbox, parameters: { ...ask, options: { giveUpAfter: 15 } } });

	expect(run.error?.description).toContain('The service asks you to wait 20 minutes.');
	expect(sandbox.requests).toHaveLength(1);
});
