import {
	NodeConnectionTypes,
	type IBinaryKeyData,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import { chain, node } from '../../../harness/workflows.mts';
import type { LoggedRequest } from '../../sandbox/requests.mts';
import { AFTER, legalAiNode, runWorkflow } from '../engine/engine.mts';
import { BEFORE, type Execution } from '../engine/execution.mts';
import { PASS_ON, PassOn } from '../engine/nodeTypes.mts';
import type { Wait } from './wait.mts';
import { continuing, inLoop, inTwoRuns, operations, withSideBranch } from './asking.mts';

const SECOND = 1_000;

/** How long after its moment n8n is killed, in ms: its event log is written by then. */
export const LOGGED_MS = 3 * SECOND;

/** What the node before the Legal AI node outputs, each time that it runs: a test may change it between runs. */
class List {
	words: string[] = [];
	binary: IBinaryKeyData | undefined;
	/** Makes the items, if they are not to be made of the words. */
	makeItems: (() => Promise<INodeExecutionData[]>) | undefined;
}

/** The node before the Legal AI node. */
const listNode = (list: List): INodeType =>
	Object.assign(new PassOn(), {
		async execute(): Promise<INodeExecutionData[][]> {
			const { binary } = list;
			const items = await list.makeItems?.();
			return [items ?? list.words.map((words) => ({ json: { words }, binary }))];
		},
	});

/** The node after the Legal AI node. If `hangs` is set, it does not end. */
const nextNode = (next: { hangs: boolean; begun: () => void }): INodeType =>
	Object.assign(new PassOn(), {
		async execute(this: IExecuteFunctions) {
			if (!next.hangs) return [this.getInputData()];
			next.begun();
			return await new Promise<never>(() => undefined);
		},
	});

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

/** A node that hands on some of its items. */
const sliceNode = (from: number, to?: number): INodeType =>
	Object.assign(new PassOn(), {
		execute(this: IExecuteFunctions) {
			return Promise.resolve([this.getInputData().slice(from, to)]);
		},
	});

/** Pauses a retry for a while. */
class Pause extends PassOn implements INodeType {
	override async execute(this: IExecuteFunctions) {
		if (this.getMode() === 'retry')
			await this.putExecutionToWait(new Date(Date.now() + 65 * SECOND));
		return [this.getInputData()];
	}
}

export interface Case {
	operation?: string;
	parameters?: INodeParameters;
	node?: Partial<INode>;
	words?: string[];
	/** Whether another branch comes later in the workflow's JSON. */
	hasSideBranch?: boolean;
	isLooped?: boolean;
	/** Whether the node runs twice without a loop: first for the first item, then for all others. */
	runsTwice?: boolean;
	/** Whether a node before it pauses a retry. */
	isPaused?: boolean;
	credential?: { baseUrl?: string; apiKey?: string };
	/** The nodes to run in place of those that the test began with, e.g. as another process has loaded them. */
	nodeTypes?: Record<string, INodeType>;
}

/** The workflow of a case: Before, perhaps a pause, a loop or two branches, Legal AI, Next, After. */
export function buildWorkflow({
	operation = 'Ask',
	parameters,
	node: more = continuing,
	hasSideBranch = false,
	isLooped = false,
	runsTwice = false,
	isPaused = false,
}: Case) {
	const row = chain('Row', [
		node(BEFORE, 'test.list', {}),
		...(isPaused ? [node('Pause', 'test.pause', {})] : []),
		...(isLooped ? [node('Loop', 'test.loop', {})] : []),
		legalAiNode({ parameters: { ...operations[operation], ...parameters }, node: more }),
		node('Next', 'test.next', {}),
		node(AFTER, PASS_ON, {}),
	]);
	if (isLooped) return inLoop(row);
	if (runsTwice) return inTwoRuns(row);
	return hasSideBranch ? withSideBranch(row) : row;
}

/** What so many items have to say. */
export const words = (count: number) =>
	Array.from({ length: count }, (_, index) => `Words ${index}`);

const isPost = ({ method }: LoggedRequest) => method === 'POST';

/** The acts of tests of kills: they kill n8n while an execution runs, and retry the execution from the list of executions. */
export class Killed {
	wait: Wait;
	list = new List();
	/** How many items had been sent when n8n was killed, in all kills so far. */
	sent = 0;
	/** How many of these had not reached the service. */
	hung = 0;
	#next = { hangs: false, begun: (): void => undefined };
	/** The other nodes of these workflows. */
	otherNodes = {
		'test.list': listNode(this.list),
		'test.next': nextNode(this.#next),
		'test.loop': new Loop(),
		'test.first': sliceNode(0, 1),
		'test.others': sliceNode(1),
		'test.pause': new Pause(),
	};
	#fresh;

	/** @param fresh nodes that were loaded before the test began: loading takes real time */
	constructor(wait: Wait, fresh: Record<string, INodeType>) {
		this.wait = wait;
		this.#fresh = fresh;
	}

	/** All that the service has accepted; it has other tasks from the start. */
	accepted = () => [
		...this.wait.service.questions.map(({ text }) => text),
		...this.wait.service.tasks
			.ordered()
			.map(({ title }) => title)
			.filter((title) => this.list.words.includes(title)),
	];

	start = async ({ credential, nodeTypes, ...more }: Case) => {
		this.list.words = more.words ?? words(6);
		const { service, n8n } = this.wait;
		return await runWorkflow(buildWorkflow(more), {
			service,
			credential,
			n8n,
			nodeTypes: { ...this.#fresh, ...nodeTypes, ...this.otherNodes },
		});
	};

	/** Kills n8n after this time, starts it again, and returns the execution that has crashed. */
	kill = async (afterMs = LOGGED_MS) => {
		await this.wait.clock.pass(afterMs);
		await this.wait.restart();
		const execution = this.wait.n8n.endings.entries.at(-1);
		if (execution?.status !== 'crashed') throw new Error('Nothing has crashed');
		return execution;
	};

	/**
	 * Kills n8n while it sends: by default, the first two requests are answered, and all others hang and do not reach the service. Returns the
	 * execution that has crashed.
	 */
	killWhileSending = async (
		run: () => Promise<unknown>,
		{ afterMs = LOGGED_MS, match = isPost, skip = 2 } = {},
	) => {
		const { service, clock, posted } = this.wait;
		const fault = service.faults.add({ kind: 'hang', match, skip, times: Infinity });
		const before = service.requests.filter(match).length;
		const [sent, arrived] = [posted(), this.accepted().length];
		void run();
		const isHung = () => service.requests.filter(match).length > before + skip;
		await clock.settle(service.waitForRequest((request) => match(request) && isHung()));
		await clock.rest();
		this.sent += posted() - sent;
		this.hung += posted() - sent - (this.accepted().length - arrived);
		const execution = await this.kill(afterMs);
		fault.remove();
		return execution;
	};

	/** Kills n8n while the next node runs. Returns the execution that has crashed. */
	killInNextNode = async (run: () => Promise<unknown>, afterMs = LOGGED_MS) => {
		const { clock, posted } = this.wait;
		this.#next.hangs = true;
		const begun = new Promise<void>((resolve) => (this.#next.begun = resolve));
		void run();
		await clock.settle(begun);
		await clock.rest();
		this.sent += posted();
		const execution = await this.kill(afterMs);
		this.#next.hangs = false;
		return execution;
	};

	/** Follows an execution to its end: answers the questions that are open, and wakes it, as often as it parks. */
	finish = async (ending: Promise<Execution>) => {
		let execution = await this.wait.clock.settle(ending);
		for (let wakes = 0; execution.status === 'waiting' && wakes < 20; wakes += 1) {
			for (const { text, status } of this.wait.service.questions)
				if (status === 'in_progress') await this.wait.completeSilently(text);
			execution = await this.wait.wakeInTime(execution);
		}
		return execution;
	};

	/**
	 * Expects that nothing was sent twice, that all items have arrived at the service but those that hung, and that those that were sent
	 * when n8n was killed have failed, since the service may have them.
	 */
	expectOnce = (
		execution: Execution,
		items: number,
		{ arrived = items - this.hung, unsure = this.sent } = {},
	) => {
		const texts = this.accepted();
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		expect(texts).toHaveLength(new Set(texts).size);
		const failed = execution.readItems(AFTER).filter(({ json }) => json.error !== undefined);
		expect({ arrived: texts.length, unsure: failed.length }).toEqual({ arrived, unsure });
	};
}
