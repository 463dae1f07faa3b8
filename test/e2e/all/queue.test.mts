import type { INode } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Question, Sandbox } from '../../sandbox/sandbox.mts';
import { completed, deliver, triggerUrl, triggerWorkflow } from '../../../harness/callbacks.mts';
import { itemsOf, type Execution } from '../../../harness/executions.mts';
import { startN8n, type N8n } from '../../../harness/n8n.mts';
import type { StoredCredential, StoredWorkflow } from '../../../harness/n8nClient.mts';
import { freePort, type N8nProcess } from '../../../harness/n8nProcess.mts';
import { until } from '../../../harness/polling.mts';
import { after, answersOf, askAndWait, callAndPark } from '../parkedQuestions.mts';
import { createQueueStore, type QueueStore } from '../postgres.mts';
import { answersWhenTold, openService } from '../service.mts';
import { wakingEveryTwoSeconds } from '../wakingSoon.mts';
import { chain, questions, webhook } from '../../../harness/workflows.mts';

/** Each of the two workers does one thing at a time, so that a third shows whether one is held. */
const oneAtATime = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' };

let store: QueueStore;
let n8n: N8n;
/** The process that takes the callbacks: the address that n8n is known by is its own. */
let receiver: N8nProcess;
let receiverPort: number;
/** A second one, which takes what a load balancer would send there. */
let otherPort: number;
let workers: N8nProcess[];
let sandbox: Sandbox;
let credential: StoredCredential;
beforeAll(async () => {
	store = await createQueueStore();
	[receiverPort, otherPort] = [await freePort(), await freePort()];
	n8n = await startN8n({
		environment: { ...store.environment, ...wakingEveryTwoSeconds, WEBHOOK_URL: `http://localhost:${receiverPort}/` },
	});
	[receiver, , ...workers] = await Promise.all([
		n8n.startBeside('webhook', {}, receiverPort),
		n8n.startBeside('webhook', {}, otherPort),
		n8n.startBeside('worker', oneAtATime),
		n8n.startBeside('worker', oneAtATime),
	]);
}, 400_000);
// An organization of its own for each test: what one has asked does not count against the limits of the next.
beforeEach(async () => {
	({ sandbox, credential } = await openService(n8n, { answer: answersWhenTold, requestsPerMinute: Infinity }));
});
afterEach(async () => {
	await sandbox.close();
});
afterAll(async () => {
	await n8n.close();
	await store.close();
});

async function asking(name: string, count: number, maxWait = 30, settings: Partial<INode> = {}): Promise<StoredWorkflow> {
	const ask = askAndWait(credential, { options: { maxWait } }, settings);
	return await n8n.publish(chain(name, [webhook(name), questions(count), ask, after]));
}

async function parked(workflow: StoredWorkflow): Promise<Execution> {
	return await callAndPark(n8n, workflow, workflow.name);
}

/** Answers all questions, the later ones first. */
async function answer(from = 0, to = Infinity): Promise<void> {
	const ids = sandbox.questions.map(({ id }) => id).reverse();
	for (const id of ids.slice(from, to)) await sandbox.complete(id);
}

const answersTo = (count: number): string[] => Array.from({ length: count }, (_, index) => `Answer to Question ${index}`);

/** Has n8n wake a parked execution at its next look. */
async function wakeNow({ id }: Execution): Promise<void> {
	await store.query(`UPDATE execution_entity SET "waitTill" = now() WHERE id = ${id} AND status = 'waiting'`);
}

/** How often a worker began to work on an execution. */
function workersRuns({ id }: Execution): number {
	return workers.flatMap(({ log }) => log.match(new RegExp(`Worker started execution ${id} `, 'g')) ?? []).length;
}

test('ten questions of an execution: parked by a worker, answered at the webhook process, gone on with by a worker', async () => {
	const execution = await parked(await asking('ten', 10));
	expect(execution.status).toBe('waiting');
	expect(workersRuns(execution)).toBe(1);

	await answer();
	const over = await n8n.waitForExecution(execution.id);
	expect(over.status).toBe('success');
	expect(answersOf(over)).toEqual(answersTo(10));
	expect(workersRuns(over)).toBe(2);
	expect(sandbox.callbacks).toHaveLength(10);
	for (const { url, status } of sandbox.callbacks) {
		expect(url).toContain(`http://localhost:${receiverPort}/webhook-waiting/`);
		expect(status).toBe(200);
	}
});

test('more executions are parked than workers could hold, and another one still runs', async () => {
	const workflow = await asking('six', 1);
	for (let count = 0; count < 6; count++) await n8n.callWebhook(workflow.name);
	const all = async (status: string): Promise<true | undefined> => {
		const executions = await n8n.executions(workflow.id);
		return executions.filter((execution) => execution.status === status).length === 6 ? true : undefined;
	};
	await until('six executions to be parked', async () => await all('waiting'));

	const other = await n8n.publish(chain('other', [webhook('other'), questions(1)]));
	await n8n.callWebhook('other');
	expect((await n8n.waitForNextExecution(other.id, [])).status).toBe('success');

	await answer();
	await until('all of them to have ended', async () => await all('success'));
	expect(sandbox.questions).toHaveLength(6);
});

test('a webhook process that is replaced between answers loses none', async () => {
	const execution = await parked(await asking('replaced', 4));
	await answer(0, 2);
	await receiver.stop('SIGKILL');
	receiver = await n8n.startBeside('webhook', {}, receiverPort);
	await answer(2);
	// What the one before had received is found at the next wake.
	await wakeNow(execution);
	const over = await n8n.waitForExecution(execution.id);
	expect(answersOf(over)).toEqual(answersTo(4));
	expect(sandbox.questions).toHaveLength(4);
});

test('an execution whose callbacks were all dropped is woken, and a worker finds the answers', async () => {
	sandbox.callbackFaults.drop = true;
	const execution = await parked(await asking('dropped', 3, 0.2));
	await answer();
	const over = await n8n.waitForExecution(execution.id);
	expect(answersOf(over)).toEqual(answersTo(3));
	expect(workersRuns(over)).toBe(2);
	expect(sandbox.callbacks.filter(({ status }) => status === 200)).toEqual([]);
	expect(sandbox.questions).toHaveLength(3);
});

test('five callbacks at the same moment resume an execution once', async () => {
	const execution = await parked(await asking('simultaneous', 5));
	await Promise.all(sandbox.questions.map(async ({ id }) => { await sandbox.complete(id); }));
	const over = await n8n.waitForExecution(execution.id);
	expect(answersOf(over)).toEqual(answersTo(5));
	expect(over.runs.After).toHaveLength(1);
	expect(workersRuns(over)).toBe(2);
	expect(sandbox.questions).toHaveLength(5);
});

test('the worker that parked an execution may die; another one goes on', async () => {
	const execution = await parked(await asking('orphaned', 2));
	const parkedIt = workers.find(({ log }) => log.includes(`Worker started execution ${execution.id} `));
	await parkedIt?.stop('SIGKILL');
	await answer();
	const over = await n8n.waitForExecution(execution.id);
	expect(answersOf(over)).toEqual(answersTo(2));
	expect(sandbox.questions).toHaveLength(2);
});

/** Delivers the answer to a question to one of the webhook processes. */
async function send({ id, callbackUrl = '', text }: Question, port: number): Promise<number> {
	const url = callbackUrl.replace(`:${receiverPort}/`, `:${port}/`);
	return (await deliver(url, sandbox.webhookSecret, completed({ id, answer: `Answer to ${text}` }))).status;
}

test('a callback that reaches two webhook processes several times resumes an execution once', async () => {
	sandbox.callbackFaults.drop = true;
	const execution = await parked(await asking('repeated', 1));
	await answer();
	const ports = [receiverPort, otherPort, receiverPort, otherPort];
	const statuses = await Promise.all(sandbox.questions.flatMap((question) => ports.map(async (port) => await send(question, port))));
	// n8n answers 409 or 500 to those that come second.
	expect(statuses).toContain(200);
	const over = await n8n.waitForExecution(execution.id);
	expect(answersOf(over)).toEqual(answersTo(1));
	expect(over.runs.After).toHaveLength(1);
	expect(workersRuns(over)).toBe(2);
});

test('callbacks of one execution that are spread over two webhook processes lose no answer', async () => {
	sandbox.callbackFaults.drop = true;
	const execution = await parked(await asking('spread', 4));
	await answer();
	for (const [index, question] of sandbox.questions.entries()) {
		expect(await send(question, index % 2 === 0 ? receiverPort : otherPort)).toBe(200);
	}
	// Neither process knows all answers: the execution finds them when it wakes.
	expect(await n8n.execution(execution.id)).toMatchObject({ status: 'waiting' });
	await wakeNow(execution);
	const over = await n8n.waitForExecution(execution.id);
	expect(answersOf(over)).toEqual(answersTo(4));
	expect(sandbox.questions).toHaveLength(4);
});

test('a worker is killed in the middle of a check: a retry with the currently saved workflow is refused, the other one brings the answers', async () => {
	sandbox.callbackFaults.drop = true;
	const execution = await parked(await asking('checking', 2));
	await answer();
	const hanging = sandbox.faults.add({ kind: 'hang', times: Infinity, match: ({ method }) => method === 'GET' });
	await wakeNow(execution);
	await sandbox.waitForRequest(({ method }) => method === 'GET');
	const begins = ({ log }: N8nProcess): number => log.lastIndexOf(`Worker started execution ${execution.id} `);
	const checking = workers.find((worker) => begins(worker) > worker.log.lastIndexOf(`Worker finished execution ${execution.id} `));
	await checking?.stop('SIGKILL');
	hanging.remove();
	// n8n finds what was running when a worker starts.
	workers.push(await n8n.startBeside('worker', oneAtATime));
	expect(await n8n.waitForExecution(execution.id)).toMatchObject({ status: 'crashed' });

	const known = await n8n.executions(execution.workflowId);
	await expect(n8n.retry(execution, 'saved workflow')).rejects.toThrow('choose "Retry with original workflow"');
	await n8n.retry(execution);
	const over = await n8n.waitForNextExecution(execution.workflowId, known);
	expect(over.status).toBe('success');
	expect(answersOf(over)).toEqual(answersTo(2));
	expect(sandbox.questions).toHaveLength(2);
});

test('with Retry On Fail and On Error "Continue", a question that may have been accepted is not asked again by another worker', async () => {
	sandbox.faults.add({ kind: 'reset', when: 'handled', match: 'POST /assistants/:assistant_id/questions' });
	const execution = await parked(await asking('uncertain', 2, 30, { onError: 'continueRegularOutput', retryOnFail: true, waitBetweenTries: 0 }));
	await answer();
	const over = await n8n.waitForExecution(execution.id);
	const items = itemsOf(over, 'After').map(({ json }) => json);
	expect(items.find(({ error }) => error === undefined)?.answer).toMatch(/^Answer to/);
	expect(items.find(({ error }) => error !== undefined)?.error).toMatch(/^The service's response was cut off/);
	expect(sandbox.questions).toHaveLength(2);
});

test('with On Error "Continue", a credential that is broken fails every item', async () => {
	await n8n.updateCredential(credential, { baseUrl: 'nowhere', apiKey: sandbox.apiKey });
	const workflow = await asking('broken', 2, 30, { onError: 'continueRegularOutput' });
	await n8n.callWebhook(workflow.name);
	const over = await n8n.waitForNextExecution(workflow.id, []);
	const error = '"Base URL" in the credential is not a web address';
	expect(itemsOf(over, 'After').map(({ json }) => json)).toMatchObject([{ error }, { error }]);
});

/** Has the database store no execution. */
const REFUSE = `
	CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'Refused'; END $$;
	CREATE TRIGGER refuse BEFORE INSERT ON execution_entity FOR EACH ROW EXECUTE FUNCTION refuse();
`;
const REFUSE_NO_MORE = 'DROP TRIGGER refuse ON execution_entity; DROP FUNCTION refuse';

test('an answer to the trigger that n8n could not store is no duplicate when it comes again', async () => {
	const workflow = await n8n.publish(triggerWorkflow(credential));
	for (const baseUrl of [n8n.baseUrl, `http://localhost:${receiverPort}`]) {
		const payload = completed();
		const send = async (): Promise<number> => (await deliver(triggerUrl({ baseUrl }, workflow), sandbox.webhookSecret, payload)).status;
		const known = await n8n.executions(workflow.id);
		await store.query(REFUSE);
		expect(await send()).toBe(500);
		await store.query(REFUSE_NO_MORE);
		expect(await send()).toBe(200);
		expect(itemsOf(await n8n.waitForNextExecution(workflow.id, known), 'Next').map(({ json }) => json)).toEqual([payload]);
	}
});
