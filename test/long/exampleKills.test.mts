import { setTimeout as sleep } from 'node:timers/promises';

import { bundledContract } from '../../harness/examples.mts';
import { wakeNow } from '../support/n8n/storedExecutions.mts';
import { Random } from '../sandbox/random.mts';
import { describeOutcome } from '../support/examples/outcomes.mts';
import { test } from '../support/products/fixtures.mts';

/** The longest time between the start of the example and the kill, in ms: by then, the first replies have gone out. */
const LONGEST_MS = 8_000;
const EMAILS = ['Meridian', 'Nordlys', 'Ostrava'];

/** The same for the same seed. */
const moments = new Random(process.env.FAST_CHECK_SEED ?? '');

const contract = await bundledContract('mutual-nda.pdf');

test.beforeAll(async ({ startedStage }) => {
	await startedStage.publish('outlook-mailbox');
});

test.for(
	Array.from(
		{ length: Number(process.env.KILLS ?? 10) },
		(_, index): [number: number, ms: number] => [
			index + 1,
			Math.round(moments.between(0, LONGEST_MS)),
		],
	),
)(
	'kill %i, %i ms after it has begun: each email is answered, or an open task, or the owner is told of an execution that crashed',
	async ([, ms], { stage }) => {
		const { microsoft, written } = stage.products;
		const answer = 'Yes.\n```json\n{ "asks": true }\n```';
		stage.service.settings.answer = () => ({ status: 'completed', answer, after: 1_000 });
		microsoft.receive('on its way', EMAILS, contract);
		await stage.listenAnew(() => {
			microsoft.moveAll('inbox');
		});
		// What is read already is not found again.
		microsoft.moveAll('read');
		await sleep(ms);
		await stage.n8n.restart();
		// A callback that came while n8n was down is lost: the planned check finds the answer, minutes later.
		const executions = await stage.over(() => {
			wakeNow(stage.n8n);
		});

		const crashed = executions.filter(({ status }) => status === 'crashed');
		const isTold = () => stage.smtp.emails.some(({ subject }) => subject?.startsWith('Stopped'));
		if (crashed.length > 0) await expect.poll(isTold, { timeout: 60_000 }).toBe(true);
		const fates = EMAILS.map((name) => {
			if (written.some(({ to, isDraft }) => to === name && isDraft === false)) return 'answered';
			if (describeOutcome(stage, name).some((task) => task.startsWith('open'))) return 'open';
			return crashed.length > 0 ? 'crashed' : 'lost';
		});
		expect(fates).not.toContain('lost');
		expect(written.length).toBeLessThanOrEqual(EMAILS.length);
	},
);
