import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IWorkflowSettings,
} from 'n8n-workflow';

import { chain, node } from '../../../harness/workflows.mts';
import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import {
	serviceDetails,
	serviceMessages,
} from '../../../nodes/LegalAi/messages/serviceMessages.ts';
import { findOperation } from '../../../nodes/LegalAi/resources/index.ts';
import { PassOn } from '../../support/engine/nodeTypes.mts';
import { freshNodes } from '../../support/engine/freshNodes.mts';
import { breakProcessedData } from '../../support/engine/processedData.mts';
import {
	AFTER,
	BEFORE,
	type Execution,
	LEGAL_AI,
	legalAiNode,
	NODE,
	onStoppedClock,
	pass,
	PASS_ON,
	runWorkflow,
	settle,
	textWith,
	type WorkflowJson,
} from '../../support/wait/onStoppedClock.mts';

/*
 * n8n is killed, and what it was killed over is retried from the list of executions. What was noted before it was sent is not sent
 * again, whatever has changed in between, and what certainly was not sent is sent.
 */

const SECOND = 1_000;

const world = await onStoppedClock();
const { sandbox } = world;

/** Loaded before a test begins: loading takes real time. */
let fresh: Awaited<ReturnType<typeof freshNodes>> = {};
beforeEach(async () => {
	fresh = await freshNodes();
});

afterEach(() => {
	breakProcessedData(false);
	hanging.names.clear();
	list.hasToken = true;
});

const operations: Record<string, INodeParameters> = {
	Ask: { resource: 'question', operation: 'ask', question: '={{ $json.words }}' },
	'Ask and Wait': { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}' },
	'Create Task': { resource: 'task', operation: 'create', title: '={{ $json.words }}' },
};

/** What the node before has found, and whether n8n makes a token for resuming, as n8n 1 does not: a test may change both. */
const list = { words: [] as string[], hasToken: true };
class List extends PassOn implements INodeType {
	override execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const run = Reflect.get(this, 'runExecutionData') as { resumeToken?: string };
		if (!list.hasToken) delete run.resumeToken;
		return Promise.resolve([list.words.map((words) => ({ json: { words } }))]);
	}
}

/** A node that does not come to an end as long as it is listed. */
const hanging = { names: new Set<string>(), begun: (): void => undefined };
class Next extends PassOn implements INodeType {
	override async execute(this: IExecuteFunctions) {
		if (!hanging.names.has(this.getNode().name)) return [this.getInputData()];
		hanging.begun();
		return await new Promise<never>(() => undefined);
	}
}

/** Loop Over Items: hands on one item after the other at its second output, then all that came back at its first. */
class Loop extends PassOn implements INodeType {
	constructor() {
		super();
		const outputs = [NodeConnectionTypes.Main, NodeConnectionTypes.Main];
		this.description = { ...this.description, outputs };
	}

	override execute(this: IExecuteFunctions) {
		const state = this.getContext('node') as {
			left?: INodeExecutionData[];
			done?: INodeExecutionData[];
		};
		const isFirst = state.left === undefined;
		const left = state.left ?? this.getInputData();
		const done = [...(state.done ?? []), ...(isFirst ? [] : this.getInputData())];
		Object.assign(state, { left: left.slice(1), done });
		return Promise.resolve(left.length === 0 ? [done, []] : [[], left.slice(0, 1)]);
	}
}

/** Pauses a retry for a while. */
class Pause extends PassOn implements INodeType {
	override async execute(this: IExecuteFunctions) {
		if (this.getMode() === 'retry')
			await this.putExecutionToWait(new Date(Date.now() + 65 * SECOND));
		return [this.getInputData()];
	}
}

const nodeTypes = {
	'test.list': new List(),
	'test.next': new Next(),
	'test.loop': new Loop(),
	'test.pause': new Pause(),
};

interface Case {
	operation?: string;
	parameters?: INodeParameters;
	node?: Partial<INode>;
	settings?: IWorkflowSettings;
	words?: string[];
	/** Whether another branch comes later in the workflow's JSON. */
	hasSideBranch?: boolean;
	isLooped?: boolean;
	/** Whether a node before it pauses a retry. */
	isPaused?: boolean;
	credential?: { baseUrl?: string; apiKey?: string };
}

const continuing = { onError: 'continueRegularOutput' } as const;

function workflowOf({
	operation = 'Ask',
	parameters,
	node: more = continuing,
	settings,
	hasSideBranch = false,
	isLooped = false,
	isPaused = false,
}: Case) {
	const legalAi = legalAiNode({
		parameters: { ...operations[operation], ...parameters },
		node: more,
	});
	const before = node(BEFORE, 'test.list', {});
	const behind = [node('Next', 'test.next', {}), node(AFTER, PASS_ON, {})];
	const to = (name: string) => ({ node: name, type: NodeConnectionTypes.Main, index: 0 });
	if (isLooped) {
		const { nodes } = chain('Loop', [before, node('Loop', 'test.loop', {}), legalAi, ...behind]);
		const connections = {
			[BEFORE]: { main: [[to('Loop')]] },
			Loop: { main: [[to(AFTER)], [to(NODE)]] },
			[NODE]: { main: [[to('Next')]] },
			Next: { main: [[to('Loop')]] },
		};
		return { nodes, connections, settings };
	}
	const pause = isPaused ? [node('Pause', 'test.pause', {})] : [];
	const row = chain('Row', [before, ...pause, legalAi, ...behind], settings);
	if (!hasSideBranch) return row;
	const side = node('Side', PASS_ON, {}, { position: [0, -100] });
	return {
		...row,
		nodes: [...row.nodes, side],
		connections: { ...row.connections, [BEFORE]: { main: [[to('Side'), to(NODE)]] } },
	};
}

const words = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => `Words ${index + from}`);

/** All that the service has accepted. */
const accepted = () =>
	[
		...sandbox.questions.map(({ text }) => text),
		...sandbox.tasks.ordered().map(({ title }) => title),
	].filter((text) => /^(?:Words|On top|Same|Other)/.test(text));

async function start({ credential, ...more }: Case) {
	list.words = more.words ?? words(6);
	return await runWorkflow(workflowOf(more), {
		...{ sandbox, credential },
		n8n: world.n8n,
		nodeTypes: { ...fresh, ...nodeTypes },
	});
}

/** How long after the kill's moment n8n is killed: its event log is written by then, or not. */
type Delay = number;

async function crashed(delay: Delay) {
	await pass(delay);
	await world.restart();
	const latest = () => world.n8n.endings.entries.at(-1);
	await settle(world.n8n.endings.waitFor(({ status }) => status === 'crashed'));
	const execution = latest();
	if (execution?.status !== 'crashed') throw new Error('Nothing has crashed');
	return execution;
}

/** A run that has had two successes has seven requests under way, so with those nine were begun. */
const BEGUN = 9;

/** n8n is killed while the third request and those beside it are under way: they have not reached the service. */
async function killedInSending(run: () => Promise<unknown>, delay: Delay, begun = BEGUN) {
	const isPost = ({ method }: { method: string }) => method === 'POST';
	const fault = sandbox.faults.add({ kind: 'hang', match: isPost, skip: 2, times: Infinity });
	const posts = () => sandbox.requests.filter(isPost).length;
	const before = posts();
	void run();
	await settle(sandbox.waitForRequest((request) => isPost(request) && posts() >= before + begun));
	const execution = await crashed(delay);
	fault.remove();
	return execution;
}

/** n8n is killed while the node behind runs. */
async function killedInNext(run: () => Promise<unknown>, delay: Delay) {
	hanging.names.add('Next');
	const begun = new Promise<void>((resolve) => (hanging.begun = resolve));
	void run();
	await settle(begun);
	const execution = await crashed(delay);
	hanging.names.clear();
	return execution;
}

/** Goes on until it is over. */
async function over(ending: Promise<Execution>) {
	let execution = await settle(ending);
	for (let wakes = 0; execution.status === 'waiting' && wakes < 20; wakes += 1) {
		for (const { text, status } of sandbox.questions)
			if (status === 'in_progress') await world.completeSilently(text);
		execution = await world.wakeInTime(execution);
	}
	return execution;
}

const INTERRUPTED = serviceMessages.sendingInterrupted.message;

/** The items that say that they may have been accepted, by what they say. */
const uncertain = (execution: Execution, message: string = INTERRUPTED) =>
	execution
		.itemsOf(AFTER)
		.filter(({ json }) => (json.error as string | undefined)?.includes(message)).length;

/** Nothing was sent twice, and how many items say that they may have been. */
function expectOnce(execution: Execution, arrived: number, unsure: number) {
	const texts = accepted();
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	expect(texts).toHaveLength(new Set(texts).size);
	expect({ arrived: texts.length, unsure: uncertain(execution) }).toEqual({ arrived, unsure });
}

const delays = [
	['at once', 0],
	['three seconds later', 3 * SECOND],
] as const;
const current = (given: Case) => workflowOf(given);

describe.each(delays)('killed %s', (_when, delay) => {
	describe.each(Object.keys(operations).filter((name) => name !== 'Ask and Wait'))(
		'while the node behind %s runs',
		(operation) => {
			test.each<[string, Case, ((given: Case) => WorkflowJson)?]>([
				['with the original workflow', {}],
				['with the workflow as it is', {}, current],
				['with a side branch', { hasSideBranch: true }],
			])('a retry %s sends nothing again', async (_how, given, retried) => {
				const whole = { operation, ...given };
				const execution = await killedInNext(() => start(whole), delay);
				expectOnce(await over(execution.retry(retried?.(whole))), 6, 6);
			});
		},
	);

	test.each<[string, Case]>([
		['', {}],
		[' beside a side branch', { hasSideBranch: true }],
		[' of Ask and Wait', { operation: 'Ask and Wait' }],
		[' of Create Task', { operation: 'Create Task', hasSideBranch: true }],
		[', with items of one text', { words: ['Same', 'Same', ...words(10)] }],
	])('while sending%s, a retry sends only what was not sent', async (_what, given) => {
		const execution = await killedInSending(() => start({ words: words(12), ...given }), delay);
		const ended = await over(execution.retry());
		expect([accepted().length, uncertain(ended)]).toEqual([5, BEGUN]);
	});

	test('in a loop, a retry goes on where it was', async () => {
		const execution = await killedInSending(() => start({ isLooped: true }), delay, 3);
		expectOnce(await over(execution.retry()), 5, 3);
	});

	test('a retry with one more item on top of the list sends that, and nothing again', async () => {
		const execution = await killedInSending(() => start({}), delay, 6);
		list.words = ['On top', ...list.words];
		expectOnce(await over(execution.retry()), 3, 6);
	});

	test('with another Base URL and key, a retry sends nothing again', async () => {
		const credential = { baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey };
		const execution = await killedInSending(() => start({ credential }), delay, 6);
		sandbox.keys.set('sk-svc-api1-another', undefined);
		Object.assign(credential, { baseUrl: `${sandbox.baseUrl}/`, apiKey: 'sk-svc-api1-another' });
		expectOnce(await over(execution.retry()), 2, 6);
	});
});

test('a retry that is killed as well is retried without sending anything again', async () => {
	const first = await killedInSending(() => start({ words: words(20) }), 3 * SECOND);
	const second = await killedInSending(() => first.retry(), 3 * SECOND);
	expectOnce(await over(second.retry()), 6, 2 * BEGUN);
});

test.each<[string, INodeParameters]>([
	['', {}],
	[', with other texts', { question: '={{ $json.words }} at {{ $now.toMillis() }}' }],
])('a retry that the node before has paused sends nothing again%s', async (_how, parameters) => {
	const execution = await killedInNext(() => start({ parameters, isPaused: true }), 3 * SECOND);
	const parked = await settle(execution.retry());
	expect(parked.status).toBe('waiting');
	const ended = await world.wakeInTime(parked);
	expect([ended.status, accepted().length]).toEqual(['success', 6]);
});

test('a retry with the workflow as it is, in which the node was renamed, sends nothing again', async () => {
	const execution = await killedInNext(() => start({}), 3 * SECOND);
	const renamed = JSON.stringify(workflowOf({})).replaceAll(`"${NODE}"`, '"Renamed"');
	expectOnce(await over(execution.retry(JSON.parse(renamed) as WorkflowJson)), 6, 6);
});

test('a retry after an update of the package that adds a field sends nothing again', async () => {
	const execution = await killedInNext(() => start({}), 3 * SECOND);
	const properties = findOperation('question', 'ask')?.properties;
	properties?.push({ displayName: 'New', name: 'newField', type: 'boolean', default: false });
	world.n8n.restart({ ...nodeTypes, [LEGAL_AI]: new LegalAi() });
	const ended = await over(execution.retry());
	properties?.pop();
	expectOnce(ended, 6, 6);
});

test('what the service did not accept is sent by any later retry', async () => {
	const credential = { baseUrl: 'http://127.0.0.1:9/api/v1' };
	const parameters = { options: { giveUpAfter: 0 } };
	const failed = await over(start({ credential, parameters, node: {}, words: words(1) }));
	expect((await over(failed.retry())).status).toBe('error');
	credential.baseUrl = sandbox.baseUrl;
	expectOnce(await over(failed.retry()), 1, 0);
});

describe('without Continue On Fail', () => {
	test.each(['Ask', 'Ask and Wait'])(
		'a retry of %s ends with what may have been accepted once all else is sent, and says the way out',
		async (operation) => {
			const given = { operation, node: {}, words: words(20) };
			const first = await killedInSending(() => start(given), 3 * SECOND);
			const failed = await over(first.retry());
			expect([failed.status, accepted().length]).toEqual(['error', 13]);
			expect(failed.error?.message).toContain(INTERRUPTED);
			expect(failed.error?.description).toContain(serviceDetails.wayOut);
			for (const { id } of sandbox.questions.slice(2))
				expect(failed.error?.description).toContain(id);
			const again = await over(failed.retry(workflowOf({ ...given, node: continuing })));
			expectOnce(again, 13, BEGUN);
		},
	);
});

describe('texts that are others each time', () => {
	const parameters = { question: '={{ $json.words }} at {{ $now.toMillis() }}' };

	test('are not sent by a retry, which says why', async () => {
		const execution = await killedInSending(() => start({ parameters }), 3 * SECOND, 6);
		const ended = await over(execution.retry());
		expect([accepted().length, uncertain(ended, serviceMessages.sentUnclear.message)]).toEqual([
			2, 6,
		]);
		await over(ended.retry().catch(() => ended));
		expect(accepted()).toHaveLength(2);
	});

	test('are sent by a retry in a loop, once as many rounds are over', async () => {
		const given = { parameters, isLooped: true };
		const execution = await killedInSending(() => start(given), 3 * SECOND, 3);
		const ended = await over(execution.retry());
		expect([accepted().length, uncertain(ended, serviceMessages.sentUnclear.message)]).toEqual([
			5, 3,
		]);
	});
});

test.each([true, false])(
	'a retry, and a retry of that, send nothing again (n8n makes a token: %s)',
	async (hasToken) => {
		list.hasToken = hasToken;
		const first = await killedInSending(() => start({ node: {} }), 3 * SECOND, 6);
		const failed = await over(first.retry());
		expect(failed.status).toBe('error');
		expectOnce(await over(failed.retry(workflowOf({}))), 2, 6);
	},
);

describe("if n8n's store can't be used", () => {
	test('a retry sends nothing, and says so; the next one sends what was not sent', async () => {
		const execution = await killedInSending(() => start({ node: {} }), 2, 0);
		breakProcessedData(true);
		const failed = await over(execution.retry());
		expect([failed.status, failed.error?.message, accepted().length]).toEqual([
			'error',
			textWith(serviceMessages.sentNotKnown.message),
			2,
		]);
		breakProcessedData(false);
		expectOnce(await over(failed.retry(workflowOf({}))), 2, 6);
	});

	test('a first execution sends', async () => {
		breakProcessedData(true);
		expectOnce(await over(start({})), 6, 0);
	});
});

test('a loop with a question that is always the same asks it in each round, also after n8n was killed', async () => {
	const given = { operation: 'Ask and Wait', isLooped: true, words: ['Same', 'Same', 'Same'] };
	const parked = await settle(start(given));
	await world.completeSilently('Same');
	const second = await world.wakeInTime(parked);
	expect([second.status, accepted().length]).toEqual(['waiting', 2]);
	await world.restart();
	expect((await over(Promise.resolve(second))).status).toBe('success');
	expect(accepted()).toEqual(['Same', 'Same', 'Same']);
});
