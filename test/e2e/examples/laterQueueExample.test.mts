import { afterAll, beforeAll, expect, test } from 'vitest';

import { completed, deliver, triggerUrl } from '../../support/n8n/callbacks.mts';
import { readExample } from '../../support/n8n/examples.mts';
import { submitForm } from '../../support/n8n/form.mts';
import { SmtpServer } from '../smtpServer.mts';
import { TriggerReceivers } from '../triggerReceivers.mts';

let queue: TriggerReceivers;
let smtp: SmtpServer;
beforeAll(async () => {
	[queue, smtp] = await Promise.all([TriggerReceivers.start(), SmtpServer.start()]);
}, 400_000);
afterAll(async () => {
	await Promise.all([queue.close(), smtp.close()]);
});

test('answer-later.json: an answer that reaches two processes in the same moment is handled once', async () => {
	const { n8n, sandbox, credential, receivers } = queue;
	const rounds = 8;
	const smtpCredential = await n8n.createCredential('smtp', 'Later', smtp.credential);
	const workflow = await n8n.publish(await readExample('answer-later.json', credential, smtpCredential));
	await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Set Up Once' }));
	for (let asked = 1; asked <= rounds; asked++) {
		const answers = { 'Your Email': 'sales@example.com', Question: `Question ${asked}` };
		expect(await submitForm(n8n.baseUrl, workflow, answers)).toMatchObject({ status: 200 });
	}
	expect(await queue.outputOf(workflow, 'Add to Table', 1 + rounds)).toHaveLength(rounds);
	const { questions } = sandbox;
	expect(new Set(questions.map(({ callbackUrl }) => callbackUrl?.split('?')[0]))).toEqual(new Set([triggerUrl(n8n, workflow)]));

	const deliveries = questions.flatMap(({ id }) =>
		receivers.map(
			async (receiver) =>
				await deliver(triggerUrl(receiver, workflow), sandbox.webhookSecret, completed({ id, answer: `To ${id}` })),
		),
	);
	for (const { status } of await Promise.all(deliveries)) expect(status).toBe(200);
	const replies = await queue.outputOf(workflow, 'Write Answer', 1 + 3 * rounds);
	expect(replies.map((reply) => (reply as { text: string }).text.split('\n')[0]).sort()).toEqual(
		questions.map(({ id }) => `To ${id}`).sort(),
	);
	await n8n.deactivate(workflow);
});
