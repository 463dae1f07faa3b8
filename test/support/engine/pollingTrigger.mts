import { randomUUID } from 'node:crypto';

import { PollContext, TriggersAndPollers } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeType,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { service } from './core.mts';
import { NODE } from './execution.mts';
import {
	createAdditionalData,
	createWorkflow,
	type ExecuteOptions,
	type WorkflowJson,
} from './workflows.mts';

/** What begins the polls of n8n 2.41: itself, or its durable scheduler, which may keep what is known of its own (cursors). */
export type Scheduler = 'ordinary' | 'durable' | 'durable with cursors';

/** What n8n's durable scheduler allows a poll. */
const DURABLE_BUDGET_MS = 36_000;

type Poll = () => Promise<IDataObject[]>;

/**
 * A polling trigger, which n8n's own classes poll. What it keeps is stored as n8n 2.41 does: if it emits, and at a publication; with
 * cursors after each poll but the one of a publication.
 */
export class PollingTrigger {
	#workflow: WorkflowJson;
	#options: ExecuteOptions;
	#origin: string;
	#scheduler: Scheduler;
	#stored = '{}';
	#registered: Poll | undefined;

	constructor(
		workflow: WorkflowJson,
		options: ExecuteOptions,
		origin: string,
		scheduler: Scheduler = 'ordinary',
	) {
		this.#workflow = { ...structuredClone(workflow), id: randomUUID() };
		this.#options = options;
		this.#origin = origin;
		this.#scheduler = scheduler;
	}

	/** Publishes the workflow, or starts n8n with it published (`init`); gives what the first poll starts. */
	async register(activation: WorkflowActivateMode = 'activate') {
		const { poll, save } = this.#polls('trigger', activation);
		const items = await poll();
		if (this.#scheduler !== 'durable with cursors') save();
		this.#registered = poll;
		return items;
	}

	/** Changes the trigger and publishes the workflow again, which n8n calls an update. */
	async edit({ parameters, ...change }: Partial<INode>) {
		const trigger = this.#workflow.nodes.find(({ name }) => name === NODE);
		Object.assign(trigger ?? {}, change);
		Object.assign(trigger?.parameters ?? {}, parameters);
		return await this.register('update');
	}

	/** Starts n8n again, with the modules of the node loaded anew. Its durable scheduler polls when the time comes, not now. */
	async restart(nodeTypes: Record<string, INodeType>) {
		this.#options = { ...this.#options, nodeTypes: { ...this.#options.nodeTypes, ...nodeTypes } };
		return this.#scheduler === 'ordinary' ? await this.register('init') : [];
	}

	/** One of the polls that follow. */
	async poll() {
		if (this.#registered === undefined) throw new Error('The trigger is not published');
		return this.#scheduler === 'ordinary'
			? await this.#registered()
			: await this.#polls('trigger', 'update', DURABLE_BUDGET_MS).poll();
	}

	/** Fetches a test event, as the editor does. */
	async testEvent() {
		return await this.#polls('manual', 'manual').poll();
	}

	#polls(
		mode: WorkflowExecuteMode,
		activation: WorkflowActivateMode,
		budgetMs?: number,
	): { poll: Poll; save: () => void } {
		const workflow = createWorkflow(
			structuredClone(this.#workflow),
			this.#options,
			JSON.parse(this.#stored) as IDataObject,
		);
		const [node] = workflow.getPollNodes();
		if (node === undefined) throw new Error('The workflow has no trigger');
		const save = () => void (this.#stored = JSON.stringify(workflow.staticData));
		const additionalData = createAdditionalData(this.#workflow, this.#options, '', this.#origin);
		const budget =
			budgetMs === undefined ? [] : [undefined, undefined, undefined, undefined, () => budgetMs];
		const context = new PollContext(
			workflow,
			node,
			additionalData,
			mode,
			activation,
			save,
			...budget,
		);
		const kept = () => JSON.stringify(workflow.getStaticData('node', node));
		const read = kept();
		const hasCursor = this.#scheduler === 'durable with cursors' && budgetMs !== undefined;
		return {
			save,
			poll: async () => {
				const data = await service(TriggersAndPollers).runPollFunction(workflow, node, context);
				if ((data !== null || (hasCursor && kept() !== read)) && mode !== 'manual') save();
				if (data?.flat().length === 0) throw new Error('It starts the workflow without an item');
				return (data ?? []).flat().map(({ json }) => json);
			},
		};
	}
}
