import { randomUUID, timingSafeEqual } from 'node:crypto';

import { parse, stringify } from 'flatted';
import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, NodeOperationError, type IRun, type IRunExecutionData } from 'n8n-workflow';

import { Journal } from '../sandbox/journal.mts';
import { Execution, type Continuation } from './execution.mts';
import { listen, refusal, type HttpCall, type HttpReply, type Listener } from './listener.mts';
import { callNode, onReceived, runWebhookMethod, waitingWebhookOf, webhooksOf, type NodeCall } from './webhooks.mts';
import { additionalDataOf, DEFAULT_WORKFLOW_ID, workflowOf, type ExecuteOptions, type WorkflowJson } from './workflows.mts';

/** An execution as n8n's database has it. */
interface Stored {
	readonly workflow: WorkflowJson;
	readonly options: ExecuteOptions;
	turn: number;
	status: 'running' | 'waiting' | 'ended';
	/** The flatted JSON of its run data: what is not JSON is lost on the way, as in n8n. */
	data: string;
}

/** A workflow whose triggers listen. */
export interface Activation {
	/** The production addresses of its webhooks. */
	readonly urls: string[];
	/** The first ending of an execution of this workflow, past or to come, that the predicate holds for. */
	readonly waitForExecution: (predicate?: (execution: Execution) => boolean, withinMs?: number) => Promise<Execution>;
	/** How many executions its triggers have begun. A call that begins one has done so once it is answered. */
	readonly begun: () => number;
	readonly deactivate: () => Promise<void>;
}

/**
 * As much of an n8n as runs workflows: it executes them with n8n-core, keeps the parked ones, takes their callbacks
 * over HTTP and goes on with them, step by step as n8n's own waiting webhooks and wait tracker do.
 */
export class Instance implements Continuation {
	/** Every ending of an execution: over, or parked. */
	readonly endings = new Journal<Execution>('ending of an execution');
	readonly #stored = new Map<string, Stored>();
	readonly #triggers = new Map<string, { workflow: WorkflowJson; options: ExecuteOptions }>();
	readonly #listener: Listener;

	private constructor(listener: Listener) {
		this.#listener = listener;
	}

	/** Starts one that listens on a port of its own, and never keeps the process alive. */
	static async start(): Promise<Instance> {
		const listener = await listen();
		const instance = new Instance(listener);
		listener.handle('webhook-waiting', (call) => instance.#callWaiting(call));
		listener.handle('webhook', (call) => instance.#callTrigger(call));
		return instance;
	}

	get origin(): string {
		return this.#listener.origin;
	}

	async close(): Promise<void> {
		await this.#listener.close();
	}

	/** Executes a workflow until it is over or parked. */
	async execute(workflow: WorkflowJson, options: ExecuteOptions): Promise<Execution> {
		const live = workflowOf(workflow, options);
		const start = options.startNode === undefined ? live.getStartNode() : live.getNode(options.startNode);
		if (start == null) throw new Error('The workflow has no node to start with');
		const data = createRunExecutionData({
			executionData: {
				nodeExecutionStack: [{ node: start, data: { main: [options.items ?? [{ json: {} }]] }, source: null }],
			},
		});
		return await this.#begin(workflow, options, data);
	}

	/** Makes a workflow's triggers listen at their production addresses. */
	async activate(workflow: WorkflowJson, options: ExecuteOptions): Promise<Activation> {
		const id = workflow.id ?? DEFAULT_WORKFLOW_ID;
		const live = workflowOf(structuredClone(workflow), options);
		const additionalData = additionalDataOf(workflow, options, '', this.origin);
		const triggers = Object.values(live.nodes).flatMap((node) =>
			webhooksOf(live, node)
				.filter(({ restarts }) => !restarts)
				.map(({ path }) => ({ path, call: { workflow: live, node, mode: 'trigger', additionalData } as const })),
		);
		for (const { path, call } of triggers) {
			await runWebhookMethod('create', call);
			this.#triggers.set(path, { workflow, options });
		}
		return {
			urls: triggers.map(({ path }) => `${this.origin}/webhook/${path}`),
			begun: () => [...this.#stored.values()].filter(({ workflow: its }) => its.id === id).length,
			waitForExecution: (predicate = () => true, withinMs) =>
				this.endings.waitFor((ending) => ending.workflowId === id && predicate(ending), withinMs),
			deactivate: async () => {
				for (const { path, call } of triggers) {
					this.#triggers.delete(path);
					await runWebhookMethod('delete', call);
				}
			},
		};
	}

	async resumed({ id, turn }: Execution, withinMs?: number): Promise<Execution> {
		return await this.endings.waitFor((ending) => ending.id === id && ending.turn > turn, withinMs);
	}

	async resumeByTimeout({ id }: Execution): Promise<Execution> {
		const stored = this.#find(id);
		if (stored.status !== 'waiting') throw new Error(`Execution ${id} does not wait`);
		return await this.#run(id, stored, read(stored));
	}

	resumeUrl({ id }: Execution, nodeId: string): string {
		return `${this.origin}/webhook-waiting/${id}/${nodeId}?signature=${read(this.#find(id)).resumeToken ?? ''}`;
	}

	async #begin(workflow: WorkflowJson, options: ExecuteOptions, data: IRunExecutionData): Promise<Execution> {
		const id = randomUUID();
		const stored: Stored = { workflow: structuredClone(workflow), options, turn: -1, status: 'running', data: '' };
		this.#stored.set(id, stored);
		return await this.#run(id, stored, data);
	}

	async #run(id: string, stored: Stored, data: IRunExecutionData): Promise<Execution> {
		const { workflow, options } = stored;
		const { signal, mode = 'trigger' } = options;
		stored.status = 'running';
		const additionalData = additionalDataOf(workflow, options, id, this.origin);
		if (stored.turn >= 0) additionalData.restartExecutionId = id;
		const running = new WorkflowExecute(additionalData, mode, data).processRunExecutionData(
			workflowOf(structuredClone(workflow), options),
		);
		const stop = (): void => {
			running.cancel();
		};
		signal?.addEventListener('abort', stop);
		if (signal?.aborted) stop();
		try {
			return this.#ended(id, stored, await running);
		} finally {
			signal?.removeEventListener('abort', stop);
		}
	}

	#ended(id: string, stored: Stored, run: IRun): Execution {
		stored.turn += 1;
		stored.status = run.status === 'waiting' ? 'waiting' : 'ended';
		stored.data = stringify(run.data);
		return this.endings.add(new Execution(id, stored.workflow.id ?? DEFAULT_WORKFLOW_ID, stored.turn, run, this));
	}

	#find(id: string): Stored {
		const stored = this.#stored.get(id);
		if (stored === undefined) throw new Error(`There is no execution ${id}`);
		return stored;
	}

	/** A callback to a parked execution: `<execution id>/<path of the node's webhook>`. */
	async #callWaiting(call: HttpCall): Promise<HttpReply> {
		const [id = '', suffix = ''] = call.path.split(/\/(.*)/s);
		const stored = this.#stored.get(id);
		if (stored === undefined) return refusal(404, `The execution "${id}" does not exist.`);
		if (stored.status === 'running') return refusal(409, `The execution "${id}" is running already.`);
		const data = read(stored);
		if (!sameText(call.query.get('signature') ?? '', data.resumeToken ?? '')) {
			return { status: 401, body: { error: 'Invalid token' } };
		}
		if (stored.status === 'ended') return refusal(409, `The execution "${id} has finished already.`);

		const name = data.resultData.lastNodeExecuted ?? '';
		const entry = data.executionData?.nodeExecutionStack[0];
		const workflow = workflowOf(structuredClone(stored.workflow), stored.options);
		const node = workflow.getNode(name);
		if (entry === undefined || node === null) return refusal(404, 'Could not find node to process webhook.');
		entry.node.disabled = true;
		data.waitTill = undefined;
		data.resultData.runData[name]?.pop();

		const webhook = waitingWebhookOf(workflow, node, call.request.method ?? '', suffix);
		if (webhook === undefined) return refusal(404, `The execution "${id}" has no waiting webhook with this path.`);
		const outcome = await callNode(this.#nodeCall(stored, call, { workflow, node, webhook, data, executionId: id }));
		if (outcome.error !== undefined) {
			data.resultData = { runData: {}, lastNodeExecuted: name, error: new NodeOperationError(node, outcome.error) };
		}
		const { workflowData } = outcome.result;
		if (workflowData === undefined) return outcome.reply ?? { status: 200, body: { message: 'Webhook call received' } };
		entry.data = { main: workflowData };
		entry.metadata = { ...entry.metadata, forwardAllOutputs: true };
		void this.#run(id, stored, data);
		return outcome.reply ?? onReceived(webhook, outcome.result);
	}

	/** A call of an active workflow's trigger. */
	async #callTrigger(call: HttpCall): Promise<HttpReply> {
		const active = this.#triggers.get(call.path);
		if (active === undefined) return refusal(404, `The requested webhook "${call.path}" is not registered.`);
		const workflow = workflowOf(structuredClone(active.workflow), active.options);
		for (const node of Object.values(workflow.nodes)) {
			const webhook = webhooksOf(workflow, node).find(({ path, restarts }) => path === call.path && !restarts);
			if (webhook === undefined) continue;
			const outcome = await callNode(this.#nodeCall(active, call, { workflow, node, webhook, data: null }));
			if (outcome.error !== undefined) return refusal(500, 'Workflow Webhook Error: Workflow could not be started!');
			const { workflowData } = outcome.result;
			if (workflowData === undefined) return outcome.reply ?? { status: 200, body: { message: 'Webhook call received' } };
			const data = createRunExecutionData({
				executionData: { nodeExecutionStack: [{ node, data: { main: workflowData }, source: null }] },
			});
			void this.#begin(active.workflow, { ...active.options, mode: 'webhook' }, data);
			return outcome.reply ?? onReceived(webhook, outcome.result);
		}
		return refusal(404, `The requested webhook "${call.path}" is not registered.`);
	}

	#nodeCall(
		{ workflow: json, options }: Pick<Stored, 'workflow' | 'options'>,
		http: HttpCall,
		{ executionId, ...rest }: Omit<NodeCall, 'http' | 'mode' | 'additionalData'> & { executionId?: string },
	): NodeCall {
		const additionalData = additionalDataOf(json, options, executionId ?? '', this.origin);
		if (executionId === undefined) delete additionalData.executionId;
		return { ...rest, http, mode: options.mode ?? 'trigger', additionalData };
	}
}

function read(stored: Stored): IRunExecutionData {
	return parse(stored.data) as IRunExecutionData;
}

function sameText(one: string, other: string): boolean {
	return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
