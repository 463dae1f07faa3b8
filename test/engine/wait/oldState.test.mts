import { NodeConnectionTypes, type INode, type INodeExecutionData, type INodeParameters, type INodeType } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { callbackResponses } from '../../../nodes/LegalAi/messages/callbackMessages.ts';
import { AFTER, BEFORE, legalAiNode, NODE, runWorkflow, workflowAround, type Execution, type NodeRun } from '../../support/engine/engine.mts';
import { PassOn } from '../../support/engine/nodeTypes.mts';
import { pass, rest, settle } from '../../support/clock.mts';
import { answerTo, deliver } from '../trigger/listening.mts';
import { onStoppedClock } from './onStoppedClock.mts';
import { asking, questions } from './waking.mts';

/*
 * n8n continues an execution with the state that was read before it was claimed, however old: it only compares the status. So a
 * wake or a callback that had to wait for a free slot continues the execution once more after it has parked again.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const world = await onStoppedClock();
const { sandbox, ask, completeSilently, checks } = world;

const ONE = 'One';
const TWO = 'Two';
const askTwo: INodeParameters = { ...asking, question: '=Two: {{ $json.answer }}' };

/** Asks in the node One, and then in the node Two, until all is over or parked. */
async function askOneThenTwo(between: INode[] = [], nodeTypes: Record<string, INodeType> = {}): Promise<Execution> {
	const around = workflowAround(legalAiNode({ parameters: asking, node: { name: ONE } }));
	const two = legalAiNode({ parameters: askTwo, node: { id: 'two', webhookId: 'two', name: TWO } });
	const to = (node: string) => ({ main: [[{ node, type: NodeConnectionTypes.Main, index: 0 }]] });
	const chain = [BEFORE, ONE, ...between.map(({ name }) => name), TWO, AFTER];
	const connections = Object.fromEntries(chain.slice(1).map((name, index) => [chain[index] ?? '', to(name)]));
	const workflow = { nodes: [...around.nodes, ...between, two], connections };
	return await settle(runWorkflow(workflow, { sandbox, n8n: world.n8n, items: questions(1), startNode: BEFORE, nodeTypes }));
}

/** How often n8n has asked what. */
const texts = (): string[] => sandbox.questions.map(({ text }) => text);

/** Lets time pass until the last question has its answer, and gives how the execution ended. */
async function finish({ id }: Execution): Promise<Execution> {
	await completeSilently(sandbox.questions.length - 1);
	return await settle(world.n8n.endings.waitFor((ending) => ending.id === id && ending.status !== 'waiting', 60 * MINUTE));
}

/** Another execution holds the only slot from 10 s before a check is due until what happens meanwhile is over. */
async function whileBusy(parked: Pick<Execution, 'waitTill'>, meanwhile: () => Promise<unknown>): Promise<void> {
	world.n8n.slots.limit = 1;
	await pass((parked.waitTill?.getTime() ?? 0) - Date.now() - 10 * SECOND);
	const giveBack = await world.n8n.slots.take();
	await meanwhile();
	giveBack();
	await rest();
}

/** n8n wakes the execution each minute as long as it waits for a slot. */
const wokenThreeTimes = (): Promise<void> => pass(175 * SECOND);

describe('if n8n has no free slot as the check of One is due, Two asks once', () => {
	test('although n8n wakes One again each minute', async () => {
		world.n8n.track();
		const parked = await askOneThenTwo();
		await completeSilently(0);
		await whileBusy(parked, wokenThreeTimes);
		const over = await finish(parked);
		expect(texts()).toEqual(['Question 0', 'Two: Answer 0']);
		expect(over.itemsOf(AFTER)).toMatchObject([{ json: { answer: 'Answer 1' } }]);
	});

	test.each([3, 11])('and One is called back %i s later', async (seconds) => {
		world.n8n.track();
		const parked = await askOneThenTwo();
		await completeSilently(0);
		await whileBusy(parked, async () => {
			await pass((10 + seconds) * SECOND);
			const sent = answerTo(sandbox.questions[0]?.id ?? '', { answer: 'Answer 0' });
			expect(await settle(deliver(sandbox, parked.resumeUrl, sent))).toEqual([200, { message: callbackResponses.noted }]);
			await wokenThreeTimes();
		});
		const over = await finish(parked);
		expect([over.status, texts()]).toEqual(['success', ['Question 0', 'Two: Answer 0']]);
	});

	test('and so does a node that creates a task before it', async () => {
		world.n8n.track();
		const parameters = { resource: 'task', operation: 'create', title: '=Task: {{ $json.answer }}' };
		const task = legalAiNode({ parameters, node: { id: 'task', webhookId: 'task', name: 'Create Task' } });
		const parked = await askOneThenTwo([task]);
		await completeSilently(0);
		await whileBusy(parked, wokenThreeTimes);
		expect(sandbox.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/tasks'))).toHaveLength(1);
	});
});

describe('items of one session', () => {
	/** Two items of a session that has answered its first question, and more without one; the first has its answer. */
	async function askInSession(words: string[] = [], node: Partial<INode> = {}): Promise<NodeRun> {
		await ask({ fields: { operation: 'ask', question: 'Opening' } });
		await completeSilently(0);
		const session = sandbox.questions[0]?.sessionId;
		const items = [...questions(2).map(({ json }) => ({ ...json, session })), ...words.map((text) => ({ words: text, session: '' }))];
		world.n8n.track();
		const fields = { additionalFields: { sessionId: '={{ $json.session }}' } };
		const parked = await ask({ items: items.map((json) => ({ json })), fields, node });
		await completeSilently(1);
		return parked;
	}

	test('are asked once, if n8n has no free slot as the check of the first is due', async () => {
		const parked = await askInSession();
		await whileBusy(parked, wokenThreeTimes);
		await pass(MINUTE);
		expect(world.posted()).toBe(3);
		const over = await finish(parked.execution);
		expect(over.itemsOf(NODE)).toMatchObject([{ json: { answer: 'Answer 1' } }, { json: { answer: 'Answer 2' } }]);
	});

	test('that may have been accepted are not asked again', async () => {
		const parked = await askInSession(['Open'], { onError: 'continueRegularOutput' });
		sandbox.faults.add({ kind: 'reset', when: 'handled', match: ({ method }) => method === 'POST' });
		await whileBusy(parked, wokenThreeTimes);
		expect(world.posted()).toBe(4);
	});
});

describe('a callback less than 10 seconds before the planned check', () => {
	async function callBackBefore(parked: NodeRun, ms: number): Promise<unknown> {
		await pass((parked.waitTill?.getTime() ?? 0) - Date.now() - ms);
		const sent = answerTo(sandbox.questions[0]?.id ?? '', { answer: 'Answer 0' });
		return await settle(deliver(sandbox, parked.resumeUrl, sent));
	}

	test('is noted, and its answer comes out with that check, without a request', async () => {
		const parked = await ask();
		expect(await callBackBefore(parked, 9_999)).toEqual([200, { message: callbackResponses.noted }]);
		expect((await settle(parked.wake())).json).toMatchObject([{ answer: 'Answer 0' }]);
		expect(checks()).toEqual([]);
	});

	test.each([
		['at which n8n may cancel the execution', (parked: NodeRun) => Promise.resolve(parked)],
		['that is none anymore, before the execution timeout,', world.wakeInTime],
	])('%s resumes the execution', async (_check, follow) => {
		const parked = await follow(await ask({ settings: { executionTimeout: 60 } }));
		expect(await callBackBefore(parked, 9_999)).toEqual([200, { message: callbackResponses.resuming }]);
		expect((await settle(parked.resumed())).json).toMatchObject([{ answer: 'Answer 0' }]);
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

test('a question with other words than before is another question', async () => {
	world.n8n.track();
	const between = legalAiNode({ parameters: {}, node: { id: 'count', name: 'Count', type: 'test.count' } });
	const parked = await askOneThenTwo([between], { 'test.count': new Counting() });
	await completeSilently(0);
	await whileBusy(parked, wokenThreeTimes);
	expect(texts().slice(0, 3)).toEqual(['Question 0', 'Two: 1', 'Two: 2']);
});
