import { Expression, type IExecuteFunctions, type INode } from 'n8n-workflow';

import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import { asTool, seenAs } from '../../support/engine/seenAs.mts';
import { callSubWorkflow } from '../../support/wait/caller.mts';
import {
	AFTER,
	ASK,
	continuing,
	LEGAL_AI,
	NODE,
	operations,
	questions,
	type Sandbox,
	someText,
	test,
	textWith,
	type Wait,
} from '../../support/fixtures.mts';

const requests = (service: Sandbox) => service.requests.map(({ method }) => method).join(' ');

test.for(['v0', 'v1'] as const)(
	'in execution order %s, what comes after runs once, with the items paired',
	async (executionOrder, { clock, wait }) => {
		const parked = await wait.ask({ items: questions(2), settings: { executionOrder } });
		await wait.completeSilently('Question 0');
		const again = await clock.settle(parked.wake());
		expect(again.runData[AFTER]).toBeUndefined();
		await wait.completeSilently('Question 1');
		const over = await clock.settle(again.wake());
		expect(over.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(over.readItems(AFTER)).toHaveLength(2);
		expect(over.runData[AFTER]).toHaveLength(1);
	},
);

describe('in an n8n that refuses to pause the execution after a question was asked', () => {
	const refusing = async ({ ask }: Wait, node: Partial<INode>) => {
		const putExecutionToWait = () => Promise.reject(new Error('No active execution found'));
		return await ask({
			node,
			nodeTypes: { [LEGAL_AI]: seenAs(new LegalAi(), { execute: () => ({ putExecutionToWait }) }) },
		});
	};

	test('the execution fails with the question in its error', async ({ service, clock, wait }) => {
		const failed = await refusing(wait, {});
		const { status, error } = failed;
		const { id } = service.asked();
		expect([status, error]).toMatchObject([
			'error',
			{ message: 'No active execution found', context: { accepted: [{ item: 0, id }] } },
		]);
		expect(error?.description).toContain(`item 0: ${id}`);
		await clock.settle(failed.retry());
		expect(requests(service)).toBe('POST GET');
	});

	test('"Continue on Fail" outputs the question once, beside the error', async ({
		service,
		wait,
	}) => {
		const over = await refusing(wait, continuing);
		const item = { json: { error: 'No active execution found', id: service.asked().id } };
		expect([over.status, over.readItems(AFTER)]).toMatchObject(['success', [item]]);
		expect([over.runData[NODE]?.length, requests(service)]).toEqual([1, 'POST']);
	});
});

test.for(Object.entries(operations))(
	'in an n8n whose address for resuming is not signed, one sentence names the oldest one, and nothing is sent (%s)',
	async ([, fields], { service, wait }) => {
		const execute = (context: IExecuteFunctions) => ({
			getWorkflowDataProxy: (item: number) => ({
				...context.getWorkflowDataProxy(item),
				$execution: { resumeUrl: 'http://localhost:5678/webhook-waiting/1' },
			}),
		});
		const nodeTypes = { [LEGAL_AI]: seenAs(new LegalAi(), { execute }) };
		const { error } = await wait.ask({ fields, nodeTypes });
		expect([error?.message, error?.description]).toEqual([
			textWith('This version of n8n is too old'),
			textWith('2.14'),
		]);
		expect(service.requests).toEqual([]);
	},
);

test('no expression is evaluated while an execution is parked, checks included', async ({
	clock,
	wait,
}) => {
	const fields = {
		assistantId: { __rl: true, mode: 'id', value: '={{ "default" }}' },
		additionalFields: { sessionId: '={{ $json.nothing }}' },
	};
	const options = { maxWait: '={{ 20 + 10 }}', onNoAnswer: '={{ "fail" }}' };
	const parked = await wait.ask({ items: questions(2), fields, options });
	const resolve = vi.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	const again = await clock.settle(parked.wake());
	await wait.complete('Question 0');
	const values: unknown[] = resolve.mock.calls.map(([value]) => value);
	resolve.mockRestore();
	expect(again.status).toBe('waiting');
	expect(values.filter((value) => typeof value === 'string' && value.startsWith('='))).toEqual([]);
});

test.for([
	["n8n's MCP Server Trigger", 50, asTool('MCP', { type: '@n8n/n8n-nodes-langchain.mcpTrigger' })],
	["n8n's MCP Server Trigger, in queue mode", 50, () => ({ isToolExecution: () => true })],
	['an agent that runs it itself', 180, asTool('Agent')],
] as const)(
	'a tool of %s waits %i of 180 seconds at most, and a hint says that it kept checking',
	async ([, seconds, execute], { wait }) => {
		const began = Date.now();
		const nodeTypes = { [LEGAL_AI]: seenAs(new LegalAi(), { execute }) };
		const { json, hints } = await wait.ask({ nodeTypes, options: { maxWait: 3 } });
		expect(json).toMatchObject([{ status: 'in_progress', timed_out: true }]);
		expect(hints).toContainEqual(textWith("can't be paused in a tool"));
		expect(wait.checks().at(-1)).toBe(began + seconds * 1_000);
	},
);

test('an evaluation waits without pausing: n8n would take the paused node for one that is done', async ({
	wait,
}) => {
	const { status, json } = await wait.ask({ mode: 'evaluation', options: { maxWait: 3 } });
	expect([status, json]).toMatchObject(['success', [{ timed_out: true }]]);
});

test('"Always Output Data" adds nothing while the node waits', async ({ clock, wait }) => {
	const parked = await wait.ask({ node: { alwaysOutputData: true } });
	expect(parked.items).toEqual([]);
	await wait.complete();
	const over = await clock.settle(parked.resumed());
	expect(over.json).toMatchObject([{ answer: 'Answer to Question 0' }]);
	expect(over.readItems(AFTER)).toHaveLength(1);
});

test.for(['manual', 'webhook', 'chat', 'trigger'] as const)(
	'a node that parks in an execution of the mode %s outputs its questions, where somebody waits for a response',
	async (mode, { service, wait }) => {
		service.faults.add({ status: 422, match: ASK, skip: 1 });
		const parked = await wait.ask({ items: questions(2), mode, node: continuing });
		const { id } = service.asked();
		expect(parked.json.map((item) => [item.id, item.status, item.error])).toEqual(
			mode === 'trigger'
				? []
				: [
						[id, 'in_progress', undefined],
						[undefined, undefined, undefined],
					],
		);
		await wait.completeSilently();
		const again = await wait.wakeInTime(parked);
		expect(again.runData[NODE]).toHaveLength(1);
		expect(again.json).toMatchObject([{ status: 'completed' }, { error: someText }]);
	},
);

test('a caller is not told that what its sub-workflow has sent will not be sent again', async ({
	service,
	clock,
	wait,
}) => {
	const refused = {
		status: 422,
		body: { error_code: 'not_now', message: 'No.' },
		match: ASK,
		skip: 1,
	} as const;
	service.faults.add(refused);
	const items = questions(2);
	const failed = await callSubWorkflow(wait, { items });
	expect(failed.error?.description).toMatch(
		/item 0: \S+\. If you retry the workflow or AI agent that called this, it will be sent again\.$/,
	);
	await clock.settle(failed.retry());
	expect(service.questions).toHaveLength(3);
	service.faults.add(refused);
	expect((await wait.ask({ items })).error?.description).toMatch(
		/If you retry this execution, it will not be sent again/,
	);
});

test('what a node outputs as it parks in a sub-workflow is taken back, and does not make "Retry On Fail" run it again', async ({
	service,
	n8n,
	clock,
	wait,
}) => {
	const withError = (body: string) =>
		JSON.stringify({ ...(JSON.parse(body) as object), error: 'None' });
	service.faults.add({ kind: 'body', body: withError, match: ASK, times: Infinity });
	const parked = await callSubWorkflow(wait, {
		items: questions(2),
		node: { retryOnFail: true, waitBetweenTries: 0 },
	});
	const called = await n8n.endings.waitFor(({ workflowId }) => workflowId === 'called');
	const ids = service.questions.map(({ id }) => id).sort();
	for (const { json } of [called, parked]) {
		expect(json.map(({ id }) => id).sort()).toEqual(ids);
		for (const item of json) expect([item.status, item.error]).toEqual(['in_progress', undefined]);
	}
	const again = await clock.settle(called.wake());
	expect([again.status, again.items, again.runData[NODE]?.length]).toEqual(['waiting', [], 1]);
	for (const text of ['Question 0', 'Question 1']) await wait.completeSilently(text);
	const over = await clock.settle(again.wake());
	expect([over.runData[NODE]?.length, over.readItems(AFTER).length]).toEqual([1, 2]);
	expect((await clock.settle(parked.resumed())).readItems(AFTER)).toMatchObject([
		{ json: { answer: 'Answer to Question 0' } },
		{ json: { answer: 'Answer to Question 1' } },
	]);
});
