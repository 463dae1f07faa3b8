import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import type { IConnections, INode } from 'n8n-workflow';

import { credentialType } from '../../harness/examples.mts';
import {
	type Execution,
	type ExecutionStatus,
	type ExecutionSummary,
	finalStatuses,
} from '../../harness/executions.mts';
import { startN8n, type N8n } from '../../harness/n8n.mts';
import type { StoredCredential, StoredWorkflow } from '../../harness/n8nClient.mts';
import type { Environment } from '../../harness/n8nProcess.mts';
import { type Patience, until } from '../../harness/polling.mts';
import { asList, asRecord } from '../../harness/unknownJson.mts';
import { chain, node } from '../../harness/workflows.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../test/sandbox/sandbox.mts';

/** Where n8n finds the nodes that show what n8n itself takes (`N8N_CUSTOM_EXTENSIONS`). */
export const leastNodes = fileURLToPath(new URL('./leastNodes', import.meta.url));

/** How a workflow is published. */
export interface PublishOptions {
	/** When its webhook answers: at its end, or at once, for one that waits. */
	readonly responseMode?: 'lastNode' | 'onReceived';
	/** In place of those that put its nodes in a row. */
	readonly connections?: IConnections;
}

/** A real n8n with this package, and the accounts at sandboxes that its workflows use. */
export class Stage {
	readonly n8n: N8n;
	readonly #accounts: Account[] = [];

	private constructor(n8n: N8n) {
		this.n8n = n8n;
	}

	static async open(environment: Environment = {}): Promise<Stage> {
		return new Stage(await startN8n({ environment }));
	}

	/** A sandbox of its own, without limits unless they are given, and the credentials for it. */
	async account(options: SandboxOptions = {}): Promise<Account> {
		const open = async () => {
			const seed = (seeds += 1);
			const limits = { requestsPerMinute: Infinity, newSessionsPerMinute: Infinity };
			return await startSandbox({ ...limits, ...options, seed });
		};
		const { n8n } = this;
		const sandbox = await open();
		const account: Account = {
			sandbox,
			credential: await n8n.createCredential(credentialType, 'Account', dataOf(sandbox)),
			header: await n8n.createCredential('httpHeaderAuth', 'Header', {
				name: 'Authorization',
				value: `Bearer ${sandbox.apiKey}`,
			}),
			get baseUrl() {
				return account.sandbox.baseUrl;
			},
			renew: async () => {
				await account.sandbox.close();
				account.sandbox = await open();
				await n8n.updateCredential(account.credential, dataOf(account.sandbox));
			},
		};
		this.#accounts.push(account);
		return account;
	}

	/** Publishes a workflow that begins with a webhook, which answers when the workflow is over. */
	async publish(
		name: string,
		nodes: readonly INode[],
		{ responseMode = 'lastNode', connections = {} }: PublishOptions = {},
	): Promise<Published> {
		const path = randomUUID();
		const start = node(
			'Webhook',
			'n8n-nodes-base.webhook',
			{ httpMethod: 'POST', path, responseMode, responseData: 'noData' },
			{
				typeVersion: 2,
				webhookId: path,
			},
		);
		const row = chain(name, [start, ...nodes]);
		const workflow = await this.n8n.publish({
			...row,
			connections: { ...row.connections, ...connections },
		});
		return new Published(this.n8n, workflow, path);
	}

	async close(): Promise<void> {
		await this.n8n.close();
		for (const { sandbox } of this.#accounts) await sandbox.close();
	}
}

/** A key at a sandbox, as n8n knows it: in this package's credential, and as a header for n8n's own nodes. */
export interface Account {
	sandbox: Sandbox;
	readonly credential: StoredCredential;
	readonly header: StoredCredential;
	readonly baseUrl: string;
	/**
	 * Puts another sandbox with another key behind this package's credential: what the node knows of the limits is the
	 * key's, so that no run is held up by the ones before.
	 */
	renew(): Promise<void>;
}

/** A published workflow that a webhook starts. */
export class Published {
	readonly workflow: StoredWorkflow;
	readonly #n8n: N8n;
	readonly #path: string;

	/** @internal use {@link Stage.publish} */
	constructor(n8n: N8n, workflow: StoredWorkflow, path: string) {
		this.#n8n = n8n;
		this.workflow = workflow;
		this.#path = path;
	}

	/** Starts it; with a webhook that answers at the end, it is over then. */
	async start(body: unknown = {}): Promise<void> {
		const response = await this.#n8n.callWebhook(this.#path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`"${this.workflow.name}": ${response.status} ${text}`);
	}

	/** Runs it to its end. */
	async run(body: unknown = {}): Promise<Execution> {
		await this.start(body);
		const [newest] = await this.executions();
		if (newest === undefined) throw new Error(`"${this.workflow.name}" was not executed`);
		const execution = await this.#n8n.waitForExecution(newest.id);
		if (execution.status !== 'success')
			throw new Error(`"${this.workflow.name}": ${execution.failure?.message ?? execution.status}`);
		return execution;
	}

	/** Waits until all of its executions, or so many, have one of the statuses. */
	async reached(
		count: number,
		statuses: readonly ExecutionStatus[] = finalStatuses,
		patience: Patience = {},
	): Promise<void> {
		const filter = encodeURIComponent(
			JSON.stringify({ workflowId: this.workflow.id, status: statuses }),
		);
		await until(
			`${count} executions to be ${statuses.join(' or ')}`,
			async () => {
				const answer = asRecord(
					await this.#n8n.session.get(`/executions?filter=${filter}&limit=1`),
					'The executions',
				);
				return Number(answer.count) >= count ? true : undefined;
			},
			{ timeout: 600_000, interval: 500, ...patience },
		);
	}

	async executions(): Promise<readonly ExecutionSummary[]> {
		return await this.#n8n.executions(this.workflow.id);
	}
}

/** How many milliseconds the nodes took themselves, as n8n recorded it. */
export function nodeTime(execution: Execution, ...names: readonly string[]): number {
	return names
		.flatMap((name) => runsOf(execution, name))
		.reduce((sum, run) => sum + Number(run.executionTime), 0);
}

function runsOf({ stored }: Execution, name: string): Record<string, unknown>[] {
	const result = asRecord(stored.resultData, 'The result of an execution');
	const runData = asRecord(result.runData, 'The run data');
	return asList(runData[name], `The runs of ${name}`).map((run) => asRecord(run, 'A run'));
}

/** Waits until n8n has nothing left to execute. */
export async function allEnded(n8n: N8n): Promise<void> {
	const filter = encodeURIComponent(JSON.stringify({ status: ['new', 'running'] }));
	await until(
		'every execution to be over',
		async () => {
			const { results: running } = asRecord(
				await n8n.session.get(`/executions?filter=${filter}&limit=1`),
				'The executions',
			);
			return asList(running, 'The list of executions').length === 0 ? true : undefined;
		},
		{ timeout: 600_000, interval: 500 },
	);
}

let seeds = 0;

function dataOf({ baseUrl, apiKey, webhookSecret }: Sandbox): Record<string, string> {
	return { baseUrl, apiKey, webhookSecret };
}
