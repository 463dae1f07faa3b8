import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

import { type N8n, startN8n } from '../../harness/n8n.mts';
import { freePort, type N8nProcess } from '../../harness/n8nProcess.mts';
import { credentialType } from '../../harness/examples.mts';
import { until } from '../../harness/polling.mts';
import type { JsonRecord } from '../../harness/unknownJson.mts';
import { chain, webhook } from '../../harness/workflows.mts';
import { mapConcurrently } from '../../nodes/LegalAi/api/mapConcurrently.ts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { answersWhenTold } from '../scenarios/stage.mts';
import { test } from '../support/n8n/fixtures.mts';
import { after, readAnswers, askAndWait } from '../support/n8n/parkedQuestions.mts';
import { toCredential } from '../support/n8n/service.mts';
import { wakeNow } from '../support/n8n/storedExecutions.mts';
import { fastTracker } from '../support/n8n/wakeSettings.mts';

const EXECUTIONS = Number(process.env.PARKED ?? 2_000);
/** The node opens at most so many sessions a minute for a key, so each organization asks as many as it may at once. */
const OF_ONE_KEY = 50;

const recommended = {
	...fastTracker,
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '30',
};
const PATIENCE_MS = 40_000;

/** An n8n in one process or several. */
interface Stage {
	n8n: N8n;
	/** The process that takes the calls. */
	receiver: N8nProcess;
	/** All executions. */
	executions: () => JsonRecord[] | Promise<JsonRecord[]>;
	/** Ends a process by SIGTERM, as a deployment does, and starts it again. */
	deploy: () => Promise<void>;
	/** Lets what waits check now, as if its time had come. */
	wakeAll: () => unknown;
}

test('one process: none of many answers is lost, also with a SIGTERM among them, once what n8n lists as crashed or failed is retried', async () => {
	const n8n = await startN8n({ environment: recommended });
	await tryOut({
		n8n,
		receiver: n8n.main,
		executions: () => executionsInFile(n8n),
		deploy: async () => {
			await n8n.main.stop('SIGTERM', PATIENCE_MS);
			await n8n.restart();
		},
		wakeAll: () => {
			wakeNow(n8n);
		},
	});
});

test('queue mode: none of many answers is lost, also with a SIGTERM to a worker among them, once what n8n lists as crashed or failed is retried', async ({
	store,
}) => {
	const port = await freePort();
	const WEBHOOK_URL = `http://localhost:${port}/`;
	const n8n = await startN8n({
		environment: { ...store.environment, ...recommended, WEBHOOK_URL },
	});
	const [receiver, first] = [
		await n8n.startBeside('webhook', {}, port),
		await n8n.startBeside('worker'),
		await n8n.startBeside('worker'),
	];
	await tryOut({
		n8n,
		receiver,
		executions: () => store.query(STATUSES),
		deploy: async () => {
			await first.stop('SIGTERM', PATIENCE_MS);
			await n8n.startBeside('worker');
		},
		wakeAll: () =>
			store.query(`UPDATE execution_entity SET "waitTill" = now() WHERE status = 'waiting'`),
	});
});

/** Parks the executions, and answers the questions with a SIGTERM at the half. */
async function tryOut({ n8n, receiver, executions, deploy, wakeAll }: Stage) {
	const sandboxes: Sandbox[] = [];
	const paths: string[] = [];
	for (let left = EXECUTIONS; left > 0; left -= OF_ONE_KEY) {
		const sandbox = await startSandbox({
			answer: answersWhenTold,
			requestsPerMinute: Infinity,
			newSessionsPerMinute: Infinity,
			seed: left,
		});
		sandboxes.push(sandbox);
		const credential = await n8n.createCredential(credentialType, `${left}`, toCredential(sandbox));
		const path = `parked-${left}`;
		const ask = askAndWait(credential, { question: 'May we sign?' });
		await n8n.publish(chain(path, [webhook(path), ask, after]));
		for (let index = 0; index < Math.min(left, OF_ONE_KEY); index += 1) paths.push(path);
	}
	const asked = () => sandboxes.flatMap(({ questions }) => questions).length;
	/** The executions with these statuses, once they are all. */
	const waitFor = async (...statuses: string[]) => {
		let count = 0;
		return await until(
			`all to be ${statuses.join(' or ')}`,
			async () => {
				const found = (await executions()).filter(({ status }) =>
					statuses.includes(String(status)),
				);
				count = found.length;
				return count === EXECUTIONS ? found : undefined;
			},
			{ timeout: 500_000, interval: 500 },
			() => `There are ${count}.`,
		);
	};

	const callUrl = `http://localhost:${receiver.port}/webhook`;
	await mapConcurrently(paths, 10, async (path) => {
		expect((await fetch(`${callUrl}/${path}`, { method: 'POST' })).status).toBe(200);
	});
	await waitFor('waiting');
	expect(asked()).toBe(EXECUTIONS);

	const open = sandboxes.flatMap((sandbox) => sandbox.questions.map(({ id }) => ({ sandbox, id })));
	const answer = (from: number, to: number) =>
		mapConcurrently(open.slice(from, to), 20, ({ sandbox, id }) => sandbox.complete(id));
	const half = EXECUTIONS / 2;
	await answer(0, half);
	// The deployment begins while callbacks arrive.
	await Promise.all([answer(half, EXECUTIONS), deploy()]);
	await wakeAll();
	const over = await waitFor('success', 'crashed', 'error');
	// A worker of n8n takes up executions while it shuts down. It can't store how they ended, or gives them up as processed too often.
	const interrupted = over.filter(({ status }) => status !== 'success').map(({ id }) => String(id));
	for (const id of interrupted) await n8n.retry({ id });
	await mapConcurrently(await waitFor('success'), 10, async ({ id }) => {
		expect(readAnswers(await n8n.execution(String(id)))).toEqual(['Answer to May we sign?']);
	});
	expect(asked()).toBe(EXECUTIONS);
	await Promise.all([n8n, ...sandboxes].map((each) => each.close()));
}

const STATUSES = 'SELECT id, status FROM execution_entity';

function executionsInFile({ userFolder }: N8n) {
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'), {
		readOnly: true,
		timeout: 5_000,
	});
	try {
		return database.prepare(STATUSES).all();
	} finally {
		database.close();
	}
}
