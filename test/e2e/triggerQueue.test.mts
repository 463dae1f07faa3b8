import { afterAll, beforeAll, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { completed, deliver, triggerUrl, triggerWorkflow } from '../support/n8n/callbacks.mts';
import { credentialType, readExample } from '../support/n8n/examples.mts';
import { itemsOf } from '../support/n8n/executions.mts';
import { submitForm } from '../support/n8n/form.mts';
import { type N8n, startN8n } from '../support/n8n/n8n.mts';
import type { StoredCredential, StoredWorkflow } from '../support/n8n/n8nClient.mts';
import { freePort } from '../support/n8n/n8nProcess.mts';
import { until } from '../support/polling.mts';
import { createQueueStore, type QueueStore } from './postgres.mts';

const secret = 'whsec-queue';

let store: QueueStore;
let n8n: N8n;
let sandbox: Sandbox;
let credential: StoredCredential;
/** The two processes that take webhooks: the main one, and one that does nothing else. */
let receivers: readonly { readonly baseUrl: string }[];

beforeAll(async () => {
	store = await createQueueStore();
	sandbox = await startSandbox({ webhookSecret: secret });
	const port = await freePort();
	n8n = await startN8n({ port, environment: { ...store.environment, WEBHOOK_URL: `http://localhost:${port}/` } });
	const [webhooks] = await Promise.all([n8n.startBeside('webhook'), n8n.startBeside('worker')]);
	receivers = [n8n, { baseUrl: `http://localhost:${webhooks.port}` }];
	const { apiKey, baseUrl } = sandbox;
	credential = await n8n.createCredential(credentialType, 'Queue', { baseUrl, apiKey, webhookSecret: secret });
}, 400_000);
afterAll(async () => {
	await n8n.close();
	await sandbox.close();
	await store.close();
});

/** The items of a node in all executions of a workflow, once there are so many (besides scheduled ones) and they are over. */
async function outputOf(workflow: StoredWorkflow, nodeName: string, executions: number): Promise<unknown[]> {
	const found = await until(`${executions} executions`, async () => {
		const all = await n8n.executions(workflow.id);
		return all.filter(({ mode }) => mode !== 'trigger').length === executions ? all : undefined;
	});
	const ended = await Promise.all(found.map(async ({ id }) => await n8n.waitForExecution(id)));
	expect(ended.map(({ failure }) => failure?.message)).toEqual(ended.map(() => undefined));
	return ended.reverse().flatMap((execution) => itemsOf(execution, nodeName).map(({ json }) => json));
}

test.each(['trigger-deduplicate.json', 'recovery.json'])(
	'%s: an answer that reaches two processes in the same moment is handled once',
	async (example) => {
		const rounds = 8;
		const workflow = await n8n.createWorkflow(await readExample(example, credential));
		await n8n.activate(workflow);
		await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Set Up Once' }));
		const before = sandbox.questions.length;
		for (let asked = 1; asked <= rounds; asked++) {
			const answers = { 'Your Email': 'sales@hawthorn.example', Question: `Question ${asked}` };
			expect(await submitForm(n8n.baseUrl, workflow, answers)).toMatchObject({ status: 200 });
		}
		expect(await outputOf(workflow, 'Add to Table', 1 + rounds)).toHaveLength(rounds);
		const questions = sandbox.questions.slice(before);
		expect(new Set(questions.map(({ callbackUrl }) => callbackUrl?.split('?')[0]))).toEqual(new Set([triggerUrl(n8n, workflow)]));

		await Promise.all(
			questions.flatMap(({ id }) =>
				receivers.map(async (receiver) => {
					const reply = await deliver(triggerUrl(receiver, workflow), secret, completed({ id, answer: `To ${id}` }));
					expect(reply.status).toBe(200);
				}),
			),
		);
		const replies = await outputOf(workflow, 'Write Answer', 1 + 3 * rounds);
		expect(replies.map((reply) => (reply as { text: string }).text.split('\n')[0]).sort()).toEqual(
			questions.map(({ id }) => `To ${id}`).sort(),
		);
		await n8n.deactivate(workflow);
	},
);

test('an answer that n8n could not store is news when it comes again', async () => {
	const workflow = await n8n.createWorkflow(triggerWorkflow(credential));
	await n8n.activate(workflow);
	const started: unknown[] = [];
	for (const receiver of receivers) {
		const payload = completed();
		await store.query('ALTER TABLE execution_entity RENAME TO out_of_reach');
		expect((await deliver(triggerUrl(receiver, workflow), secret, payload)).status).toBe(500);
		await store.query('ALTER TABLE out_of_reach RENAME TO execution_entity');
		const accepted = { status: 200, body: { message: 'Accepted.' } };
		expect(await deliver(triggerUrl(receiver, workflow), secret, payload)).toEqual(accepted);
		started.push(payload);
		expect(await outputOf(workflow, 'Next', started.length)).toEqual(started);
	}
	await n8n.deactivate(workflow);
});
