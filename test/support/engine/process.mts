import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type ExecutionError,
	type IRun,
	type IRunExecutionData,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { readData, type StoredExecution } from './database.mts';
import type { Instance } from './instance.mts';
import { hangTableIfKilled } from './processedData.mts';
import { savingHooks } from './saving.mts';
import { Slots } from './slots.mts';
import { executeSubWorkflow, handToCaller } from './subWorkflows.mts';
import { createAdditionalData, createWorkflow, type ExecuteOptions } from './workflows.mts';

/** What a new execution starts with. */
export type NewExecution = Pick<StoredExecution, 'workflow' | 'options' | 'retryOf'> & {
	data: IRunExecutionData;
};

/**
 * One process of n8n in regular mode: runs executions as its workflow runner does. Once killed, it stores nothing and returns
 * no credential, so that its nodes stop wherever they are.
 */
export class N8nProcess {
	n8n: Instance;
	slots = new Slots();
	#alive = true;

	constructor(n8n: Instance) {
		this.n8n = n8n;
	}

	kill() {
		this.#alive = false;
	}

	/** Resolves immediately, or never once the process was killed. */
	async hangIfKilled() {
		if (!this.#alive) await new Promise<never>(() => undefined);
	}

	/** Stores a new execution and runs it. */
	async begin({ data, ...fields }: NewExecution) {
		const stored = await this.#write(() => this.n8n.database.create(fields, data));
		const giveBack = await this.slots.take();
		return { id: stored.id, over: this.#run(stored, data).finally(giveBack) };
	}

	/**
	 * Resumes a parked execution, once a slot is free. What it resumes with, however old, is stored when it is claimed.
	 *
	 * @param startedAt given if the time to wait is over: the wait then counts toward the workflow's timeout
	 * @throws if something else has resumed or stopped it
	 */
	async resume(id: string, data: IRunExecutionData, startedAt = new Date()) {
		const { database } = this.n8n;
		const giveBack = await this.slots.take();
		const changes = { status: 'running', waitTill: undefined, data } as const;
		const claimed = await this.#write(() =>
			database.update(id, changes, ({ status }) => status === 'waiting'),
		);
		if (!claimed) {
			giveBack();
			throw new Error(`Execution ${id} is already being resumed by another process`);
		}
		const stored = database.get(id);
		void this.#run(stored, data, startedAt)
			.finally(giveBack)
			.then(async (run) => {
				await handToCaller(this, run);
			});
	}

	/** Resumes a parked execution because the time to wait is over. */
	async wake(id: string) {
		await this.hangIfKilled();
		const stored = this.n8n.database.get(id);
		if (stored.status === 'success')
			throw new Error(`Execution ${id} did succeed and can not be started again`);
		await this.resume(id, readData(stored), stored.startedAt);
	}

	/** Gives an execution that waits for another one the output of that. */
	async patch(id: string, data: IRunExecutionData) {
		await this.#write(() => this.n8n.database.update(id, { data }));
	}

	async #write<Result>(write: () => Result) {
		await this.n8n.database.writable();
		await this.hangIfKilled();
		return write();
	}

	async #run(stored: StoredExecution, data: IRunExecutionData, resumedAt?: Date) {
		const { id, workflow } = stored;
		const options = this.n8n.readOptions(stored);
		const { hooks, saved } = savingHooks(stored, options, this.n8n, (change) =>
			this.#write(change),
		);
		const additionalData = createAdditionalData(workflow, options, id, this.n8n.origin, () =>
			this.hangIfKilled(),
		);
		additionalData.hooks = hooks;
		additionalData.executeWorkflow = (...given) => executeSubWorkflow(this, stored, ...given);
		if (resumedAt !== undefined) additionalData.restartExecutionId = id;

		let run: IRun;
		try {
			run = await this.#process(stored, options, additionalData, data, resumedAt);
		} catch (error) {
			// n8n found the workflow not ready to run, e.g. a required parameter without a value.
			run = failedRun(error as ExecutionError, options);
			await hooks.runHook('workflowExecuteAfter', [run, {}]);
		}
		await saved();
		this.n8n.ended(stored, run);
		return run;
	}

	/** Has n8n-core run it until it is over, parked, stopped, or past the workflow's timeout. */
	async #process(
		{ workflow }: StoredExecution,
		{ mode = 'trigger', signal, ...options }: ExecuteOptions,
		additionalData: IWorkflowExecuteAdditionalData,
		data: IRunExecutionData,
		resumedAt = new Date(),
	) {
		const limit = (workflow.settings?.executionTimeout ?? 0) * 1000;
		if (limit > 0) additionalData.executionTimeoutTimestamp = Date.now() + limit;
		const execute = new WorkflowExecute(additionalData, mode, data);
		const live = createWorkflow(structuredClone(workflow), options);
		hangTableIfKilled(live, () => this.hangIfKilled());
		const running = execute.processRunExecutionData(live);
		const cancel = () => {
			if (this.#alive) running.cancel();
		};
		signal?.addEventListener('abort', cancel);
		const left = limit - (Date.now() - resumedAt.getTime());
		const timer = limit > 0 && left > 0 ? setTimeout(cancel, left) : undefined;
		if (signal?.aborted || (limit > 0 && left <= 0)) cancel();
		try {
			return await running;
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener('abort', cancel);
		}
	}
}

function failedRun(error: ExecutionError, { mode = 'trigger' }: ExecuteOptions): IRun {
	const data = createRunExecutionData({ resultData: { error, runData: {} } });
	return {
		data,
		mode,
		status: 'error',
		startedAt: new Date(),
		stoppedAt: new Date(),
		storedAt: 'db',
	};
}
