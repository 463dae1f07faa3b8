import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { freePort } from '../../../harness/n8nProcess.mts';
import { until } from '../../../harness/polling.mts';
import { chain, webhook } from '../../../harness/workflows.mts';
import { after, answersOf, askAndWait, completeAll } from '../../support/n8n/parkedQuestions.mts';
import { queueStoreOfThisFile } from '../../support/n8n/queueStore.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../../support/n8n/service.mts';

const executions = 25;

/** The node checks at the end of Max Wait, at the latest. By then, n8n has looked once a minute for what it has to wake. */
const maxWait = 1.2;

/** Between these times, in ms from the planned check on, the callbacks arrive. */
const [first, last] = [-200, 60];

const store = await queueStoreOfThisFile();
const port = await freePort();
const n8n = await n8nOfThisFile(
	{ ...store.environment, WEBHOOK_URL: `http://localhost:${port}/` },
	port,
);
await n8n.startBeside('worker');
const { sandbox, credential } = await serviceOfThisFile(
	{
		answer: ({ text }) => ({
			status: 'completed',
			answer: `Answer to ${text}`,
			after: text.startsWith('Two') ? 15_000 : Infinity,
		}),
		newSessionsPerMinute: Infinity,
		requestsPerMinute: Infinity,
	},
	n8n,
);

/** When each paused execution is due to check, in ms since the epoch. */
async function dueTimes(): Promise<(readonly [id: string, due: number])[]> {
	const rows = await store.query(
		`SELECT id, extract(epoch FROM "waitTill") * 1000 AS due FROM execution_entity WHERE status = 'waiting'`,
	);
	return rows.map(({ id, due }) => [String(id), Number(due)] as const);
}

test('callbacks that come while n8n wakes many executions do not make a worker ask a question twice', async () => {
	const ask = (name: string, options = {}) =>
		askAndWait(credential, { question: `=${name} {{ $execution.id }}`, options }, { name });
	await n8n.publish(chain('wakes', [webhook('wakes'), ask('One', { maxWait }), ask('Two'), after]));
	await Promise.all(Array.from({ length: executions }, async () => await n8n.callWebhook('wakes')));
	const times = await until(
		'all executions to be paused',
		async () => {
			const paused = await dueTimes();
			return paused.length === executions ? paused : undefined;
		},
		{ timeout: 60_000 },
	);
	expect(Math.min(...times.map(([, due]) => due)) + first).toBeGreaterThan(Date.now());

	sandbox.callbackFaults.drop = true;
	await completeAll(sandbox);
	sandbox.callbackFaults.drop = false;
	await Promise.all(
		times.map(async ([id, due], index) => {
			await sleep(due + first + ((last - first) * index) / (executions - 1) - Date.now());
			await sandbox.resendCallback(sandbox.asked(`One ${id}`).id);
		}),
	);
	const ids = times.map(([id]) => id);
	for (const id of ids) {
		const over = await n8n.waitForExecution(id, undefined, { timeout: 180_000, interval: 500 });
		expect(answersOf(over)).toEqual([`Answer to Two ${id}`]);
	}
	const asked = sandbox.questions.map(({ text }) => text);
	expect(asked.toSorted()).toEqual(ids.flatMap((id) => [`One ${id}`, `Two ${id}`]).toSorted());
}, 360_000);
