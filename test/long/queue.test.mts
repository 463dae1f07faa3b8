import { setTimeout as sleep } from 'node:timers/promises';

import { type N8n, startN8n } from '../../harness/n8n.mts';
import { freePort } from '../../harness/n8nProcess.mts';
import { until } from '../../harness/polling.mts';
import { chain, webhook } from '../../harness/workflows.mts';
import { answersWhenTold } from '../scenarios/stage.mts';
import { test as base } from '../support/n8n/fixtures.mts';
import { after, readAnswers, askAndWait, completeAll } from '../support/n8n/parkedQuestions.mts';
import { fastTracker } from '../support/n8n/wakeSettings.mts';
import { killOnce, rounds } from './kills.mts';

interface Queue {
	/** An n8n of two processes: the main process, which takes the callbacks, and one worker. */
	n8n: N8n;
	/** Kills the worker and the main process in turn, and starts it again. */
	kill: () => Promise<void>;
}

const test = base.extend<Queue>({
	n8n: [
		async ({ store }, use) => {
			const port = await freePort();
			// The main process takes the callbacks, also of what a worker has asked.
			const WEBHOOK_URL = `http://localhost:${port}/`;
			const environment = { ...store.environment, ...fastTracker, WEBHOOK_URL };
			const n8n = await startN8n({
				port,
				environment: { N8N_DISABLE_UI: 'true', ...environment },
			});
			await use(n8n);
			await n8n.close();
		},
		{ scope: 'file' },
	],
	kill: [
		async ({ n8n }, use) => {
			let kills = 0;
			// It runs several executions at a time.
			let worker = await n8n.startBeside('worker');
			await use(async () => {
				kills += 1;
				if (kills % 2 === 0) {
					await n8n.restart();
					return;
				}
				await worker.stop('SIGKILL');
				worker = await n8n.startBeside('worker');
			});
		},
		{ scope: 'file', auto: true },
	],
});
test.override({
	serviceOptions: {
		answer: answersWhenTold,
		requestsPerMinute: Infinity,
		newSessionsPerMinute: Infinity,
	},
});

test.for(rounds())(
	'nothing is sent twice and no item is lost if the worker or the main process is killed at a random moment: $situation ($round)',
	async ({ situation, round }, { n8n, service, credential, store, kill }) => {
		const wakeAll = () =>
			store.query(`UPDATE execution_entity SET "waitTill" = now() WHERE status = 'waiting'`);
		await killOnce({ n8n, service, credential, kill, wakeAll }, situation, round);
	},
);

test('callbacks that come while n8n wakes many executions do not make a worker ask a question twice', async ({
	n8n,
	service,
	credential,
	store,
}) => {
	service.settings.answer = ({ text }) => ({
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
	service.callbackFaults.drop = true;
	await completeAll(service);
	service.callbackFaults.drop = false;
	/** Between these times, in ms from the planned check on, the callbacks arrive. */
	const [first, last] = [-200, 60];
	expect(Math.min(...times.map(([, due]) => due)) + first).toBeGreaterThan(Date.now());
	await Promise.all(
		times.map(async ([id, due], index) => {
			await sleep(due + first + ((last - first) * index) / (executions - 1) - Date.now());
			await service.resendCallback(service.asked(`One ${id}`).id);
		}),
	);
	const ids = times.map(([id]) => id);
	for (const id of ids) {
		const over = await n8n.waitForExecution(id, undefined, { timeout: 180_000, interval: 500 });
		expect(readAnswers(over)).toEqual([`Answer to Two ${id}`]);
	}
	const asked = service.questions.map(({ text }) => text);
	expect(asked.toSorted()).toEqual(ids.flatMap((id) => [`One ${id}`, `Two ${id}`]).toSorted());
});
