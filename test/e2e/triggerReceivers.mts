import { expect } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { credentialType } from '../support/n8n/examples.mts';
import { itemsOf } from '../support/n8n/executions.mts';
import { type N8n, startN8n } from '../support/n8n/n8n.mts';
import type { StoredCredential, StoredWorkflow } from '../support/n8n/n8nClient.mts';
import { freePort } from '../support/n8n/n8nProcess.mts';
import { until } from '../support/polling.mts';
import { createQueueStore, type QueueStore } from './postgres.mts';

const webhookSecret = 'whsec-queue';

/** An n8n in queue mode, of which two processes take webhooks: the main one, and one that does nothing else. */
export class TriggerReceivers {
	readonly n8n: N8n;
	readonly store: QueueStore;
	readonly sandbox: Sandbox;
	readonly credential: StoredCredential;
	/** Where those two processes are. */
	readonly receivers: readonly { readonly baseUrl: string }[];

	private constructor(n8n: N8n, store: QueueStore, sandbox: Sandbox, credential: StoredCredential, webhooksPort: number) {
		this.n8n = n8n;
		this.store = store;
		this.sandbox = sandbox;
		this.credential = credential;
		this.receivers = [n8n, { baseUrl: `http://localhost:${webhooksPort}` }];
	}

	static async start(): Promise<TriggerReceivers> {
		const store = await createQueueStore();
		const sandbox = await startSandbox({ webhookSecret });
		const port = await freePort();
		const n8n = await startN8n({ port, environment: { ...store.environment, WEBHOOK_URL: `http://localhost:${port}/` } });
		const [webhooks] = await Promise.all([n8n.startBeside('webhook'), n8n.startBeside('worker')]);
		const { apiKey, baseUrl } = sandbox;
		const credential = await n8n.createCredential(credentialType, 'Queue', { baseUrl, apiKey, webhookSecret });
		return new TriggerReceivers(n8n, store, sandbox, credential, webhooks.port);
	}

	/** The items of a node in all executions of a workflow, once there are so many (besides scheduled ones) and they are over. */
	async outputOf(workflow: StoredWorkflow, nodeName: string, executions: number): Promise<unknown[]> {
		const found = await until(`${executions} executions`, async () => {
			const all = await this.n8n.executions(workflow.id);
			return all.filter(({ mode }) => mode !== 'trigger').length === executions ? all : undefined;
		});
		const ended = await Promise.all(found.map(async ({ id }) => await this.n8n.waitForExecution(id)));
		expect(ended.map(({ failure }) => failure?.message)).toEqual(ended.map(() => undefined));
		return ended.reverse().flatMap((execution) => itemsOf(execution, nodeName).map(({ json }) => json));
	}

	async close(): Promise<void> {
		await this.n8n.close();
		await this.sandbox.close();
		await this.store.close();
	}
}
