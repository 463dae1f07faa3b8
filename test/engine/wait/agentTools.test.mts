import {
	NodeConnectionTypes,
	WorkflowOperationError,
	type IDataObject,
	type INodeType,
} from 'n8n-workflow';

import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import { readData } from '../../support/engine/database.mts';
import { PassOn } from '../../support/engine/nodeTypes.mts';
import { freshNodes } from '../../support/engine/freshNodes.mts';
import { asToolOf, seenAs } from '../../support/engine/seenAs.mts';
import {
	type Execution,
	LEGAL_AI,
	legalAiNode,
	NODE,
	onStoppedClock,
	pass,
	runWorkflow,
	settle,
	workflowAround,
} from '../../support/wait/onStoppedClock.mts';

const TOOL = 'Ask counsel';
const TOOL_TYPE = 'n8n-nodes-legal-ai.legalAiTool';
const AGENT = 'test.agent';

const world = await onStoppedClock();
const { sandbox } = world;

/** What an agent has n8n keep between its rounds: the next one, and what it was told so far. */
interface Progress {
	round?: number;
	told?: IDataObject[];
}

/** Has n8n run its tool as AI Agent 3 does: in rounds, with the calls of a round in parallel. It hands on what it is told. */
const agent = (rounds: string[][]): INodeType => ({
	description: new PassOn().description,
	execute: (response) => {
		const { round = 0, told = [] } = (response?.metadata ?? {}) as Progress;
		const results = (response?.actionResponses ?? []).map(
			({ data }) => data.data?.[NodeConnectionTypes.AiTool]?.[0]?.[0]?.json ?? {},
		);
		const all = [...told, ...results];
		const questions = rounds[round];
		if (questions === undefined) return Promise.resolve([all.map((json) => ({ json }))]);
		const actions = questions.map((question, index) => ({
			actionType: 'ExecutionNodeAction' as const,
			nodeName: TOOL,
			input: { Question: question },
			type: NodeConnectionTypes.AiTool,
			id: `${round}.${index}`,
			metadata: {},
		}));
		return Promise.resolve({ actions, metadata: { round: round + 1, told: all } });
	},
});

/** Starts an agent with the Legal AI node as its tool. */
async function run(rounds: string[][]) {
	const around = workflowAround(legalAiNode({ parameters: {}, node: { type: AGENT } }));
	const tool = legalAiNode({
		parameters: {
			resource: 'question',
			operation: 'askAndWait',
			question: "={{ $fromAI('Question', ``, 'string') }}",
			additionalFields: { sessionId: "={{ $fromAI('Session', ``, 'string', '') }}" },
		},
		node: { id: 'tool', name: TOOL, type: TOOL_TYPE, webhookId: 'tool' },
	});
	const workflow = {
		nodes: [...around.nodes, tool],
		connections: {
			...around.connections,
			[TOOL]: {
				[NodeConnectionTypes.AiTool]: [
					[{ node: NODE, type: NodeConnectionTypes.AiTool, index: 0 }],
				],
			},
		},
	};
	const fresh = await freshNodes();
	const legalAi = fresh[LEGAL_AI];
	const description = {
		...legalAi?.description,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
	};
	const nodeTypes = {
		...fresh,
		[AGENT]: agent(rounds),
		[TOOL_TYPE]: Object.assign(Object.create(legalAi ?? null), { description }) as INodeType,
	};
	return await settle(runWorkflow(workflow, { sandbox, n8n: world.n8n, nodeTypes }));
}

async function wake(parked: Execution) {
	await pass(120_000);
	return await settle(parked.wake());
}

/** After a kill, n8n's recovery takes a node that has begun and noted no run for crashed: an agent that waits for its tool. */
function recover({ id }: Execution) {
	const data = readData(world.n8n.database.get(id));
	const error = new WorkflowOperationError('Workflow did not finish, possible out-of-memory issue');
	Object.assign(data.resultData, { error, lastNodeExecuted: NODE });
	const run = { startTime: 0, executionIndex: 0, executionTime: 0, source: [null] };
	data.resultData.runData[NODE] = [{ ...run, executionStatus: 'crashed' }];
	world.n8n.database.update(id, { data });
}

const answersOf = (execution: Execution) =>
	execution.json.map(({ answer, error }) => answer ?? error);

const both = ['May we sign?', 'Who pays?'];

describe.each([
	['in parallel', [both]],
	['one after the other', both.map((question) => [question])],
])('two calls of a tool by AI Agent 3, %s', (_name, rounds) => {
	test('get their answers by callback', async () => {
		let execution = await run(rounds);
		for (const question of both) {
			expect(execution.status).toBe('waiting');
			await world.complete(question);
			execution = await settle(execution.resumed());
		}
		expect(answersOf(execution)).toEqual(['Answer to May we sign?', 'Answer to Who pays?']);
	});

	test('get their answers by checks if callbacks are lost', async () => {
		sandbox.callbackFaults.drop = true;
		let execution = await run(rounds);
		for (const question of both) {
			execution = await wake(execution);
			execution = await wake(execution);
			expect(execution.status).toBe('waiting');
			await world.complete(question);
			execution = await wake(execution);
		}
		expect(answersOf(execution)).toEqual(['Answer to May we sign?', 'Answer to Who pays?']);
		expect(sandbox.questions.map(({ text }) => text)).toEqual(both);
	});

	test("get their answers with the next check even if n8n's recovery marked the execution as failed", async () => {
		sandbox.callbackFaults.drop = true;
		let execution = await run(rounds);
		for (const question of both) {
			recover(execution);
			await world.restart();
			execution = await wake(execution);
			expect(execution).toMatchObject({ status: 'waiting', error: undefined });
			await world.complete(question);
			execution = await wake(execution);
		}
		expect([execution.status, answersOf(execution)]).toEqual([
			'success',
			['Answer to May we sign?', 'Answer to Who pays?'],
		]);
		expect(sandbox.questions.map(({ text }) => text)).toEqual(both);
	});
});

test.each([
	['the trigger itself', asToolOf('MCP', { type: '@n8n/n8n-nodes-langchain.mcpTrigger' })],
	['a worker in queue mode', () => ({ isToolExecution: () => true })],
])(
	"a tool of n8n's MCP Server Trigger, run by %s, waits 50 seconds at most",
	async (_by, execute) => {
		const began = Date.now();
		const run = await world.ask({ nodeTypes: { [LEGAL_AI]: seenAs(new LegalAi(), { execute }) } });
		expect(run.json).toMatchObject([
			{ id: sandbox.asked().id, status: 'in_progress', timed_out: true },
		]);
		expect(world.checks().at(-1)).toBe(began + 50_000);
	},
);
