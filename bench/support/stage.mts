import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import type { IConnections, INode } from 'n8n-workflow';

import { credentialType } from '../../harness/examples.mts';
import type { Execution, ExecutionStatus } from '../../harness/executions.mts';
import { startN8n, type N8n } from '../../harness/n8n.mts';
import type { StoredCredential, StoredWorkflow } from '../../harness/n8nClient.mts';
import type { Environment } from '../../harness/n8nProcess.mts';
import { until } from '../../harness/polling.mts';
import { asRecord } from '../../harness/unknownJson.mts';
import { chain, node } from '../../harness/workflows.mts';
import { KEY_PREFIX } from '../../test/sandbox/auth.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../test/sandbox/sandbox.mts';
import { keyOf } from '../../test/support/n8n/service.mts';

/** Where n8n finds the nodes that show what n8n itself takes (`N8N_CUSTOM_EXTENSIONS`). */
export const leastNodes = fileURLToPath(new URL('./leastNodes', import.meta.url));

/** A real n8n with this package, and the accounts at sandboxes that its workflows use. */
export class Stage {
	readonly n8n: N8n;
	readonly #sandboxes: Sandbox[] = [];

	private constructor(n8n: N8n) {
		this.n8n = n8n;
	}

	static async open(environment: Environment = {}) {
		return new Stage(await startN8n({ environment }));
	}

	/** A sandbox of its own, without limits unless they are given, and the credentials for it. */
	async account(options: SandboxOptions = {}): Promise<Account> {
		const { n8n } = this;
		const limits = { requestsPerMinute: Infinity, newSessionsPerMinute: Infinity };
		const sandbox = await startSandbox({ ...limits, ...options, seed: (seeds += 1) });
		this.#sandboxes.push(sandbox);
		const credential = await n8n.createCredential(credentialType, 'Account', keyOf(sandbox));
		return {
			sandbox,
			baseUrl: sandbox.baseUrl,
			credential,
			header: await n8n.createCredential('httpHeaderAuth', 'Header', {
				name: 'Authorization',
				value: `Bearer ${sandbox.apiKey}`,
			}),
			renew: async () => {
				const apiKey = KEY_PREFIX + randomUUID();
				sandbox.keys.set(apiKey, undefined);
				await n8n.updateCredential(credential, { ...keyOf(sandbox), apiKey });
			},
		};
	}

	/** Publishes a workflow that begins with a webhook, which answers when the workflow is over, or at once, for one that waits. */
	async publish(
		name: string,
		nodes: readonly INode[],
		responseMode: 'lastNode' | 'onReceived' = 'lastNode',
		connections: IConnections = {},
	) {
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

	async close() {
		await this.n8n.close();
		for (const sandbox of this.#sandboxes) await sandbox.close();
	}
}

/** A key at a sandbox, as n8n knows it: in this package's credential, and as a header for n8n's own nodes. */
export interface Account {
	sandbox: Sandbox;
	credential: StoredCredential;
	header: StoredCredential;
	baseUrl: string;
	/** Puts another key into this package's credential: what the node knows of the limits is the key's, and no run is to wait for those before. */
	renew: () => Promise<void>;
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
	async start(body: unknown = {}) {
		const response = await this.#n8n.callWebhook(this.#path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`"${this.workflow.name}": ${response.status} ${text}`);
	}

	/** Runs it to its end. */
	async run(body: unknown = {}) {
		await this.start(body);
		const [newest] = await this.#n8n.executions(this.workflow.id);
		if (newest === undefined) throw new Error(`"${this.workflow.name}" was not executed`);
		const execution = await this.#n8n.waitForExecution(newest.id);
		if (execution.status !== 'success')
			throw new Error(`"${this.workflow.name}": ${execution.failure?.message ?? execution.status}`);
		return execution;
	}

	/** Waits until so many of its executions have the status. */
	async reached(count: number, status: ExecutionStatus) {
		const filter = { workflowId: this.workflow.id, status: [status] };
		await until(
			`${count} executions to be ${status}`,
			async () => (await countOf(this.#n8n, filter)) >= count || undefined,
			patience,
		);
	}
}

/** How many milliseconds the nodes took themselves, as n8n recorded it. */
export function nodeTime({ runs }: Execution, ...names: readonly string[]) {
	return names
		.flatMap((name) => runs[name] ?? [])
		.reduce((sum, { executionTime }) => sum + executionTime, 0);
}

/** Waits until n8n has nothing left to execute. */
export async function allEnded(n8n: N8n) {
	const filter = { status: ['new', 'running'] };
	await until(
		'every execution to be over',
		async () => (await countOf(n8n, filter)) === 0 || undefined,
		patience,
	);
}

async function countOf({ session }: N8n, filter: object) {
	const query = encodeURIComponent(JSON.stringify(filter));
	const answer = await session.get(`/executions?filter=${query}&limit=1`);
	return Number(asRecord(answer, 'The executions').count);
}

const patience = { timeout: 600_000, interval: 500 };

let seeds = 0;
