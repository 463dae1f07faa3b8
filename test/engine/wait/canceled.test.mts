import type { INode } from 'n8n-workflow';

import {
	AFTER,
	ASK,
	CHECK,
	onStoppedClock,
	questions,
	settle,
	textWith,
} from '../../support/wait/onStoppedClock.mts';

const world = await onStoppedClock();
const { sandbox, ask, completeSilently, posted } = world;

/** What a stopped execution is left as: two of its items were asked, those that were under way beside them are stuck, and three were not asked. */
async function stopWhileSending(node: Partial<INode>) {
	const stop = new AbortController();
	const stuck = sandbox.faults.add({ kind: 'hang', match: ASK, skip: 2, times: Infinity });
	const running = ask({ items: questions(12), signal: stop.signal, node });
	await settle(sandbox.waitForRequest(() => posted() === 9));
	stop.abort();
	const stopped = await settle(running);
	stuck.remove();
	return stopped;
}

describe.each(['continueRegularOutput', 'continueErrorOutput', 'stopWorkflow'] as const)(
	'with On Error: %s, what is stopped',
	(onError) => {
		const node = { onError, alwaysOutputData: true };

		test('while it sends hands nothing on, and its retry sends nothing twice and has the answers', async () => {
			const canceled = await stopWhileSending(node);
			expect([canceled.status, canceled.runData[AFTER]]).toEqual(['canceled', undefined]);
			const retried = await settle(canceled.retry());
			for (const { text } of [...sandbox.questions]) await completeSilently(text);
			const over = await world.wakeInTime(retried);
			const interrupted = textWith('interrupted');
			expect([over.status, over.error?.message, posted()]).toEqual(
				onError === 'stopWorkflow' ? ['error', interrupted, 12] : ['success', undefined, 12],
			);
			const answers = over.outputs.flat().flatMap(({ json }) => json.answer ?? []);
			expect(answers).toHaveLength(onError === 'stopWorkflow' ? 0 : 5);
		});

		test('as it checks for the answers is retried as if it had not been stopped', async () => {
			const stop = new AbortController();
			const parked = await ask({ signal: stop.signal, node });
			sandbox.faults.add({ kind: 'hang', match: CHECK });
			const running = parked.wake();
			await settle(sandbox.waitForRequest(({ route }) => route === CHECK));
			stop.abort();
			const canceled = await settle(running);
			expect([canceled.status, canceled.runData[AFTER]]).toEqual(['canceled', undefined]);
			await completeSilently();
			const over = await settle(canceled.retry());
			expect([over.json, posted()]).toMatchObject([[{ answer: 'Answer to Question 0' }], 1]);
		});
	},
);
