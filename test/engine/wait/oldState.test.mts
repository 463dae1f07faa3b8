import type { INode, INodeExecutionData, INodeType } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { chain, node } from '../../../harness/workflows.mts';
import { callbackResponses } from '../../../nodes/LegalAi/messages/callbackMessages.ts';
import {
	AFTER,
	BEFORE,
	legalAiNode,
	PASS_ON,
	runWorkflow,
	type Execution,
} from '../../support/engine/engine.mts';
import { PassOn } from '../../support/engine/nodeTypes.mts';
import { pass, rest, settle } from '../../support/clock.mts';
import { answerTo, deliver } from '../../support/engine/listening.mts';
import { onStoppedClock } from '../../support/wait/onStoppedClock.mts';
import { asking, questions } from '../../support/wait/waits.mts';

/*
 * n8n continues an execution with the state that was read before it was claimed, however old: it only compares the status. So a
 * wake or a callback that had to wait for a free slot continues the execution once more after it has parked again.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const world = await onStoppedClock();
const { sandbox, ask, completeSilently, checks } = world;

/** Parks at the question of the node One, whose answer is ready then; the node Two asks after it. */
async function askOneThenTwo(
	between: INode[] = [],
	nodeTypes: Record<string, INodeType> = {},
): Promise<Execution> {
	const one = legalAiNode({ parameters: asking, node: { name: 'One' } });
	const two = legalAiNode({
		parameters: { ...asking, question: '=Two: {{ $json.answer }}' },
		node: { id: 'two', webhookId: 'two', name: 'Two' },
	});
	const workflow = chain('One, then Two', [
		node(BEFORE, PASS_ON, {}),
		one,
		...between,
		two,
		node(AFTER, PASS_ON, {}),
	]);
	world.n8n.track();
	const parked = await settle(
		runWorkflow(workflow, { sandbox, n8n: world.n8n, items: questions(1), nodeTypes }),
	);
	await completeSilently();
	return parked;
}

/** How often n8n has asked what. */
const texts = (): string[] => sandbox.questions.map(({ text }) => text);

/** Lets time pass until the last question has its answer, and gives how the execution ended. */
async function finish({ id }: Execution): Promise<Execution> {
	await completeSilently(texts().at(-1));
	return await settle(
		world.n8n.endings.waitFor(
			(ending) => ending.id === id && ending.status !== 'waiting',
			60 * MINUTE,
		),
	);
}

/** Another execution holds the only slot from 10 s before a check is due until what happens meanwhile is over. */
async function whileBusy(
	parked: Pick<Execution, 'waitTill'>,
	meanwhile: () => Promise<unknown>,
): Promise<void> {
	world.n8n.slots.limit = 1;
	await pass((parked.waitTill?.getTime() ?? 0) - Date.now() - 10 * SECOND);
	const giveBack = await world.n8n.slots.take();
	await meanwhile();
	giveBack();
	await rest();
}

/** n8n wakes the execution each minute as long as it waits for a slot. */
const wokenThreeTimes = (): Promise<void> => pass(175 * SECOND);

// The same for the next node alone, and for callbacks, in a real n8n: test/e2e/all/busySlot.test.mts.
test('if n8n has no free slot when the check of a node is due, the node behind it creates its task only once', async () => {
	const parameters = { resource: 'task', operation: 'create', title: '=Task: {{ $json.answer }}' };
	const task = legalAiNode({
		parameters,
		node: { id: 'task', webhookId: 'task', name: 'Create Task' },
	});
	const parked = await askOneThenTwo([task]);
	await whileBusy(parked, wokenThreeTimes);
	expect(sandbox.requests.filter(({ route }) => route === 'POST /tasks')).toHaveLength(1);
});

describe('items of one session', () => {
	/** Two items of a session that has answered its first question, and more without one; the first has its answer. */
	async function askInSession(words: string[] = [], node: Partial<INode> = {}): Promise<Execution> {
		await ask({ fields: { operation: 'ask', question: 'Opening' } });
		await completeSilently('Opening');
		const session = sandbox.asked('Opening').sessionId;
		const items = [
			...questions(2).map(({ json }) => ({ ...json, session })),
			...words.map((text) => ({ words: text, session: '' })),
		];
		world.n8n.track();
		const fields = { additionalFields: { sessionId: '={{ $json.session }}' } };
		const parked = await ask({ items: items.map((json) => ({ json })), fields, node });
		await completeSilently();
		return parked;
	}

	test('are asked once, if n8n has no free slot as the check of the first is due', async () => {
		const parked = await askInSession();
		await whileBusy(parked, wokenThreeTimes);
		await pass(MINUTE);
		expect(world.posted()).toBe(3);
		const over = await finish(parked);
		expect(over.json).toMatchObject([
			{ answer: 'Answer to Question 0' },
			{ answer: 'Answer to Question 1' },
		]);
	});

	test('that may have been accepted are not asked again', async () => {
		const parked = await askInSession(['Open'], { onError: 'continueRegularOutput' });
		sandbox.faults.add({
			kind: 'reset',
			when: 'handled',
			match: ({ method }) => method === 'POST',
		});
		await whileBusy(parked, wokenThreeTimes);
		expect(world.posted()).toBe(4);
	});
});

describe('a callback less than 10 seconds before the planned check', () => {
	async function callBackBefore(parked: Execution, ms: number): Promise<unknown> {
		await pass((parked.waitTill?.getTime() ?? 0) - Date.now() - ms);
		const sent = answerTo(sandbox.questions[0]?.id ?? '', { answer: 'Answer to Question 0' });
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

let counted = 0;

/** Gives another answer each time. */
class Counting extends PassOn implements INodeType {
	override execute(): Promise<INodeExecutionData[][]> {
		counted += 1;
		return Promise.resolve([[{ json: { answer: counted } }]]);
	}
}

test('a node that runs again with a different question text asks a new question', async () => {
	const between = legalAiNode({
		parameters: {},
		node: { id: 'count', name: 'Count', type: 'test.count' },
	});
	const parked = await askOneThenTwo([between], { 'test.count': new Counting() });
	await whileBusy(parked, wokenThreeTimes);
	expect(texts().slice(0, 3)).toEqual(['Question 0', 'Two: 1', 'Two: 2']);
});
