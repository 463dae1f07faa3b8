import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { N8nClient } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { chain, node, webhook } from '../../../harness/workflows.mts';
import { answersWhenTold } from '../../scenarios/stage.mts';
import { agentWorkflow, counsel, saidIn, wants } from '../../support/n8n/agents.mts';
import { testWithOwnN8n as test } from '../../support/n8n/fixtures.mts';
import { begin, startedWith } from '../../support/n8n/parkedQuestions.mts';
import { wakeNow } from '../../support/n8n/storedExecutions.mts';
import { taskTriggerWorkflow } from '../../support/n8n/taskTriggers.mts';
import { fastTracker } from '../../support/n8n/wakeSettings.mts';

test.override({ n8nSettings: fastTracker, serviceOptions: { answer: answersWhenTold } });

/** An execution of three nodes, the last of which runs. */
async function runningWorkflow(n8n: N8nClient) {
	const path = 'running';
	const hanging = { resume: 'timeInterval', amount: 60, unit: 'seconds' };
	const { id } = await n8n.publish(
		chain('Recovered', [
			webhook(path),
			node('Done', 'n8n-nodes-base.noOp', {}),
			node('Running', 'n8n-nodes-base.wait', hanging, { typeVersion: 1.1, webhookId: path }),
		]),
	);
	await n8n.callWebhook(path);
	// n8n's recovery goes by this log, which it writes a little later.
	const log = join(n8n.userFolder, '.n8n', 'n8nEventLog.log');
	await until(
		'n8n to log that the last node runs',
		() => /n8n\.node\.started.*"Running"/.exec(readFileSync(log, 'utf8')) ?? undefined,
	);
	return id;
}

test('n8n is killed: the answer to the parked tool call of an agent reaches the model, a running execution has crashed, with a run for each node that has started, and a task trigger starts with what came meanwhile, once', async ({
	n8n,
	model,
	service,
	credential,
}) => {
	const question = 'May we sign the NDA?';
	wants(model, [question]);
	const agent = await agentWorkflow(n8n, model, webhook('agent'), counsel(credential));
	const { id } = await begin(n8n, 'agent', agent);
	const workflowId = await runningWorkflow(n8n);
	const onTask = await n8n.publish(taskTriggerWorkflow(credential));
	service.tasks.create({ title: 'Before' });
	await startedWith(n8n, onTask, 1);
	await n8n.main.stop('SIGKILL');
	service.tasks.create({ title: 'Meanwhile' });
	await n8n.restart();

	// n8n's recovery takes an agent that waits for its tool for one that crashed, and from then on turns callbacks away.
	await service.complete(service.questions[0]?.id ?? '');
	wakeNow(n8n, id);
	expect(saidIn(await n8n.waitForExecution(id, ['success', 'error']))).toContain(
		`Answer to ${question}`,
	);
	expect(service.questions).toHaveLength(1);

	// Not what the nodes need, but what test/support/engine/recovery.mts imitates.
	const crashed = await until('the execution to be recovered', async () =>
		(await n8n.executions(workflowId)).find(({ status }) => status === 'crashed'),
	);
	const { runs } = await n8n.execution(crashed.id);
	expect(Object.keys(runs)).toEqual(['Webhook', 'Done', 'Running']);
	expect(runs.Done?.map(({ status, outputs }) => [status, outputs[0]?.[0]?.json])).toEqual([
		['success', { isArtificialRecoveredEventItem: true }],
	]);
	expect(runs.Running?.map(({ status }) => status)).toEqual(['crashed']);

	expect(await startedWith(n8n, onTask, 2)).toMatchObject([
		{ title: 'Before' },
		{ title: 'Meanwhile' },
	]);
	service.tasks.create({ title: 'After' });
	expect(await startedWith(n8n, onTask, 3)).toMatchObject([
		{ title: 'Before' },
		{ title: 'Meanwhile' },
		{ title: 'After' },
	]);
});
