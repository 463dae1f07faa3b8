import { deliver } from '../../../harness/callbacks.mts';
import type { Execution } from '../../../harness/executions.mts';
import { freePort, type N8nProcess } from '../../../harness/n8nProcess.mts';
import { questions } from '../../../harness/workflows.mts';
import { answersWhenTold } from '../../scenarios/stage.mts';
import {
	after,
	answersOf,
	answersTo,
	askAndWait,
	start,
	startedWith,
} from '../../support/n8n/parkedQuestions.mts';
import { queueStoreOfThisFile } from '../../support/n8n/queueStore.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../../support/n8n/service.mts';
import { taskTriggerWorkflow } from '../../support/n8n/taskTriggers.mts';
import { fastTracker } from '../../support/n8n/wakeSettings.mts';

const store = await queueStoreOfThisFile();
/** n8n's durable scheduler, with its cursors. */
const durableScheduler = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TIMEOUT: '400',
	N8N_SCHEDULER_LEASE_DURATION: '600',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};
/** Of the process that takes the callbacks: the address that n8n is known by is its own. */
const receiverPort = await freePort();
const n8n = await n8nOfThisFile({
	...store.environment,
	...fastTracker,
	...durableScheduler,
	N8N_WEBHOOK_URL: `http://localhost:${receiverPort}/`,
});

/** Each of the two workers does one thing at a time. */
const startWorker = async () =>
	await n8n.startBeside('worker', { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' });
const startReceiver = async () => await n8n.startBeside('webhook', {}, receiverPort);

const [receiver, ...workers] = await Promise.all([startReceiver(), startWorker(), startWorker()]);
const { sandbox, credential } = await serviceOfThisFile(
	{ answer: answersWhenTold, newSessionsPerMinute: Infinity, requestsPerMinute: Infinity },
	n8n,
);

/** Asks so many questions, and waits until the execution is parked. */
async function parked(path: string, count: number) {
	const execution = await start(n8n, path, [questions(count), askAndWait(credential), after]);
	expect(execution.status).toBe('waiting');
	return execution;
}

/** Answers all questions, the later ones first. */
async function answer(from = 0, to = Infinity) {
	const ids = sandbox.questions.map(({ id }) => id).reverse();
	for (const id of ids.slice(from, to)) await sandbox.complete(id);
}

/** Has n8n wake a parked execution at its next look. */
async function wakeNow({ id }: Execution) {
	await store.query(
		`UPDATE execution_entity SET "waitTill" = now() WHERE id = ${id} AND status = 'waiting'`,
	);
}

/** How often a worker has begun to work on an execution. */
function runsOn({ log }: N8nProcess, { id }: Execution) {
	return log.match(new RegExp(`Worker started execution ${id} `, 'g'))?.length ?? 0;
}

/** How often any worker has. */
function runsOf(execution: Execution) {
	return workers.reduce((sum, worker) => sum + runsOn(worker, execution), 0);
}

test('a worker parks an execution with ten questions, the webhook process takes the answers, and a worker continues', async () => {
	const execution = await parked('ten', 10);
	expect(runsOf(execution)).toBe(1);

	await answer();
	const over = await n8n.waitForExecution(execution.id);
	expect(over.status).toBe('success');
	expect(answersOf(over)).toEqual(answersTo(10));
	expect(runsOf(over)).toBe(2);
	expect(sandbox.callbacks).toHaveLength(10);
	for (const { url, status } of sandbox.callbacks) {
		expect(url).toContain(`http://localhost:${receiverPort}/webhook-waiting/`);
		expect(status).toBe(200);
	}
});

test('no answer is lost if the webhook process is replaced between answers and the worker dies after it parked the execution', async () => {
	const execution = await parked('replaced', 4);
	await answer(0, 2);
	await workers.find((worker) => runsOn(worker, execution) > 0)?.stop('SIGKILL');
	await receiver.stop('SIGKILL');
	await startReceiver();
	await answer(2);
	// Neither process knows all answers: the execution finds them when it wakes.
	expect(await n8n.execution(execution.id)).toMatchObject({ status: 'waiting' });
	await wakeNow(execution);
	const over = await n8n.waitForExecution(execution.id);
	expect([answersOf(over), runsOf(over)]).toEqual([answersTo(4), 2]);
	expect(sandbox.questions).toHaveLength(4);
});

test('with two webhook processes, either continues an execution by the callback of its only question, and what both have heard of several is found by the next check', async () => {
	const otherPort = await freePort();
	const other = await n8n.startBeside('webhook', {}, otherPort);
	sandbox.callbackFaults.drop = true;
	const callOther = async (url: string) => {
		const address = url.replace(`:${receiverPort}/`, `:${otherPort}/`);
		const [status] = await deliver(sandbox, address, {});
		expect(status).toBe(200);
	};

	const single = await parked('single', 1);
	await answer();
	await callOther(sandbox.questions[0]?.callbackUrl ?? '');
	const answered = await n8n.waitForExecution(single.id);
	expect(answersOf(answered)).toEqual(answersTo(1));

	await sandbox.reset();
	sandbox.callbackFaults.drop = true;
	const several = await parked('several', 2);
	await answer();
	const [first, second] = sandbox.questions;
	await callOther(first?.callbackUrl ?? '');
	await deliver(sandbox, second?.callbackUrl ?? '', {});
	expect(await n8n.execution(several.id)).toMatchObject({ status: 'waiting' });
	await wakeNow(several);
	const over = await n8n.waitForExecution(several.id);
	expect(answersOf(over)).toEqual(answersTo(2));
	expect(sandbox.questions).toHaveLength(2);
	await other.stop('SIGTERM');
});

test('after a worker was killed during a check, a retry with the currently saved workflow fails, and the other retry outputs the answers', async () => {
	sandbox.callbackFaults.drop = true;
	const execution = await parked('checking', 2);
	await answer();
	const hanging = sandbox.faults.add({
		kind: 'hang',
		times: Infinity,
		match: ({ method }) => method === 'GET',
	});
	await wakeNow(execution);
	await sandbox.waitForRequest(({ method }) => method === 'GET');
	for (const worker of workers) await worker.stop('SIGKILL');
	hanging.remove();
	// n8n finds what was running when a worker starts.
	workers.push(await startWorker());
	expect(await n8n.waitForExecution(execution.id)).toMatchObject({ status: 'crashed' });

	const known = await n8n.executions(execution.workflowId);
	await expect(n8n.retry(execution, 'saved workflow')).rejects.toThrow(
		'choose "Retry with original workflow"',
	);
	await n8n.retry(execution);
	const over = await n8n.waitForNextExecution(execution.workflowId, known);
	expect(over.status).toBe('success');
	expect(answersOf(over)).toEqual(answersTo(2));
	expect(sandbox.questions).toHaveLength(2);
});

test("with n8n's durable scheduler, workers run what a new task starts, once, also if the main process is killed meanwhile", async () => {
	const workflow = await n8n.publish(taskTriggerWorkflow(credential));
	sandbox.tasks.create({ title: 'First' });
	expect(await startedWith(n8n, workflow, 1)).toMatchObject([{ title: 'First' }]);
	await n8n.main.stop('SIGKILL');
	sandbox.tasks.create({ title: 'Meanwhile' });
	await n8n.restart();
	expect(await startedWith(n8n, workflow, 2)).toMatchObject([
		{ title: 'First' },
		{ title: 'Meanwhile' },
	]);
	sandbox.tasks.create({ title: 'Last' });
	expect(await startedWith(n8n, workflow, 3)).toMatchObject([
		{ title: 'First' },
		{ title: 'Meanwhile' },
		{ title: 'Last' },
	]);
	for (const { id } of await n8n.executions(workflow.id))
		expect(runsOf(await n8n.execution(id))).toBe(1);
});
