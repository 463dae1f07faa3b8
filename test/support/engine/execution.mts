import type { IRun } from 'n8n-workflow';

import { readData } from './database.mts';
import type { Instance } from './instance.mts';
import type { WorkflowJson } from './workflows.mts';

/** The node that an execution starts with. */
export const BEFORE = 'Before';

/** The name of the Legal AI node in its workflow. */
export const NODE = 'Legal AI';

/** The longest wait that a timer allows: the test's own timeout ends it. */
export const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** A workflow's execution that is over, or parked until something resumes it. */
export class Execution {
	id: string;
	workflowId: string;
	/** How many times it had been over or parked before this ending. */
	endingCount: number;
	run: IRun;
	#n8n: Instance;

	constructor(id: string, workflowId: string, endingCount: number, run: IRun, n8n: Instance) {
		this.id = id;
		this.workflowId = workflowId;
		this.endingCount = endingCount;
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
		return this.readItems(NODE);
	}

	/** Only their JSON. */
	get json() {
		return this.items.map(({ json }) => json);
	}

	get hints() {
		return (this.runData[NODE]?.at(-1)?.hints ?? []).map(({ message }) => message);
	}

	/** The items at the first output of a node, in its last run. */
	readItems(nodeName: string) {
		return this.#outputsOf(nodeName)[0] ?? [];
	}

	#outputsOf(nodeName: string) {
		return (this.runData[nodeName]?.at(-1)?.data?.main ?? []).map((items) => items ?? []);
	}

	/** The next ending, past or future, once something has resumed this execution. */
	async resumed(withinMs = LONGEST_WAIT_MS) {
		return await this.#n8n.endings.waitFor(
			({ id, endingCount }) => id === this.id && endingCount > this.endingCount,
			withinMs,
		);
	}

	/** Continues as n8n does when the time to wait is over. It may be parked again. */
	async wake() {
		await this.#n8n.wake(this.id);
		return await this.resumed();
	}

	/** A new execution that starts where this one failed, crashed or was stopped. */
	async retry(current?: WorkflowJson) {
		return await this.#n8n.retry(this.id, current);
	}

	/** The address that resumes this execution, with n8n's own token. */
	get resumeUrl() {
		const { database, origin } = this.#n8n;
		const { resumeToken = '' } = readData(database.get(this.id));
		return `${origin}/webhook-waiting/${this.id}/legal-ai?signature=${resumeToken}`;
	}
}
