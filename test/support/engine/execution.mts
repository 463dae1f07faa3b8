import type { IRun } from 'n8n-workflow';

import type { Instance } from './instance.mts';
import type { WorkflowJson } from './workflows.mts';

/** The node that an execution starts with. */
export const BEFORE = 'Before';

/** The name of the Legal AI node in its workflow. */
export const NODE = 'Legal AI';

/** A workflow's execution that is over, or parked until something resumes it. */
export class Execution {
	id: string;
	workflowId: string;
	/** 0 for the first ending, plus 1 for each time that it was resumed. */
	turn: number;
	run: IRun;
	#n8n: Instance;

	constructor(id: string, workflowId: string, turn: number, run: IRun, n8n: Instance) {
		this.id = id;
		this.workflowId = workflowId;
		this.turn = turn;
		this.run = run;
		this.#n8n = n8n;
	}

	get status() {
		return this.run.status;
	}

	get error() {
		return this.run.data.resultData.error;
	}

	get waitTill() {
		return this.run.waitTill ?? undefined;
	}

	get runData() {
		return this.run.data.resultData.runData;
	}

	/** The items at each output of the Legal AI node. */
	get outputs() {
		return this.#outputsOf(NODE);
	}

	/** The items at its first output. */
	get items() {
		return this.itemsOf(NODE);
	}

	/** Only their JSON. */
	get json() {
		return this.items.map(({ json }) => json);
	}

	get hints() {
		return (this.runData[NODE]?.at(-1)?.hints ?? []).map(({ message }) => message);
	}

	/** The items at the first output of a node, in its last run. */
	itemsOf(nodeName: string) {
		return this.#outputsOf(nodeName)[0] ?? [];
	}

	#outputsOf(nodeName: string) {
		return (this.runData[nodeName]?.at(-1)?.data?.main ?? []).map((items) => items ?? []);
	}

	/** The next ending, past or future, once something has resumed this execution. */
	async resumed(withinMs?: number): Promise<Execution> {
		return await this.#n8n.resumed(this, withinMs);
	}

	/** Continues as n8n does when the time to wait is over. It may be parked again. */
	async wake(): Promise<Execution> {
		return await this.#n8n.wake(this);
	}

	/** A new execution that starts where this one failed, crashed or was stopped. */
	async retry(current?: WorkflowJson): Promise<Execution> {
		return await this.#n8n.retry(this, current);
	}

	/** The address that resumes this execution, with n8n's own token. */
	get resumeUrl() {
		return this.#n8n.resumeUrl(this);
	}
}
