import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { until } from '../../../harness/polling.mts';
import { chain, node, webhook } from '../../../harness/workflows.mts';
import {
	agentWorkflow,
	counsel,
	counselOfThisFile,
	saidIn,
	wants,
} from '../../support/n8n/agents.mts';
import { begin, startedWith } from '../../support/n8n/parkedQuestions.mts';
import { n8nOfThisFile } from '../../support/n8n/service.mts';
import { wakeNow } from '../../support/n8n/storedExecutions.mts';
import { taskTriggerWorkflow } from '../../support/n8n/taskTriggers.mts';
import { fastTracker } from '../../support/n8n/wakeSettings.mts';

const n8n = await n8nOfThisFile(fastTracker);
const { sandbox, credential, model } = await counselOfThisFile(
	{ answer: ({ text }) => ({ status: 'completed', answer: `Answer to ${text}`, after: Infinity }) },
	n8n,
);

/** An execution of three nodes, the last of which runs. */
async function runningWorkflow() {
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

test('n8n is killed: the answer to the parked tool call of an agent reaches the model, a running execution has crashed, with a run for each node that has started, and a task trigger starts with what came meanwhile, once', async () => {
	const question = 'May we sign the NDA?';
	wants(model, [question]);
	const agent = await agentWorkflow(n8n, model, webhook('agent'), counsel(credential));
	const { id } = await begin(n8n, 'agent', agent);
	const workflowId = await runningWorkflow();
	const onTask = await n8n.publish(taskTriggerWorkflow(credential));
	sandbox.tasks.create({ title: 'Before' });
	await startedWith(n8n, onTask, 1);
	await n8n.main.stop('SIGKILL');
	sandbox.tasks.create({ title: 'Meanwhile' });
	await n8n.restart();

	// n8n's recovery takes an agent that waits for its tool for one that crashed, and from then on turns callbacks away.
	await sandbox.complete(sandbox.questions[0]?.id ?? '');
	wakeNow(n8n, id);
	expect(saidIn(await n8n.waitForExecution(id, ['success', 'error']))).toContain(
		`Answer to ${question}`,
	);
	expect(sandbox.questions).toHaveLength(1);

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
	sandbox.tasks.create({ title: 'After' });
	expect(await startedWith(n8n, onTask, 3)).toMatchObject([
		{ title: 'Before' },
		{ title: 'Meanwhile' },
		{ title: 'After' },
	]);
});
