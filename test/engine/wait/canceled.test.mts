import type { INode } from 'n8n-workflow';

import {
	AFTER,
	ASK,
	CHECK,
	questions,
	test,
	textWith,
	type Wait,
} from '../../support/fixtures.mts';

/** What a stopped execution is left as: two of its items were asked, those that were under way beside them are stuck, and three were not asked. */
async function stopWhileSending({ service, ask, clock, posted }: Wait, node: Partial<INode>) {
	const stop = new AbortController();
	const stuck = service.faults.add({ kind: 'hang', match: ASK, skip: 2, times: Infinity });
	const running = ask({ items: questions(12), signal: stop.signal, node });
	await clock.settle(service.waitForRequest(() => posted() === 9));
	stop.abort();
	const stopped = await clock.settle(running);
	stuck.remove();
	return stopped;
}

describe.each(['continueRegularOutput', 'continueErrorOutput', 'stopWorkflow'] as const)(
	'with On Error: %s, what is stopped',
	(onError) => {
		const node = { onError, alwaysOutputData: true };

		test('while it sends hands nothing on, and its retry sends nothing twice and has the answers', async ({
			service,
			clock,
			wait,
		}) => {
			const canceled = await stopWhileSending(wait, node);
			expect([canceled.status, canceled.runData[AFTER]]).toEqual(['canceled', undefined]);
			const retried = await clock.settle(canceled.retry());
			for (const { text } of [...service.questions]) await wait.completeSilently(text);
			const over = await wait.wakeInTime(retried);
			const interrupted = textWith('interrupted');
			expect([over.status, over.error?.message, wait.posted()]).toEqual(
				onError === 'stopWorkflow' ? ['error', interrupted, 12] : ['success', undefined, 12],
			);
			const answers = over.outputs.flat().flatMap(({ json }) => json.answer ?? []);
			expect(answers).toHaveLength(onError === 'stopWorkflow' ? 0 : 5);
		});

		test('as it checks for the answers is retried as if it had not been stopped', async ({
			service,
			clock,
			wait,
		}) => {
			const stop = new AbortController();
			const parked = await wait.ask({ signal: stop.signal, node });
			service.faults.add({ kind: 'hang', match: CHECK });
			const running = parked.wake();
			await clock.settle(service.waitForRequest(({ route }) => route === CHECK));
			stop.abort();
			const canceled = await clock.settle(running);
			expect([canceled.status, canceled.runData[AFTER]]).toEqual(['canceled', undefined]);
			await wait.completeSilently();
			const over = await clock.settle(canceled.retry());
			expect([over.json, wait.posted()]).toMatchObject([[{ answer: 'Answer to Question 0' }], 1]);
		});
	},
);
