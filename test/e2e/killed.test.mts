import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Random } from '../sandbox/random.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { credentialType } from './examples.mts';
import {
	finalStatuses,
	itemsOf,
	type Execution,
	type ExecutionStatus,
	type ExecutionSummary,
} from './executions.mts';
import { startN8n, type N8n } from './n8n.mts';
import type { StoredWorkflow } from './n8nClient.mts';
import { until } from './polling.mts';
import { chain, legalAi, node, webhook } from './workflows.mts';

const seed = 20_261_121;
const kills = 20;
/** Each batch has ten executions of either kind, with five questions each: a hundred questions. */
const executionsOfAKind = 10;
const questionsOfAnExecution = 5;
/** Within this time (ms) of a batch's start n8n is killed, and questions are answered by themselves. */
const longest = 4_000;

/** What becomes of the questions that the service has not answered once n8n is up again, by turns. */
const outcomes = ['answered', 'timed out'] as const;
type Outcome = (typeof outcomes)[number];

/**
 * Minutes to wait for an answer. What is to time out is overdue when n8n is up again, which then goes on with it at
 * once, while it looks for time-outs once a minute else.
 */
const maxWait = { answered: 30, 'timed out': 0.1 };

/**
 * n8n then goes by the stored states alone. Its default goes by its log of events too, which is written a little later:
 * killed in that moment, it would now and then leave a running execution as it is, and give up one just parked.
 */
const simpleRecovery = { N8N_EVENTBUS_RECOVERY_MODE: 'simple' };

const random = new Random(seed);
/** One that is new has not begun when n8n dies: n8n runs it then, unless it was about to. */
const expectedFates = ['waiting, then success', 'running, then crashed', 'new, then success', 'new, then crashed'];

/** How often the kills met what, and what became of it. */
const met: Record<string, number> = {};

const count = (what: string): void => {
	met[what] = (met[what] ?? 0) + 1;
};

let n8n: N8n;
let sandbox: Sandbox;
let workflows: readonly StoredWorkflow[];
beforeAll(async () => {
	n8n = await startN8n({ environment: simpleRecovery });
	sandbox = await startSandbox({ newSessionsPerMinute: Infinity, requestsPerMinute: Infinity });
	sandbox.settings.answer = ({ text }) => ({
		status: 'completed',
		answer: `Answer to ${text}`,
		// An execution whose answers were all sent while n8n was dead would have nothing left to wake it up.
		after: text.startsWith('answered') && text.endsWith(' 0') ? Infinity : random.between(0, longest),
	});
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const credential = await n8n.createCredential(credentialType, 'Killed', { baseUrl, apiKey, webhookSecret });
	const asking = async (waitUsing: string): Promise<StoredWorkflow> => {
		const items = node('Items', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.items', options: {} });
		const ask = legalAi('Ask', credential, {
			resource: 'question',
			operation: 'askAndWait',
			question: '={{ $json.words }}',
			waitUsing,
			maxWait: '={{ $json.maxWait }}',
		});
		const after = node('After', 'n8n-nodes-base.noOp', {});
		const workflow = await n8n.createWorkflow(chain(waitUsing, [webhook(waitUsing), items, ask, after]));
		await n8n.activate(workflow);
		return workflow;
	};
	workflows = await Promise.all(['callback', 'polling'].map(asking));
});
afterAll(async () => {
	await n8n.close();
	await sandbox.close();
});

/** The questions of an execution. */
function questionsOf(name: string): string[] {
	return Array.from({ length: questionsOfAnExecution }, (_, index) => `${name} ${index}`);
}

/** Starts an execution; whether n8n dies over it does not matter. */
async function start(waitUsing: string, outcome: Outcome, name: string): Promise<void> {
	const items = questionsOf(`${outcome} ${name}`).map((words) => ({ words, maxWait: maxWait[outcome] }));
	const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ items }) };
	await n8n.callWebhook(waitUsing, request).catch(() => undefined);
}

/** The executions that are not over as n8n has stored them, read behind its back while it is dead. */
function cutExecutions(): [id: string, status: ExecutionStatus][] {
	const database = new DatabaseSync(join(n8n.userFolder, '.n8n', 'database.sqlite'));
	const rows = database.prepare('SELECT id, status FROM execution_entity').all();
	database.close();
	return rows
		.map(({ id, status }): [string, ExecutionStatus] => [String(id), String(status) as ExecutionStatus])
		.filter(([, status]) => !finalStatuses.includes(status));
}

/** Waits until all executions are over; answers what they ask and still wait for, where it is to be answered. */
async function allExecutionsOver(outcome: Outcome): Promise<Map<string, ExecutionStatus>> {
	let unfinished: ExecutionSummary[] = [];
	const look = async (): Promise<Map<string, ExecutionStatus> | undefined> => {
		const all = (await Promise.all(workflows.map(async ({ id }) => await n8n.executions(id)))).flat();
		unfinished = all.filter(({ status }) => !finalStatuses.includes(status));
		if (unfinished.length === 0) return new Map(all.map(({ id, status }) => [id, status]));
		if (outcome === 'answered') await answerWhatIsOut(unfinished);
		return undefined;
	};
	const what = 'all executions to be over';
	return await until(what, look, { timeout: 90_000, interval: 250 }, () => JSON.stringify(unfinished));
}

/** A callback for an execution that is still running would be lost. */
async function answerWhatIsOut(unfinished: readonly ExecutionSummary[]): Promise<void> {
	const parked = unfinished.filter(({ status }) => status === 'waiting').map(({ id }) => `/webhook-waiting/${id}/`);
	for (const { id, status, callbackUrl } of sandbox.questions) {
		const comesThrough = callbackUrl === undefined || parked.some((path) => callbackUrl.includes(path));
		if (status === 'in_progress' && comesThrough) await sandbox.complete(id);
	}
}

/** Every question of an execution came out, in order, with its own answer or as one that was waited for in vain. */
function expectEveryQuestion(execution: Execution, outcome: Outcome): void {
	const asked = new Map(sandbox.questions.map(({ id, text }) => [id, text]));
	const items = itemsOf(execution, 'After').map(({ json }) => json);
	const texts = items.map(({ id }) => (typeof id === 'string' ? asked.get(id) : undefined) ?? 'never asked');
	expect(texts).toEqual(questionsOf(texts[0]?.replace(/ \d+$/, '') ?? ''));
	for (const [index, item] of items.entries()) {
		const answered = { status: 'completed', answer: `Answer to ${texts[index] ?? ''}` };
		const inVain = outcome === 'timed out' && item.timed_out === true;
		expect(item).toMatchObject(inVain ? { status: 'in_progress', answer: null } : answered);
		count(inVain ? 'timed out' : 'answered');
	}
}

const rounds = Array.from({ length: kills }, (_, index) => [index + 1, outcomes[index % 2] ?? 'answered'] as const);

test.each(rounds)('kill %d; what is out then is %s', async (kill, outcome) => {
	const moment = sleep(random.between(0, longest));
	const batch = Array.from({ length: executionsOfAKind }, (_, index) =>
		workflows.map(async ({ name }) => { await start(name, outcome, `${kill} ${name} ${index}`); }),
	);
	await moment;
	await n8n.kill('SIGKILL');
	await Promise.all(batch.flat());
	const cut = cutExecutions();

	await n8n.restart();
	const ends = await allExecutionsOver(outcome);
	for (const [id, status] of cut) {
		const end = ends.get(id);
		const fate = `${status}, then ${end ?? 'lost'}`;
		count(fate);
		expect(expectedFates).toContain(fate);
		if (end === 'success') expectEveryQuestion(await n8n.execution(id), outcome);
	}
	const texts = sandbox.questions.map(({ text }) => text);
	expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

test('the kills met executions in every state', () => {
	const kinds = ['running, then crashed', 'waiting, then success', 'answered', 'timed out'];
	expect(kinds.filter((kind) => met[kind] === undefined)).toEqual([]);
});
