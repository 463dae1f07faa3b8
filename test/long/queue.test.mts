import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../harness/n8nProcess.mts';
import { until } from '../../harness/polling.mts';
import { chain, webhook } from '../../harness/workflows.mts';
import { answersWhenTold } from '../scenarios/stage.mts';
import { after, answersOf, askAndWait, completeAll } from '../support/n8n/parkedQuestions.mts';
import { queueStoreOfThisFile } from '../support/n8n/queueStore.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../support/n8n/service.mts';
import { fastTracker } from '../support/n8n/wakeSettings.mts';
import { killOnce, rounds } from './kills.mts';

const store = await queueStoreOfThisFile();
/** Of the main process, which takes the callbacks, also of what a worker has asked. */
const port = await freePort();
const n8n = await n8nOfThisFile(
	{ ...store.environment, ...fastTracker, WEBHOOK_URL: `http://localhost:${port}/` },
	port,
);
/** It runs several executions at a time. */
let worker = await n8n.startBeside('worker');
const service = await serviceOfThisFile(
	{ answer: answersWhenTold, requestsPerMinute: Infinity, newSessionsPerMinute: Infinity },
	n8n,
);

let kills = 0;

/** The main process and the worker in turn. */
async function kill() {
	kills += 1;
	if (kills % 2 === 0) {
		await n8n.restart();
		return;
	}
	await worker.stop('SIGKILL');
	worker = await n8n.startBeside('worker');
}

const stage = {
	...service,
	n8n,
	kill,
	wakeAll: () =>
		store.query(`UPDATE execution_entity SET "waitTill" = now() WHERE status = 'waiting'`),
};

test.each(rounds())(
	'nothing is sent twice and no item is lost if the worker or the main process is killed at a random moment: $situation ($round)',
	async ({ situation, round }) => {
		await killOnce(stage, situation, round);
	},
);

test('callbacks that come while n8n wakes many executions do not make a worker ask a question twice', async () => {
	const { sandbox, credential } = service;
	sandbox.settings.answer = ({ text }) => ({
		status: 'completed',
		answer: `Answer to ${text}`,
		after: text.startsWith('Two') ? 15_000 : Infinity,
	});
	const executions = 25;
	const ask = (name: string, options = {}) =>
		askAndWait(credential, { question: `=${name} {{ $execution.id }}`, options }, { name });
	// The node checks at the end of Max Wait, at the latest.
	const [one, two] = [ask('One', { maxWait: 0.6 }), ask('Two')];
	const workflow = await n8n.publish(chain('wakes', [webhook('wakes'), one, two, after]));
	await Promise.all(Array.from({ length: executions }, () => n8n.callWebhook('wakes')));
	const times = await until(
		'all executions to be parked',
		async () => {
			const rows = await store.query(
				`SELECT id, extract(epoch FROM "waitTill") * 1000 AS due FROM execution_entity WHERE status = 'waiting' AND "workflowId" = '${workflow.id}'`,
			);
			const parked = rows.map(({ id, due }) => [String(id), Number(due)] as const);
			return parked.length === executions ? parked : undefined;
		},
		{ timeout: 60_000 },
	);
	sandbox.callbackFaults.drop = true;
	await completeAll(sandbox);
	sandbox.callbackFaults.drop = false;
	/** Between these times, in ms from the planned check on, the callbacks arrive. */
	const [first, last] = [-200, 60];
	expect(Math.min(...times.map(([, due]) => due)) + first).toBeGreaterThan(Date.now());
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
});
