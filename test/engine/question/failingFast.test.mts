import { expect, test, vi } from 'vitest';

import { runNode, type NodeRun, type NodeRunOptions } from '../../support/engine/engine.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';
import { questions } from '../wait/waking.mts';
import { ASK } from './waits.mts';

vi.setConfig({ testTimeout: 60_000 });
const sandbox = await sandboxOfFile({ newSessionsPerMinute: Infinity, requestsPerMinute: Infinity }, 100);

const CONCURRENT = 5;
const CREATE = 'POST /tasks';

/** The context of an error that ends a node lists what was accepted before. */
const acceptedOf = ({ error }: NodeRun): { item: number; id: string }[] => {
	const { context } = error as unknown as { context: { accepted?: { item: number; id: string }[] } };
	return context.accepted ?? [];
};

const ask = async (count: number, more: Partial<NodeRunOptions> = {}): Promise<NodeRun> =>
	await runNode({
		sandbox,
		items: questions(count),
		parameters: {
			resource: 'question',
			operation: 'ask',
			question: '={{ $json.words }}',
			options: { requestsAtOnce: CONCURRENT },
		},
		...more,
	});

const rejectAfter = (skip: number, match: typeof ASK | typeof CREATE = ASK): void => {
	sandbox.faults.add({ kind: 'status', status: 422, body: { error_code: 'not_now', message: 'No.' }, match, skip });
};

test.each([422, 401])('nothing new is sent once the first of 2,000 questions was rejected with %i', async (status) => {
	const times = status === 401 ? Infinity : 1;
	sandbox.faults.add({ kind: 'status', status, body: { error_code: 'not_now' }, match: ASK, times });
	const run = await ask(2_000);
	expect(run.status).toBe('error');
	expect(sandbox.requests.length).toBeLessThanOrEqual(CONCURRENT);
});

test('what was accepted before and while the first one failed is listed, all of it', async () => {
	rejectAfter(20);
	const run = await ask(50);
	expect(acceptedOf(run).map(({ id }) => id).toSorted()).toEqual(sandbox.questions.map(({ id }) => id).toSorted());
	expect(sandbox.questions.length).toBeGreaterThanOrEqual(19);
	const words = new Map(sandbox.questions.map(({ id, text }) => [id, text]));
	expect(acceptedOf(run).every(({ item, id }) => words.get(id) === `Question ${item}`)).toBe(true);
	expect(run.error?.description).toContain(`(${sandbox.questions.length} in all)`);
	expect(run.error?.description).toContain(`item 0: ${acceptedOf(run)[0]?.id ?? ''}`);
});

test('a retry of the execution asks what was not accepted, and nothing else', async () => {
	rejectAfter(20);
	const failed = await ask(50);
	const before = sandbox.questions.length;
	const run = await failed.retry();
	expect(run.status).toBe('success');
	expect(sandbox.questions).toHaveLength(50);
	expect(before).toBeGreaterThan(0);
	expect(run.json.map(({ id }) => sandbox.questions.find((question) => question.id === id)?.text)).toEqual(
		questions(50).map(({ json }) => json.words),
	);
});

test('a retry of the execution creates each task once', async () => {
	rejectAfter(8, CREATE);
	const before = sandbox.tasks.ordered().length;
	const failed = await runNode({
		sandbox,
		items: questions(20),
		parameters: { resource: 'task', operation: 'create', title: '={{ $json.words }}' },
	});
	expect(failed.status).toBe('error');
	expect(acceptedOf(failed).length).toBe(sandbox.tasks.ordered().length - before);
	const run = await failed.retry();
	expect(run.status).toBe('success');
	expect(sandbox.tasks.ordered().length - before).toBe(20);
	expect(run.json.map(({ title }) => title)).toEqual(questions(20).map(({ json }) => json.words));
});

test('the output says how many questions were declined', async () => {
	sandbox.settings.answer = ({ text }) => ({ status: text.endsWith('1') ? 'filtered' : 'completed', answer: 'So.', after: 0 });
	expect((await ask(12)).hints).toEqual([expect.stringContaining('declined 2 questions.') as string]);
	sandbox.settings.answer = () => ({ status: 'filtered', answer: 'So.', after: 0 });
	expect((await ask(1)).hints).toEqual([expect.stringContaining('declined one question.') as string]);
});

test('what a user stops does not come out as failed items, although the node goes on after a failure', async () => {
	const stop = new AbortController();
	sandbox.faults.add({ kind: 'hang', match: ASK, times: Infinity });
	const running = ask(3, { signal: stop.signal, node: { onError: 'continueRegularOutput' } });
	await sandbox.waitForRequest(() => sandbox.requests.length === 3);
	stop.abort();
	const run = await running;
	expect(run.status).toBe('canceled');
	expect(run.json.filter((json) => 'error' in json)).toEqual([]);
});
