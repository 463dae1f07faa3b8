import { afterAll, beforeAll, expect, test } from 'vitest';

import { completed, deliver, triggerUrl } from '../../support/n8n/callbacks.mts';
import { readExample } from '../../support/n8n/examples.mts';
import { submitForm } from '../../support/n8n/form.mts';
import { TriggerReceivers } from '../triggerReceivers.mts';

let queue: TriggerReceivers;
beforeAll(async () => {
	queue = await TriggerReceivers.start();
}, 400_000);
afterAll(async () => {
	await queue.close();
});

test.each(['trigger-deduplicate.json', 'recovery.json'])(
	'%s: an answer that reaches two processes in the same moment is handled once',
	async (example) => {
		const { n8n, sandbox, credential, receivers } = queue;
		const rounds = 8;
		const workflow = await n8n.publish(await readExample(example, credential));
		await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Set Up Once' }));
		const before = sandbox.questions.length;
		for (let asked = 1; asked <= rounds; asked++) {
			const answers = { 'Your Email': 'sales@hawthorn.example', Question: `Question ${asked}` };
			expect(await submitForm(n8n.baseUrl, workflow, answers)).toMatchObject({ status: 200 });
		}
		expect(await queue.outputOf(workflow, 'Add to Table', 1 + rounds)).toHaveLength(rounds);
		const questions = sandbox.questions.slice(before);
		expect(new Set(questions.map(({ callbackUrl }) => callbackUrl?.split('?')[0]))).toEqual(new Set([triggerUrl(n8n, workflow)]));

		await Promise.all(
			questions.flatMap(({ id }) =>
				receivers.map(async (receiver) => {
					const reply = await deliver(triggerUrl(receiver, workflow), sandbox.webhookSecret, completed({ id, answer: `To ${id}` }));
					expect(reply.status).toBe(200);
				}),
			),
		);
		const replies = await queue.outputOf(workflow, 'Write Answer', 1 + 3 * rounds);
		expect(replies.map((reply) => (reply as { text: string }).text.split('\n')[0]).sort()).toEqual(
			questions.map(({ id }) => `To ${id}`).sort(),
		);
		await n8n.deactivate(workflow);
	},
);
