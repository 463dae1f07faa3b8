import { describe, expect } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import { sandboxTest } from '../support/fixtures.mts';
import { questions } from './wait/waking.mts';

const test = sandboxTest({}, 100);

const question = 'Is the cap usual?';

/** Has the service ask to wait. */
function throttle({ faults }: Sandbox, retryAfter: string, times: number): void {
	faults.add({ kind: 'status', status: 429, body: { message: 'Slow down' }, headers: { 'retry-after': retryAfter }, times });
}

describe('Retry-After', () => {
	test('of more than the user allows ends the node at once, and the error says how long the service asks you to wait', async ({ sandbox, run }) => {
		throttle(sandbox, '1200', 1);
		const { error } = await run('question.ask', { question, options: { giveUpAfter: 15 } });

		expect(error?.description).toContain('The service asks you to wait 20 minutes.');
		expect(sandbox.requests).toHaveLength(1);
	});

	test('is waited for by all items, and then no more is sent than the limit lets through', async ({ sandbox, run }) => {
		const [asked] = (await run('question.ask', { question })).json;
		throttle(sandbox, '20', 5);
		sandbox.faults.add({ kind: 'latency', ms: 500, times: Infinity });
		const parameters = { questionId: asked?.id as string, options: { requestsAtOnce: 5 } };
		const { items } = await run('question.get', parameters, { items: questions(20) });

		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(questions(20).map((_, item) => ({ item })));
		const [first, ...others] = sandbox.requests.filter(({ method }) => method === 'GET');
		const later = others.filter(({ status }) => status !== 429);
		expect([others.length, later.length]).toEqual([24, 20]);
		for (const [index, { at }] of later.entries()) {
			expect(at - (first?.at ?? 0)).toBeGreaterThanOrEqual(20_000 + index * (60_000 / 400));
		}
	});

	test('is no longer waited for once the execution is stopped', async ({ sandbox, run }) => {
		throttle(sandbox, '60', Infinity);
		const stop = new AbortController();
		const running = run('user.get', {}, { items: questions(3), signal: stop.signal });
		await sandbox.waitForRequest(() => sandbox.requests.filter(({ ended }) => ended).length === 3);
		const stopped = Date.now();
		stop.abort();

		expect((await running).status).toBe('canceled');
		expect(Date.now() - stopped).toBeLessThan(60_000);
		sandbox.faults.clear();
		await new Promise((resolve) => setTimeout(resolve, 70_000));
		expect(sandbox.requests).toHaveLength(3);
	});
});

describe('"Retry On Fail"', () => {
	test('creates nothing again that may have been created, nor what was', async ({ sandbox, run }) => {
		sandbox.faults.add({ kind: 'reset', when: 'handled', skip: 1, match: 'POST /tasks' });
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 };
		const { error } = await run('task.create', { title: 'Review NDA' }, { items: questions(2), node });

		expect(error?.description).toContain('may still have');
		expect(sandbox.requests).toHaveLength(2);
	});

	test('sends a task again that was rejected, and not the one before it', async ({ sandbox, run }) => {
		sandbox.faults.add({ kind: 'status', status: 400, body: { error_code: 'busy', message: 'Not now' }, skip: 1 });
		const { items } = await run('task.create', { title: 'Review NDA' }, { items: questions(2), node: { retryOnFail: true } });

		expect(items).toHaveLength(2);
		expect(sandbox.requests.map(({ status }) => status)).toEqual([200, 400, 200]);
	});
});
