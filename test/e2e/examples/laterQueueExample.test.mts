import { expect, test } from 'vitest';

import { completed, deliver, triggerUrl } from '../../../harness/callbacks.mts';
import { freePort } from '../../../harness/n8nProcess.mts';
import { queueStoreOfThisFile } from '../../support/n8n/queueStore.mts';
import { Stage } from '../../support/products/stage.mts';

const store = await queueStoreOfThisFile();
const port = await freePort();
const stage = await Stage.ofThisFile({
	port,
	environment: { ...store.environment, WEBHOOK_URL: `http://localhost:${port}/` },
});
const { n8n, sandbox, smtp } = stage;
const [webhooks] = await Promise.all([n8n.startBeside('webhook'), n8n.startBeside('worker')]);

test('answer-later.json: an answer that reaches two processes in the same moment is handled once', async () => {
	await stage.publish('answer-later.json');
	const rounds = 8;
	for (let asked = 1; asked <= rounds; asked++)
		await stage.submit({ 'Your Email': 'sales@example.com', Question: `Question ${asked}` });
	await stage.settled(rounds);
	const address = triggerUrl(n8n, stage.workflow);
	const { questions } = sandbox;
	expect(questions.map(({ callbackUrl }) => callbackUrl?.split('?')[0])).toEqual(
		Array(rounds).fill(address),
	);

	// The main process takes webhooks, too.
	const receivers = [n8n, { baseUrl: `http://localhost:${webhooks.port}` }];
	const deliveries = questions.flatMap(({ id, callbackUrl = '' }) =>
		receivers.map(
			async ({ baseUrl }) =>
				await deliver(
					callbackUrl.replace(n8n.baseUrl, baseUrl),
					sandbox.webhookSecret,
					completed({ id, answer: `To ${id}` }),
				),
		),
	);
	for (const { status } of await Promise.all(deliveries)) expect(status).toBe(200);
	const executions = await stage.settled(3 * rounds);
	expect(executions.filter(({ failure }) => failure !== undefined)).toEqual([]);
	expect(smtp.emails.map(({ text }) => text?.split(/\n+/)[1]).sort()).toEqual(
		questions.map(({ id }) => `To ${id}`).sort(),
	);
});
