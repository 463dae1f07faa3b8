import { chain, node } from '../../../harness/workflows.mts';
import { callbackResponses } from '../../../nodes/LegalAi/messages/callbackMessages.ts';
import { answerTo, deliver } from '../../support/engine/listening.mts';
import {
	ASK,
	asking,
	BEFORE,
	type Execution,
	legalAiNode,
	onStoppedClock,
	pass,
	PASS_ON,
	questions,
	rest,
	runWorkflow,
	settle,
} from '../../support/wait/onStoppedClock.mts';

/*
 * n8n continues an execution with the state that was read before it was claimed, however old: it only compares the status. So a
 * wake or a callback that had to wait for a free slot continues the execution once more after it has parked again.
 */

const SECOND = 1_000;

const world = await onStoppedClock();
const { sandbox, ask, completeSilently, checks } = world;

/** Another execution holds the only slot from 10 s before a check is due; meanwhile n8n wakes this one each minute, three times. */
async function whileBusy({ waitTill }: Execution) {
	world.n8n.slots.limit = 1;
	await pass((waitTill?.getTime() ?? 0) - Date.now() - 10 * SECOND);
	const giveBack = await world.n8n.slots.take();
	await pass(175 * SECOND);
	giveBack();
	await rest();
}

// The same for the next node alone, and for callbacks, in a real n8n: test/e2e/all/busySlot.test.mts.
test('if n8n has no free slot when the check of a node is due, the node behind it creates its task only once', async () => {
	const parameters = { resource: 'task', operation: 'create', title: '=Task: {{ $json.answer }}' };
	const workflow = chain('One, then a task, then Two', [
		node(BEFORE, PASS_ON, {}),
		legalAiNode({ parameters: asking, node: { name: 'One' } }),
		legalAiNode({ parameters, node: { id: 'task', webhookId: 'task', name: 'Create Task' } }),
		legalAiNode({
			parameters: { ...asking, question: 'Two' },
			node: { id: 'two', webhookId: 'two', name: 'Two' },
		}),
	]);
	world.n8n.track();
	const parked = await settle(
		runWorkflow(workflow, { sandbox, n8n: world.n8n, items: questions(1) }),
	);
	await completeSilently();
	await whileBusy(parked);
	expect(sandbox.requestsTo('POST /tasks')).toHaveLength(1);
});

test('items of one session that may have been accepted are not asked again if n8n has no free slot when the check of the first is due', async () => {
	await ask({ fields: { operation: 'ask', question: 'Opening' } });
	await completeSilently('Opening');
	const session = sandbox.asked('Opening').sessionId;
	const items = [...questions(2), { json: { words: 'Open' } }].map(({ json }) => ({
		json: { ...json, session: json.words === 'Open' ? '' : session },
	}));
	world.n8n.track();
	const fields = { additionalFields: { sessionId: '={{ $json.session }}' } };
	const parked = await ask({ items, fields, node: { onError: 'continueRegularOutput' } });
	await completeSilently();
	sandbox.faults.add({ kind: 'reset', when: 'handled', match: ASK });
	await whileBusy(parked);
	expect(world.posted()).toBe(4);
});

describe('a callback less than 10 seconds before the planned check', () => {
	async function callBackBefore(parked: Execution, ms: number) {
		await pass((parked.waitTill?.getTime() ?? 0) - Date.now() - ms);
		const sent = answerTo(sandbox.asked().id, { answer: 'Answer to Question 0' });
		return await settle(deliver(sandbox, parked.resumeUrl, sent));
	}

	test('is noted, and its answer comes out with that check, without a request', async () => {
		const parked = await ask();
		expect(await callBackBefore(parked, 9_999)).toEqual([
			200,
			{ message: callbackResponses.noted },
		]);
		expect((await settle(parked.wake())).json).toMatchObject([{ answer: 'Answer to Question 0' }]);
		expect(checks()).toEqual([]);
	});

	test.each([
		[
			'resumes the execution if the execution timeout may come before the check',
			(parked: Execution) => Promise.resolve(parked),
		],
		['resumes the execution if no check is left before the execution timeout', world.wakeInTime],
	])('%s', async (_check, follow) => {
		const parked = await follow(await ask({ settings: { executionTimeout: 60 } }));
		expect(await callBackBefore(parked, 9_999)).toEqual([
			200,
			{ message: callbackResponses.resuming },
		]);
		expect((await settle(parked.resumed())).json).toMatchObject([
			{ answer: 'Answer to Question 0' },
		]);
	});
});
