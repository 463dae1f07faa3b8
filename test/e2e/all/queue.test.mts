import { deliver } from '../../../harness/callbacks.mts';
import type { Execution } from '../../../harness/executions.mts';
import type { N8n } from '../../../harness/n8n.mts';
import { freePort, type N8nProcess } from '../../../harness/n8nProcess.mts';
import { questions } from '../../../harness/workflows.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { answersWhenTold } from '../../scenarios/stage.mts';
import { type Stage, testWithOwnN8n } from '../../support/n8n/fixtures.mts';
import {
	after,
	readAnswers,
	answersTo,
	askAndWait,
	start,
	startedWith,
} from '../../support/n8n/parkedQuestions.mts';
import type { QueueStore } from '../../support/n8n/queueStore.mts';
import { taskTriggerWorkflow } from '../../support/n8n/taskTriggers.mts';
import { fastTracker } from '../../support/n8n/wakeSettings.mts';

/** n8n's durable scheduler, with its cursors. */
const durableScheduler = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TIMEOUT: '400',
	N8N_SCHEDULER_LEASE_DURATION: '600',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

interface Queue {
	/** The port of the process that takes the callbacks: the address that n8n is known by is its own. */
	receiverPort: number;
	/** The process that takes the callbacks. */
	receiver: N8nProcess;
	/** Two, and those that a test starts; each does one thing at a time. */
	workers: N8nProcess[];
}

const test = testWithOwnN8n.extend<Queue>({
	receiverPort: [
		async ({}, use) => {
			await use(await freePort());
		},
		{ scope: 'file' },
	],
	receiver: [
		async ({ n8n, receiverPort }, use) => {
			await use(await startReceiver(n8n, receiverPort));
		},
		{ scope: 'file', auto: true },
	],
	workers: [
		async ({ n8n }, use) => {
			await use(await Promise.all([startWorker(n8n), startWorker(n8n)]));
		},
		{ scope: 'file', auto: true },
	],
});
test.override({
	n8nSettings: async ({ store, receiverPort }, use) => {
		const N8N_WEBHOOK_URL = `http://localhost:${receiverPort}/`;
		await use({ ...store.environment, ...fastTracker, ...durableScheduler, N8N_WEBHOOK_URL });
	},
	serviceOptions: {
		answer: answersWhenTold,
		newSessionsPerMinute: Infinity,
		requestsPerMinute: Infinity,
	},
});

async function startReceiver(n8n: N8n, port: number) {
	return await n8n.startBeside('webhook', {}, port);
}

async function startWorker(n8n: N8n) {
	return await n8n.startBeside('worker', { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' });
}

/** Asks so many questions, and waits until the execution is parked. */
async function park(
	{ n8n, credential }: Pick<Stage, 'n8n' | 'credential'>,
	path: string,
	count: number,
) {
	const execution = await start(n8n, path, [questions(count), askAndWait(credential), after]);
	expect(execution.status).toBe('waiting');
	return execution;
}

/** Answers all questions, the later ones first. */
async function answer(service: Sandbox, from = 0, to = Infinity) {
	const ids = service.questions.map(({ id }) => id).reverse();
	for (const id of ids.slice(from, to)) await service.complete(id);
}

/** Has n8n wake a parked execution at its next look. */
async function wakeNow(store: QueueStore, { id }: Execution) {
	await store.query(
		`UPDATE execution_entity SET "waitTill" = now() WHERE id = ${id} AND status = 'waiting'`,
	);
}

/** How often a worker has begun to work on an execution. */
function runsOn({ log }: N8nProcess, { id }: Execution) {
	return log.match(new RegExp(`Worker started execution ${id} `, 'g'))?.length ?? 0;
}

/** How often any worker has. */
function countRuns(workers: readonly N8nProcess[], execution: Execution) {
	return workers.reduce((sum, worker) => sum + runsOn(worker, execution), 0);
}

test('a worker parks an execution with ten questions, the webhook process takes the answers, and a worker continues', async ({
	n8n,
	service,
	credential,
	receiverPort,
	workers,
}) => {
	const execution = await park({ n8n, credential }, 'ten', 10);
	expect(countRuns(workers, execution)).toBe(1);

	await answer(service);
	const over = await n8n.waitForExecution(execution.id);
	expect(over.status).toBe('success');
	expect(readAnswers(over)).toEqual(answersTo(10));
	expect(countRuns(workers, over)).toBe(2);
	expect(service.callbacks).toHaveLength(10);
	for (const { url, status } of service.callbacks) {
		expect(url).toContain(`http://localhost:${receiverPort}/webhook-waiting/`);
		expect(status).toBe(200);
	}
});

test('no answer is lost if the webhook process is replaced between answers and the worker dies after it parked the execution', async ({
	n8n,
	service,
	credential,
	store,
	receiver,
	receiverPort,
	workers,
}) => {
	const execution = await park({ n8n, credential }, 'replaced', 4);
	await answer(service, 0, 2);
	await workers.find((worker) => runsOn(worker, execution) > 0)?.stop('SIGKILL');
	await receiver.stop('SIGKILL');
	await startReceiver(n8n, receiverPort);
	await answer(service, 2);
	// Neither process knows all answers: the execution finds them when it wakes.
	expect(await n8n.execution(execution.id)).toMatchObject({ status: 'waiting' });
	await wakeNow(store, execution);
	const over = await n8n.waitForExecution(execution.id);
	expect([readAnswers(over), countRuns(workers, over)]).toEqual([answersTo(4), 2]);
	expect(service.questions).toHaveLength(4);
});

test('with two webhook processes, either continues an execution by the callback of its only question, and what both have heard of several is found by the next check', async ({
	n8n,
	service,
	credential,
	store,
	receiverPort,
}) => {
	const otherPort = await freePort();
	const other = await n8n.startBeside('webhook', {}, otherPort);
	service.callbackFaults.drop = true;
	const callOther = async (url: string) => {
		const address = url.replace(`:${receiverPort}/`, `:${otherPort}/`);
		const [status] = await deliver(service, address, {});
		expect(status).toBe(200);
	};

	const single = await park({ n8n, credential }, 'single', 1);
	await answer(service);
	await callOther(service.questions[0]?.callbackUrl ?? '');
	const answered = await n8n.waitForExecution(single.id);
	expect(readAnswers(answered)).toEqual(answersTo(1));

	await service.reset();
	service.callbackFaults.drop = true;
	const several = await park({ n8n, credential }, 'several', 2);
	await answer(service);
	const [first, second] = service.questions;
	await callOther(first?.callbackUrl ?? '');
	await deliver(service, second?.callbackUrl ?? '', {});
	expect(await n8n.execution(several.id)).toMatchObject({ status: 'waiting' });
	await wakeNow(store, several);
	const over = await n8n.waitForExecution(several.id);
	expect(readAnswers(over)).toEqual(answersTo(2));
	expect(service.questions).toHaveLength(2);
	await other.stop('SIGTERM');
});

test('after a worker was killed during a check, a retry with the currently saved workflow fails, and the other retry outputs the answers', async ({
	n8n,
	service,
	credential,
	store,
	workers,
}) => {
	service.callbackFaults.drop = true;
	const execution = await park({ n8n, credential }, 'checking', 2);
	await answer(service);
	const hanging = service.faults.add({
		kind: 'hang',
		times: Infinity,
		match: ({ method }) => method === 'GET',
	});
	await wakeNow(store, execution);
	await service.waitForRequest(({ method }) => method === 'GET');
	for (const worker of workers) await worker.stop('SIGKILL');
	hanging.remove();
	// n8n finds what was running when a worker starts.
	workers.push(await startWorker(n8n));
	expect(await n8n.waitForExecution(execution.id)).toMatchObject({ status: 'crashed' });

	const known = await n8n.executions(execution.workflowId);
	await expect(n8n.retry(execution, 'saved workflow')).rejects.toThrow(
		'choose "Retry with original workflow"',
	);
	await n8n.retry(execution);
	const over = await n8n.waitForNextExecution(execution.workflowId, known);
	expect(over.status).toBe('success');
	expect(readAnswers(over)).toEqual(answersTo(2));
	expect(service.questions).toHaveLength(2);
});

test("with n8n's durable scheduler, workers run what a new task starts, once, also if the main process is killed meanwhile", async ({
	n8n,
	service,
	credential,
	workers,
}) => {
	const workflow = await n8n.publish(taskTriggerWorkflow(credential));
	service.tasks.create({ title: 'First' });
	expect(await startedWith(n8n, workflow, 1)).toMatchObject([{ title: 'First' }]);
	await n8n.main.stop('SIGKILL');
	service.tasks.create({ title: 'Meanwhile' });
	await n8n.restart();
	expect(await startedWith(n8n, workflow, 2)).toMatchObject([
		{ title: 'First' },
		{ title: 'Meanwhile' },
	]);
	service.tasks.create({ title: 'Last' });
	expect(await startedWith(n8n, workflow, 3)).toMatchObject([
		{ title: 'First' },
		{ title: 'Meanwhile' },
		{ title: 'Last' },
	]);
	for (const { id } of await n8n.executions(workflow.id))
		expect(countRuns(workers, await n8n.execution(id))).toBe(1);
});
