import { createRunExecutionData, type INodeType, type IRun } from 'n8n-workflow';

import { Journal } from '../../sandbox/journal.mts';
import { Database, readData, type StoredExecution } from './database.mts';
import { BEFORE, Execution, LONGEST_WAIT_MS } from './execution.mts';
import { listen, type Listener } from './listener.mts';
import { N8nProcess, type NewExecution } from './process.mts';
import { EventLog } from './recovery.mts';
import { createRetry } from './retry.mts';
import { Triggers } from './triggers.mts';
import { callParked } from './waitingWebhooks.mts';
import { WaitTracker } from './waitTracker.mts';
import {
	DEFAULT_WORKFLOW_ID,
	createWorkflow,
	type ExecuteOptions,
	type WorkflowJson,
} from './workflows.mts';

/**
 * The part of n8n that runs workflows: it executes them with n8n-core, stores them, parks them, receives their callbacks over
 * HTTP, wakes them, retries them, and can be killed and started again. It follows n8n 2.41.1 in regular mode, step by step.
 */
export class Instance {
	/** Every ending of an execution: over, or parked. */
	endings = new Journal<Execution>('ending of an execution');
	database = new Database();
	eventLog = new EventLog();
	#listener: Listener;
	#triggers = new Triggers();
	#reloaded: Record<string, INodeType> = {};
	#process: N8nProcess | undefined;
	#tracker: WaitTracker | undefined;

	private constructor(listener: Listener) {
		this.#listener = listener;
	}

	/** Starts one that listens on its own port, and does not keep the process alive. */
	static async start() {
		const listener = await listen({
			'webhook-waiting': (call) => callParked(instance.#runningProcess(), call),
			webhook: (call) => instance.#triggers.call(instance.#runningProcess(), call),
		});
		const instance = new Instance(listener);
		instance.#process = new N8nProcess(instance);
		return instance;
	}

	get origin() {
		return this.#listener.origin;
	}

	/** The slots of the process that runs. */
	get slots() {
		return this.#runningProcess().slots;
	}

	async close() {
		this.#tracker?.stop();
		await this.#listener.close();
	}

	/** Executes a workflow until it is over or parked. */
	async execute(workflow: WorkflowJson, options: ExecuteOptions) {
		const live = createWorkflow(workflow, options);
		const start = live.getNode(BEFORE);
		if (start === null) throw new Error('The workflow has no node to start with');
		const main = [options.items ?? [{ json: {} }]];
		const data = createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node: start, data: { main }, source: null }] },
		});
		return await this.#begin({ workflow, options, data });
	}

	/** Makes a workflow's triggers listen at their production addresses. */
	async activate(workflow: WorkflowJson, options: ExecuteOptions) {
		const id = workflow.id ?? DEFAULT_WORKFLOW_ID;
		const paths = await this.#triggers.register({ workflow, options }, this.origin);
		return {
			/** The production addresses of its webhooks. */
			urls: paths.map((path) => `${this.origin}/webhook/${path}`),
			/** How many executions its triggers have started. A call has started one by the time it is answered. */
			begun: () => this.database.all().filter(({ workflow: its }) => its.id === id).length,
			/** The first ending of an execution of this workflow, past or future, that matches the predicate. */
			waitForExecution: (matches?: (execution: Execution) => boolean, withinMs?: number) =>
				this.endings.waitFor(
					(ending) => ending.workflowId === id && matches?.(ending) !== false,
					withinMs,
				),
		};
	}

	/** From now on, wakes parked executions by itself, also after a restart. */
	track() {
		this.#tracker?.stop();
		this.#tracker = new WaitTracker(this.database, (id) => this.wake(id));
	}

	/** Ends the process immediately: what is not stored is lost, and nothing that ran in it does anything anymore. */
	kill() {
		this.#process?.kill();
		this.#process = undefined;
		this.#tracker?.stop();
		this.#listener.takeCalls(false);
	}

	/**
	 * Starts the process again. What ran when it was killed has crashed; what was parked still waits.
	 *
	 * @param nodeTypes instead of those that executions started with: with newly loaded modules
	 */
	restart(nodeTypes: Record<string, INodeType> = {}) {
		this.#reloaded = { ...this.#reloaded, ...nodeTypes };
		this.#process = new N8nProcess(this);
		this.#listener.takeCalls(true);
		for (const stored of this.database.all()) {
			if (stored.status !== 'running') continue;
			const data = readData(stored);
			this.eventLog.recover(stored.id, stored.workflow, data);
			this.database.update(stored.id, {
				status: 'crashed',
				endingCount: stored.endingCount + 1,
				data,
			});
			const { startedAt, options } = stored;
			const { mode = 'trigger' } = options;
			this.ended(stored, {
				data,
				status: 'crashed',
				mode,
				startedAt,
				storedAt: 'db',
			});
		}
		if (this.#tracker !== undefined) this.track();
	}

	/** Resumes a parked execution because the time to wait is over. */
	async wake(id: string) {
		await this.#runningProcess().wake(id);
	}

	/** Starts a new execution where that one has failed, crashed or was stopped. */
	async retry(id: string, current?: WorkflowJson) {
		const options = this.readOptions(this.database.get(id));
		return await this.#begin(createRetry(this.database, id, options, current));
	}

	async #begin(execution: NewExecution) {
		const { id } = await this.#runningProcess().begin(execution);
		return await this.endings.waitFor((ending) => ending.id === id, LONGEST_WAIT_MS);
	}

	#runningProcess() {
		if (this.#process === undefined) throw new Error('This n8n was killed');
		return this.#process;
	}

	/** What an execution runs with in the process that runs. */
	readOptions({ options }: Pick<StoredExecution, 'options'>): ExecuteOptions {
		return { ...options, nodeTypes: { ...options.nodeTypes, ...this.#reloaded } };
	}

	/** Notes that an execution is over or parked, once that is stored. */
	ended({ id, workflow, endingCount }: StoredExecution, run: IRun) {
		this.endings.add(new Execution(id, workflow.id ?? DEFAULT_WORKFLOW_ID, endingCount, run, this));
	}
}
