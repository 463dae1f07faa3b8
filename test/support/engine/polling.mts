import { PollContext, TriggersAndPollers } from 'n8n-core';
import type { IDataObject, WorkflowActivateMode, WorkflowExecuteMode } from 'n8n-workflow';

import { service } from './core.mts';
import { NODE } from './execution.mts';
import {
	additionalDataOf,
	workflowOf,
	type ExecuteOptions,
	type WorkflowJson,
} from './workflows.mts';

/** What n8n's durable scheduler allows a poll. */
const DURABLE_BUDGET_MS = 36_000;

/** A polling trigger, which n8n's own classes poll. What it keeps is stored as n8n 2.41.1 does: if it emits, and at a publication. */
export class PollingTrigger {
	readonly #workflow: WorkflowJson;
	readonly #options: ExecuteOptions;
	readonly #origin: string;
	#stored = '{}';
	#registered: (() => Promise<IDataObject[]>) | undefined;

	constructor(workflow: WorkflowJson, options: ExecuteOptions, origin: string) {
		this.#workflow = workflow;
		this.#options = options;
		this.#origin = origin;
	}

	/** Publishes the workflow, or starts n8n with it published (`init`); gives what the first poll starts. */
	async register(activation: WorkflowActivateMode = 'activate'): Promise<IDataObject[]> {
		const { poll, save } = this.#polls('trigger', activation);
		const items = await poll();
		save();
		this.#registered = poll;
		return items;
	}

	/** One of the polls that follow. */
	async poll(): Promise<IDataObject[]> {
		if (this.#registered === undefined) throw new Error('The trigger is not published');
		return await this.#registered();
	}

	/** A poll of n8n's durable scheduler. */
	async pollDurably(): Promise<IDataObject[]> {
		return await this.#polls('trigger', 'update', DURABLE_BUDGET_MS).poll();
	}

	/** Fetches a test event, as the editor does. */
	async testEvent(): Promise<IDataObject[]> {
		return await this.#polls('manual', 'manual').poll();
	}

	#polls(
		mode: WorkflowExecuteMode,
		activation: WorkflowActivateMode,
		budgetMs?: number,
	): { poll: () => Promise<IDataObject[]>; save: () => void } {
		const workflow = workflowOf(
			structuredClone(this.#workflow),
			this.#options,
			JSON.parse(this.#stored) as IDataObject,
		);
		const node = workflow.getNode(NODE);
		if (node === null) throw new Error('The workflow has no trigger');
		const save = (): void => void (this.#stored = JSON.stringify(workflow.staticData));
		const additionalData = additionalDataOf(this.#workflow, this.#options, '', this.#origin);
		const budget =
			budgetMs === undefined
				? []
				: ([undefined, undefined, undefined, undefined, () => budgetMs] as const);
		const context = new PollContext(
			workflow,
			node,
			additionalData,
			mode,
			activation,
			save,
			...budget,
		);
		return {
			save,
			poll: async () => {
				const data = await service(TriggersAndPollers).runPollFunction(workflow, node, context);
				if (data !== null && mode !== 'manual') save();
				return (data ?? []).flat().map(({ json }) => json);
			},
		};
	}
}
