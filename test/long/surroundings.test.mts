import { join } from 'node:path';

import { readItems } from '../../harness/executions.mts';
import { type N8n, startN8n } from '../../harness/n8n.mts';
import { freePort } from '../../harness/n8nProcess.mts';
import { until } from '../../harness/polling.mts';
import { Program } from '../../harness/program.mts';
import { asRecord, asText } from '../../harness/unknownJson.mts';
import { n8nFolder } from '../../harness/versions.mts';
import { chain, questions, webhook } from '../../harness/workflows.mts';
import { answersWhenTold } from '../scenarios/stage.mts';
import { test as base } from '../support/n8n/fixtures.mts';
import {
	after,
	readAnswers,
	answersTo,
	askAndWait,
	completeAll,
	start,
} from '../support/n8n/parkedQuestions.mts';

/** In minutes: three seconds. */
const SOON = '0.05';
const authToken = 'token-of-the-runners';

/** An n8n that prunes after seconds, and whose Code nodes run in a task runner of its own. */
const test = base.extend<{ n8n: N8n }>({
	n8n: [
		async ({}, use) => {
			const brokerPort = await freePort();
			const n8n = await startN8n({
				environment: {
					N8N_DISABLE_UI: 'true',
					N8N_RUNNERS_MODE: 'external',
					N8N_RUNNERS_AUTH_TOKEN: authToken,
					N8N_RUNNERS_BROKER_PORT: String(brokerPort),
					EXECUTIONS_DATA_PRUNE_MAX_COUNT: '1',
					EXECUTIONS_DATA_PRUNE_SOFT_DELETE_INTERVAL: SOON,
					EXECUTIONS_DATA_PRUNE_HARD_DELETE_INTERVAL: SOON,
					EXECUTIONS_DATA_HARD_DELETE_BUFFER: '0',
				},
			});
			const runner = await startRunner(brokerPort);
			await use(n8n);
			await runner.stop('SIGTERM');
			await n8n.close();
		},
		{ scope: 'file' },
	],
});
test.override({ serviceOptions: { answer: answersWhenTold } });

async function startRunner(brokerPort: number) {
	const broker = `http://127.0.0.1:${brokerPort}`;
	const response = await fetch(`${broker}/runners/auth`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ token: authToken }),
	});
	const { data } = asRecord(await response.json(), 'The response of the broker');
	const grantToken = asText(asRecord(data, 'Its data').token, 'The token');
	const script = join(n8nFolder, 'node_modules/@n8n/task-runner/dist/start.js');
	return new Program('The task runner', [process.execPath, script], {
		env: { N8N_RUNNERS_TASK_BROKER_URI: broker, N8N_RUNNERS_GRANT_TOKEN: grantToken },
	});
}

test('with external task runners, an execution parks, and continues with the answers', async ({
	n8n,
	service,
	credential,
}) => {
	const count = { ...questions(1), name: 'Code behind' };
	const parked = await start(n8n, 'runner', [questions(3), askAndWait(credential), count, after]);
	expect(parked.status).toBe('waiting');
	await completeAll(service);
	const over = await n8n.waitForExecution(parked.id);
	expect([over.status, readItems(over, 'Ask').length]).toEqual(['success', 3]);
});

test('n8n prunes executions that are over, and none that is parked', async ({
	n8n,
	service,
	credential,
}) => {
	const parked = await start(n8n, 'parked', [questions(2), askAndWait(credential), after]);
	const others = await n8n.publish(chain('others', [webhook('others'), after]));
	await n8n.callWebhook('others');
	const first = await n8n.waitForNextExecution(others.id, []);
	for (let count = 0; count < 5; count += 1) await n8n.callWebhook('others');
	await until('n8n to prune the first', async () => {
		const left = await n8n.executions(others.id);
		return left.every(({ id }) => id !== first.id) || undefined;
	});
	await completeAll(service);
	expect(readAnswers(await n8n.waitForExecution(parked.id))).toEqual(answersTo(2));
});
