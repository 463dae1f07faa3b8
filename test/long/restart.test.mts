import { setTimeout as sleep } from 'node:timers/promises';

import { finalStatuses } from '../../harness/executions.mts';
import { until } from '../../harness/polling.mts';
import { chain, questions, webhook } from '../../harness/workflows.mts';
import { Random } from '../sandbox/random.mts';
import { testWithOwnN8n as test } from '../support/n8n/fixtures.mts';
import { after, readAnswers, askAndWait } from '../support/n8n/parkedQuestions.mts';
import { wakeNow } from '../support/n8n/storedExecutions.mts';
import { simpleRecovery, fastTracker } from '../support/n8n/wakeSettings.mts';

test.override({
	n8nSettings: { ...fastTracker, ...simpleRecovery, N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '30' },
	serviceOptions: { answer: ({ text }) => ({ status: 'completed', answer: text, after: 4_000 }) },
});

test('a restart in the middle of a batch of 70 crashes nothing, and the execution goes on by itself', async ({
	n8n,
	service,
	credential,
}) => {
	const asks = askAndWait(credential, {}, { onError: 'continueRegularOutput' });
	const workflow = await n8n.publish(
		chain('batch', [webhook('batch'), questions(70), asks, after]),
	);
	await n8n.callWebhook('batch');
	await service.waitForQuestion(() => true, 30_000);
	// The same moment for the same seed.
	await sleep(new Random(process.env.FAST_CHECK_SEED ?? '').between(0, 5_000));
	await n8n.main.stop('SIGTERM', 40_000);
	await n8n.restart();
	const [{ id = '' } = {}] = await n8n.executions(workflow.id);
	const over = await until(
		'the execution to be over',
		async () => {
			wakeNow(n8n);
			const execution = await n8n.execution(id);
			return finalStatuses.includes(execution.status) ? execution : undefined;
		},
		{ timeout: 240_000, interval: 500 },
	);
	expect([over.status, readAnswers(over)]).toEqual([
		'success',
		Array.from({ length: 70 }, (_, index) => `Question ${index}`),
	]);
	expect(service.questions).toHaveLength(70);
});
