import { NodeConnectionTypes, type IExecuteFunctions, type INodeExecutionData, type INodeType } from 'n8n-workflow';
import { afterEach, describe, expect, test } from 'vitest';

import { accelerateClock, releaseClock } from '../../support/clock.mts';
import { AFTER, BEFORE, Instance, legalAiNode, NODE, runWorkflow, workflowAround, type NodeRun } from '../../support/engine/engine.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';
import { PassOn } from '../../support/engine/nodeTypes.mts';
import { answer, askAndWait, asking, questions } from './waking.mts';

const sandbox = await sandboxOfFile({ answerTime: [Infinity, Infinity], requestsPerMinute: Infinity });
afterEach(releaseClock);

const requests = (): string => sandbox.requests.map(({ method }) => method).join(' ');

async function complete(index = 0, status: 'completed' | 'error' = 'completed'): Promise<void> {
	sandbox.callbackFaults.drop = true;
	await sandbox.complete(sandbox.questions[index]?.id ?? '', { status, answer: `Answer ${index}` });
}

describe('a time-out of the workflow', () => {
	/** Lets the time-out go by while the node waits. */
	async function waitBeyond(): Promise<NodeRun> {
		accelerateClock(200);
		const parked = await askAndWait({ sandbox, settings: { executionTimeout: 60 } });
		await new Promise((resolve) => setTimeout(resolve, 61_000));
		return parked;
	}

	test('counts the waiting where the node is woken', async () => {
		expect((await (await waitBeyond()).wake()).status).toBe('canceled');
	});

	test('begins again with a callback', async () => {
		const parked = await waitBeyond();
		await answer(sandbox, parked);
		expect((await parked.resumed()).status).toBe('success');
	});
});

describe.each(['v0', 'v1'] as const)('in execution order %s', (executionOrder) => {
	test('what comes after runs once, with the items paired', async () => {
		const parked = await askAndWait({ sandbox, items: questions(2), settings: { executionOrder } });
		await complete(0);
		const again = await parked.wake();
		expect(again.execution.task(AFTER)).toBeUndefined();
		await complete(1);
		const over = await again.wake();
		expect(over.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(over.execution.itemsOf(AFTER)).toHaveLength(2);
		expect(over.execution.runData[AFTER]).toHaveLength(1);
	});
});

describe('a setting of the node', () => {
	test('"Execute Once" asks for the first item alone', async () => {
		const parked = await askAndWait({ sandbox, items: questions(3), node: { executeOnce: true } });
		await complete();
		expect((await parked.wake()).json).toMatchObject([{ answer: 'Answer 0' }]);
		expect(requests()).toBe('POST GET');
	});

	test('"Always Output Data" adds nothing while it waits', async () => {
		const parked = await askAndWait({ sandbox, node: { alwaysOutputData: true } });
		expect(parked.items).toEqual([]);
		await complete();
		const over = await parked.wake();
		expect(over.json).toMatchObject([{ answer: 'Answer 0' }]);
		expect(over.execution.itemsOf(AFTER)).toHaveLength(1);
	});

	test('"Retry On Fail" neither asks nor checks again', async () => {
		accelerateClock(100);
		const parameters = { ...asking, options: { onErrorStatus: 'fail' } };
		const parked = await askAndWait({ sandbox, parameters, node: { retryOnFail: true, maxTries: 3 } });
		await complete(0, 'error');
		expect((await parked.wake()).error?.message).toContain('could not answer');
		expect(requests()).toBe('POST GET');
	});
});

test('a workflow that keeps no successful executions: a parked one is stored, and deleted when it is over', async () => {
	const parked = await askAndWait({ sandbox, settings: { saveDataSuccessExecution: 'none' } });
	const { resumeUrl } = parked;
	await answer(sandbox, parked);
	expect((await parked.resumed()).json).toMatchObject([{ answer: 'Yes.' }]);
	expect((await fetch(resumeUrl, { method: 'POST' })).status).toBe(404);
});

/** Hands on its items at the second output for the first two rounds, then at the first. */
class TwoRounds extends PassOn implements INodeType {
	constructor() {
		super();
		this.description = { ...this.description, outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main] };
	}

	override execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const words = this.getInputData().map(({ json }) => json.words ?? json.answer);
		const items = words.map((each, item) => ({ json: { words: each }, pairedItem: { item } }));
		const round = this.evaluateExpression('{{ $runIndex }}', 0);
		return Promise.resolve(round === 2 ? [items, []] : [[], items]);
	}
}

test('a loop asks and waits in each round', async () => {
	const around = workflowAround(legalAiNode({ parameters: asking }));
	const position: [number, number] = [0, 0];
	const loop = { id: 'loop', name: 'Loop', type: 'test.loop', typeVersion: 1, position, parameters: {} };
	const to = (node: string) => [{ node, type: NodeConnectionTypes.Main, index: 0 }];
	const workflow = {
		nodes: [...around.nodes, loop],
		connections: { [BEFORE]: { main: [to('Loop')] }, Loop: { main: [to(AFTER), to(NODE)] }, [NODE]: { main: [to('Loop')] } },
	};
	const options = { sandbox, nodeTypes: { 'test.loop': new TwoRounds() }, items: questions(1), startNode: BEFORE };
	let execution = await runWorkflow(workflow, options);
	for (const round of [0, 1]) {
		execution = await execution.wake();
		expect(execution.status).toBe('waiting');
		await complete(round);
		execution = await execution.wake();
	}
	expect(execution.status).toBe('success');
	expect(execution.runData[NODE]?.map(({ data }) => data?.main?.[0]?.[0]?.json.answer)).toEqual(['Answer 0', 'Answer 1']);
	expect(execution.itemsOf(AFTER)).toMatchObject([{ json: { words: 'Answer 1' } }]);
	expect(requests()).toBe('POST GET GET POST GET GET');
});

/** Runs another workflow with its items. */
class Caller extends PassOn implements INodeType {
	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const parentExecution = { executionId: this.getExecutionId(), workflowId: 'caller', shouldResume: true };
		const called = await this.executeWorkflow({ id: 'called' }, this.getInputData(), undefined, { parentExecution });
		return called.data.map((items) => items ?? []);
	}
}

test('a sub-workflow waits through all checks, and its caller with it', async () => {
	const called = { ...workflowAround(legalAiNode({ parameters: asking })), id: 'called' };
	const caller = { ...workflowAround(legalAiNode({ parameters: {}, node: { type: 'test.caller' } })), id: 'caller' };
	const n8n = await Instance.start();
	const parked = await runWorkflow(caller, {
		sandbox,
		n8n,
		nodeTypes: { 'test.caller': new Caller(), 'test.passOn': new PassOn() },
		workflows: [called],
		items: questions(1),
		startNode: BEFORE,
	});
	expect(parked.status).toBe('waiting');
	const waiting = n8n.endings.entries.find(({ workflowId }) => workflowId === 'called');
	await waiting?.wake();
	await complete();
	await n8n.endings.entries.findLast(({ workflowId }) => workflowId === 'called')?.wake();
	const over = await parked.resumed();
	expect(over.status).toBe('success');
	expect(over.itemsOf(AFTER)).toMatchObject([{ json: { answer: 'Answer 0' } }]);
	await n8n.close();
});
