import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, test } from 'vitest';

import { createQueueStore, type QueueStore } from '../test/e2e/postgres.mts';
import { listenLocally } from '../test/support/localServer.mts';
import { completed, deliver, legalAiTrigger, type Payload, triggerUrl } from '../test/support/n8n/callbacks.mts';
import { credentialType } from '../test/support/n8n/examples.mts';
import { type N8n, startN8n } from '../test/support/n8n/n8n.mts';
import type { StoredWorkflow } from '../test/support/n8n/n8nClient.mts';
import { freePort, type N8nProcess } from '../test/support/n8n/n8nProcess.mts';
import { chain, node } from '../test/support/n8n/workflows.mts';
import { OURS, resultsOf } from './support/results.mts';
import { isQuick } from './support/rounds.mts';
import { allEnded } from './support/stage.mts';

const QUESTIONS = isQuick ? 20 : 1_000;
const DELIVERIES = 5;
/** Questions whose deliveries are under way at the same time. */
const AT_ONCE = 5;
const SECRET = 'whsec_deliveries';

const results = resultsOf('deliveries', 'Callbacks delivered several times');

let store: QueueStore;
let n8n: N8n;
let receivers: readonly N8nProcess[] = [];
let workers: readonly N8nProcess[] = [];
/** What the workflow does with an answer: it posts it here. */
let counter: Server;
let counterPort = 0;
const handled = new Map<string, number>();

beforeAll(async () => {
	counter = createServer((incoming, response) => {
		void text(incoming).then((id) => {
			handled.set(id, (handled.get(id) ?? 0) + 1);
			response.end();
		});
	});
	counterPort = await listenLocally(counter);
	store = await createQueueStore();
	n8n = await startN8n({ environment: { ...store.environment, WEBHOOK_URL: `http://localhost:${await freePort()}/` } });
	await startProcesses();
}, 400_000);
afterAll(async () => {
	await n8n.close();
	await store.close();
	counter.close();
});

async function startProcesses(): Promise<void> {
	receivers = await Promise.all([n8n.startBeside('webhook'), n8n.startBeside('webhook')]);
	workers = await Promise.all([n8n.startBeside('worker'), n8n.startBeside('worker')]);
}

async function restart(): Promise<void> {
	await Promise.all([...receivers, ...workers].map(async (running) => { await running.stop('SIGTERM'); }));
	await n8n.kill('SIGTERM');
	await n8n.restart();
	await startProcesses();
}

async function publish(): Promise<StoredWorkflow> {
	const data = { baseUrl: 'http://127.0.0.1:9/api/v1', apiKey: 'sk-svc-api1-deliveries', webhookSecret: SECRET };
	const trigger = legalAiTrigger('Trigger', await n8n.createCredential(credentialType, 'Deliveries', data));
	const body = { contentType: 'raw', rawContentType: 'text/plain', body: '={{ $json.id }}' };
	const count = node('Count', 'n8n-nodes-base.httpRequest', {
		...{ method: 'POST', url: `http://127.0.0.1:${counterPort}/`, sendBody: true, options: {} },
		...body,
	}, { typeVersion: 4.2 });
	return await n8n.publish(chain('Deliveries', [trigger, count]));
}

/** Delivers each callback so many times at the same moment, in turns to the two processes that take webhooks. */
async function deliverAll(workflow: StoredWorkflow, payloads: readonly Payload[], times: number): Promise<void> {
	const urls = receivers.map(({ port }) => triggerUrl({ baseUrl: `http://localhost:${port}` }, workflow));
	const left = payloads.values();
	await Promise.all(Array.from({ length: AT_ONCE }, async () => {
		for (const payload of left) {
			const replies = await Promise.all(Array.from({ length: times }, async (_, index) =>
				await deliver(urls[index % urls.length] ?? '', SECRET, payload),
			));
			const failed = replies.find(({ status }) => status !== 200);
			if (failed !== undefined) throw new Error(`A delivery got ${failed.status}: ${JSON.stringify(failed.body)}`);
		}
	}));
	await allEnded(n8n);
}

function countWhere(payloads: readonly Payload[], matches: (times: number) => boolean): number {
	return payloads.filter(({ id }) => matches(handled.get(id) ?? 0)).length;
}

test('two webhook processes, two workers', async () => {
	const workflow = await publish();
	const simultaneous = Array.from({ length: QUESTIONS / 2 }, () => completed());
	const again = Array.from({ length: QUESTIONS / 2 }, () => completed());

	await deliverAll(workflow, simultaneous, DELIVERIES);
	await deliverAll(workflow, again, 1);
	await restart();
	await deliverAll(workflow, again, DELIVERIES - 1);

	const note = `Two webhook processes and two workers; ${AT_ONCE} questions at a time.`;
	const figure = (what: string, count: number, targets: { atMost: number }[]): void => {
		results.figure({ what, unit: 'questions', contenders: { [OURS]: [count] }, targets, note });
	};
	const moment = `${simultaneous.length} callbacks, each delivered ${DELIVERIES} times at the same moment`;
	figure(`${moment}: handled more than once`, countWhere(simultaneous, (times) => times > 1), []);
	const restarted = `${again.length} callbacks, each delivered ${DELIVERIES - 1} times more after a restart`;
	figure(`${restarted}: handled more than once`, countWhere(again, (times) => times > 1), []);
	figure('of all of these: never handled', countWhere([...simultaneous, ...again], (times) => times === 0), [{ atMost: 0 }]);
});
