import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { until } from '../../harness/polling.mts';
import { completeAll } from '../support/n8n/parkedQuestions.mts';
import { Stage } from '../support/products/stage.mts';

const stage = await Stage.ofThisFile();
const { received, mails } = stage.products.microsoft;

/** What has to be taken again is taken again after a minute here. */
const soon = { '{ hours: 2 }': '{ minutes: 1 }' };

/** Puts so many emails with a contract into the mailbox, each of another colleague. */
function receive(count: number): void {
	for (let index = 0; index < count; index += 1) {
		const id = randomUUID();
		received.push({
			id,
			messageId: `<${id}@example.com>`,
			from: `colleague-${id}@example.com`,
			subject: `Question ${index}`,
			body: '<p>May we sign?</p>',
			headers: {},
			attachments: [
				{ fileName: 'nda.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7') },
			],
			receivedAt: new Date(),
		});
	}
}

/** Runs the sweep and answers until all is replied to or drafted. */
async function goOn(schedule: string, count: number): Promise<void> {
	await until(
		`${count} replies`,
		async () => {
			await completeAll(stage.sandbox);
			await stage.sweep(schedule);
			return new Set(mails.map(({ subject }) => subject)).size === count ? true : undefined;
		},
		{ timeout: 400_000, interval: 3000 },
	);
	await completeAll(stage.sandbox);
}

describe.each([
	['outlook-mailbox.json', 'Every Minute'],
	['outlook-redline.json', 'Every 5 Minutes'],
])('%s', (example, schedule) => {
	test.each([20, 20, 20])(
		'n8n is killed as %i emails are taken: each gets its answer (%#)',
		async (count) => {
			stage.answer('completed', 'Two changes.', 'redline.docx');
			await stage.publish(example, soon);
			await stage.sweep(schedule);
			receive(count);
			void stage.sweep(schedule).catch(() => undefined);
			await sleep(randomInt(300, 3000));
			const before = [mails.length, stage.sandbox.questions.length];
			await stage.n8n.restart();
			await goOn(schedule, count);
			console.log(example, {
				askedBeforeKill: before[1],
				asked: stage.sandbox.questions.length,
				answered: new Set(mails.map(({ subject }) => subject)).size,
				twice: mails.length - count,
			});
		},
	);

	test('200 emails at once each get one answer', async () => {
		stage.answer('completed', 'Two changes.', 'redline.docx');
		await stage.publish(example);
		await stage.sweep(schedule);
		receive(200);
		await goOn(schedule, 200);
		expect([mails.length, stage.sandbox.questions.length]).toEqual([200, 200]);
	});
});
