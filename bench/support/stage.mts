import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import type { IConnections, INode } from 'n8n-workflow';

import { credentialType } from '../../harness/examples.mts';
import type { Execution, ExecutionStatus } from '../../harness/executions.mts';
import { startN8n, type N8n } from '../../harness/n8n.mts';
import type { Environment } from '../../harness/n8nProcess.mts';
import { until } from '../../harness/polling.mts';
import { asRecord } from '../../harness/unknownJson.mts';
import { chain, webhook } from '../../harness/workflows.mts';
import { KEY_PREFIX } from '../../test/sandbox/auth.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../test/sandbox/sandbox.mts';
import { toCredential } from '../../test/support/n8n/service.mts';

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
	async account(options: SandboxOptions = {}) {
		const { n8n } = this;
		const limits = { requestsPerMinute: Infinity, newSessionsPerMinute: Infinity };
		const sandbox = await startSandbox({ ...limits, ...options, seed: (seeds += 1) });
		this.#sandboxes.push(sandbox);
		const credential = await n8n.createCredential(credentialType, 'Account', toCredential(sandbox));
		return {
			sandbox,
			baseUrl: sandbox.baseUrl,
			credential,
			header: await n8n.createCredential('httpHeaderAuth', 'Header', {
				name: 'Authorization',
				value: `Bearer ${sandbox.apiKey}`,
			}),
			/** Puts another key into this package's credential: what the node knows of the limits is the key's, and no run is to wait for those before. */
			renew: async () => {
				const apiKey = KEY_PREFIX + randomUUID();
				sandbox.keys.set(apiKey, undefined);
				await n8n.updateCredential(credential, { ...toCredential(sandbox), apiKey });
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
		const { n8n } = this;
		const path = randomUUID();
		const row = chain(name, [webhook(path, { responseMode, responseData: 'noData' }), ...nodes]);
		const { id } = await n8n.publish({
			...row,
			connections: { ...row.connections, ...connections },
		});
		/** Starts it; with a webhook that answers at the end, it is over then. */
		const start = async (body: unknown = {}) => {
			const response = await n8n.callWebhook(path, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
			const text = await response.text();
			if (!response.ok) throw new Error(`"${name}": ${response.status} ${text}`);
		};
		return {
			start,
			/** Runs it to its end. */
			run: async (body?: unknown) => {
				const known = await n8n.executions(id);
				await start(body);
				const execution = await n8n.waitForNextExecution(id, known);
				if (execution.status !== 'success')
					throw new Error(`"${name}": ${execution.failure?.message ?? execution.status}`);
				return execution;
			},
			/** Waits until so many of its executions have the status. */
			reached: async (count: number, status: ExecutionStatus) => {
				const filter = { workflowId: id, status: [status] };
				await until(
					`${count} executions to be ${status}`,
					async () => (await countExecutions(n8n, filter)) >= count || undefined,
					patience,
				);
			},
		};
	}

	async close() {
		await this.n8n.close();
		for (const sandbox of this.#sandboxes) await sandbox.close();
	}
}

/** A key at a sandbox, as n8n knows it: in this package's credential, and as a header for n8n's own nodes. */
export type Account = Awaited<ReturnType<Stage['account']>>;

/** A published workflow that a webhook starts. */
export type Published = Awaited<ReturnType<Stage['publish']>>;

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
		async () => (await countExecutions(n8n, filter)) === 0 || undefined,
		patience,
	);
}

async function countExecutions({ session }: N8n, filter: object) {
	const query = encodeURIComponent(JSON.stringify(filter));
	const answer = await session.get(`/executions?filter=${query}&limit=1`);
	return Number(asRecord(answer, 'The executions').count);
}

const patience = { timeout: 600_000, interval: 500 };

let seeds = 0;
