import { afterAll, beforeAll, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { completed, deliver, triggerUrl } from '../../../harness/callbacks.mts';
import { credentialType, readExample } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { formLogin, submitForm } from '../../../harness/form.mts';
import { startN8n, type N8n } from '../../../harness/n8n.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { freePort } from '../../../harness/n8nProcess.mts';
import { until } from '../../../harness/polling.mts';
import { createQueueStore, type QueueStore } from '../postgres.mts';
import { SmtpServer } from '../smtpServer.mts';

let store: QueueStore;
let n8n: N8n;
/** The two processes that take webhooks: the main one, and one that does nothing else. */
let receivers: readonly { readonly baseUrl: string }[];
let sandbox: Sandbox;
let smtp: SmtpServer;
beforeAll(async () => {
	[store, sandbox, smtp] = await Promise.all([createQueueStore(), startSandbox(), SmtpServer.start()]);
	const port = await freePort();
	n8n = await startN8n({ port, environment: { ...store.environment, WEBHOOK_URL: `http://localhost:${port}/` } });
	const [webhooks] = await Promise.all([n8n.startBeside('webhook'), n8n.startBeside('worker')]);
	receivers = [n8n, { baseUrl: `http://localhost:${webhooks.port}` }];
}, 400_000);
afterAll(async () => {
	await n8n.close();
	await Promise.all([sandbox.close(), store.close(), smtp.close()]);
});

/** What came out of a node in so many executions of a workflow (besides scheduled ones), once they are over. */
async function outputOf({ id: workflowId }: StoredWorkflow, nodeName: string, count: number): Promise<unknown[]> {
	const executions = await until(`${count} executions`, async () => {
		const found = (await n8n.executions(workflowId)).filter(({ mode }) => mode !== 'trigger');
		return found.length === count ? found : undefined;
	});
	const ended = await Promise.all(executions.map(async ({ id }) => await n8n.waitForExecution(id)));
	expect(ended.map(({ failure }) => failure?.message)).toEqual(ended.map(() => undefined));
	return ended.flatMap((execution) => itemsOf(execution, nodeName).map(({ json }) => json));
}

test('answer-later.json: an answer that reaches two processes in the same moment is handled once', async () => {
	const { apiKey, baseUrl, webhookSecret } = sandbox;
	const credential = await n8n.createCredential(credentialType, 'Queue', { baseUrl, apiKey, webhookSecret });
	const loginCredential = await n8n.createCredential('httpBasicAuth', 'Login', formLogin);
	const smtpCredential = await n8n.createCredential('smtp', 'Later', smtp.credential);
	const workflow = await n8n.publish(await readExample('answer-later.json', credential, smtpCredential, loginCredential));
	const rounds = 8;
	for (let asked = 1; asked <= rounds; asked++) {
		const answers = { 'Your Email': 'sales@example.com', Question: `Question ${asked}` };
		expect(await submitForm(n8n.baseUrl, workflow, answers)).toMatchObject({ status: 200 });
	}
	expect(await outputOf(workflow, 'Add to Table', rounds)).toHaveLength(rounds);
	const { questions } = sandbox;
	expect(new Set(questions.map(({ callbackUrl }) => callbackUrl?.split('?')[0]))).toEqual(new Set([triggerUrl(n8n, workflow)]));

	const deliveries = questions.flatMap(({ id }) =>
		receivers.map(async (receiver) => await deliver(triggerUrl(receiver, workflow), webhookSecret, completed({ id, answer: `To ${id}` }))),
	);
	for (const { status } of await Promise.all(deliveries)) expect(status).toBe(200);
	const replies = await outputOf(workflow, 'Write Answer', 3 * rounds);
	expect(replies.map((reply) => (reply as { text: string }).text.split('\n')[0]).sort()).toEqual(
		questions.map(({ id }) => `To ${id}`).sort(),
	);
});
