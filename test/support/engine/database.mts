import { parse, stringify } from 'flatted';
import type { ExecutionStatus, IRunExecutionData } from 'n8n-workflow';

import type { ExecuteOptions, WorkflowJson } from './workflows.mts';

/** An execution as n8n's database has it. */
export interface StoredExecution {
	id: string;
	workflow: WorkflowJson;
	options: ExecuteOptions;
	/** The execution that this one is a retry of. */
	retryOf?: string;
	startedAt: Date;
	/** How many times it has been over or parked so far. */
	endingCount: number;
	status: ExecutionStatus;
	waitTill?: Date;
	/** The flatted JSON of its run data. As in n8n, what is not JSON is lost. */
	data: string;
}

let created = 0;

/** The table of executions, which outlives the process. Reading it returns a copy. */
export class Database {
	#executions = new Map<string, StoredExecution>();
	/** How many more writes are let through, and what runs the others when the lock is released. */
	#lock: { passing: number; held: (() => void)[] } | undefined;
	#onHeld = (): void => undefined;

	/**
	 * Writes wait until the returned function is called, as behind another program's lock.
	 *
	 * @param passing how many writes are let through first
	 */
	lock(passing = 0) {
		const lock = { passing, held: [] as (() => void)[] };
		this.#lock = lock;
		return () => {
			this.#lock = undefined;
			for (const write of lock.held) write();
		};
	}

	/** Resolves once so many writes wait for the lock. */
	async whenHeld(count = 1) {
		while ((this.#lock?.held.length ?? 0) < count) {
			await new Promise<void>((resolve) => (this.#onHeld = resolve));
		}
	}

	/** Resolves once writing is possible. */
	async writable() {
		const lock = this.#lock;
		if (lock === undefined) return;
		lock.passing -= 1;
		if (lock.passing >= 0) return;
		await new Promise<void>((resolve) => {
			lock.held.push(resolve);
			this.#onHeld();
		});
	}

	create(
		fields: Pick<StoredExecution, 'workflow' | 'options' | 'retryOf'>,
		data: IRunExecutionData,
	) {
		created += 1;
		const execution: StoredExecution = {
			...fields,
			workflow: structuredClone(fields.workflow),
			id: `${created}`,
			startedAt: new Date(),
			endingCount: 0,
			status: 'running',
			data: stringify(data),
		};
		this.#executions.set(execution.id, execution);
		return execution;
	}

	/**
	 * Changes an execution if the condition holds, in one step.
	 *
	 * @returns whether it did
	 */
	update(
		id: string,
		changes: Partial<Pick<StoredExecution, 'status' | 'waitTill' | 'endingCount'>> & {
			data?: IRunExecutionData;
		},
		condition: (stored: StoredExecution) => boolean = () => true,
	) {
		const stored = this.#executions.get(id);
		if (stored === undefined || !condition(stored)) return false;
		const { data, ...columns } = changes;
		this.#executions.set(id, {
			...stored,
			...columns,
			...(data === undefined ? {} : { data: stringify(data) }),
		});
		return true;
	}

	find(id: string) {
		return this.#executions.get(id);
	}

	/** @throws if there is none */
	get(id: string) {
		const stored = this.#executions.get(id);
		if (stored === undefined) throw new Error(`There is no execution ${id}`);
		return stored;
	}

	all() {
		return [...this.#executions.values()];
	}
}

/** The run data of a stored execution, a copy of its own. */
export function readData({ data }: StoredExecution) {
	return parse(data) as IRunExecutionData;
}
