import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Random } from '../sandbox/random.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { credentialType } from './examples.mts';
import { finalStatuses, itemsOf, type Execution, type ExecutionStatus } from './executions.mts';
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

/**
 * What becomes of a batch, by turns. Of an execution to be answered, one question is still out once n8n is up again.
 * One to time out may have had all its answers sent while n8n was dead: nothing wakes it up then but its time-out.
 */
const outcomes = ['answered', 'timed out'] as const;

/**
 * n8n then goes by the stored states alone. Its default goes by its log of events too, which is written a little later:
 * killed in that moment, it would now and then leave a running execution as it is, and give up one just parked.
 */
const simpleRecovery = { N8N_EVENTBUS_RECOVERY_MODE: 'simple' };

const random = new Random(seed);
/** One that is new has not begun when n8n dies: n8n runs it then, unless it was about to. */
const expectedFates = [
	'waiting, then success',
	'waiting, then waiting',
	'running, then crashed',
	'new, then success',
	'new, then crashed',
];

const patience = { timeout: 90_000, interval: 250 };

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
		after: text.startsWith('answered') && text.endsWith(' 0') ? Infinity : random.between(0, longest),
	});
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const credential = await n8n.createCredential(credentialType, 'Killed', { baseUrl, apiKey, webhookSecret });
	const asking = async (waitUsing: string): Promise<StoredWorkflow> => {
		const items = node('Items', 'n8n-nodes-base.splitOut', {
			fieldToSplitOut: 'body.words',
			options: { destinationFieldName: 'words' },
		});
		const ask = legalAi('Ask', credential, {
			resource: 'question',
			operation: 'askAndWait',
			question: '={{ $json.words }}',
			waitUsing,
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
async function start(waitUsing: string, name: string): Promise<void> {
	const body = JSON.stringify({ words: questionsOf(name) });
	const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
	await n8n.callWebhook(waitUsing, request).catch(() => undefined);
}

/** Looks into n8n's database behind its back. */
function inDatabase<Result>(look: (database: DatabaseSync) => Result): Result {
	const database = new DatabaseSync(join(n8n.userFolder, '.n8n', 'database.sqlite'), { timeout: 5_000 });
	try {
		return look(database);
	} finally {
		database.close();
	}
}

function statuses(): Map<string, ExecutionStatus> {
	const rows = inDatabase((database) => database.prepare('SELECT id, status FROM execution_entity').all());
	return new Map(rows.map(({ id, status }) => [String(id), String(status) as ExecutionStatus]));
}

function unfinished(): [id: string, status: ExecutionStatus][] {
	return [...statuses()].filter(([, status]) => !finalStatuses.includes(status));
}

/** Brings the time-outs of all parked executions near, from so far off that none came while n8n was dead. */
function timeOutIn(ms: number): void {
	const waitTill = new Date(Date.now() + ms).toISOString().replace('T', ' ').replace('Z', '');
	const update = "UPDATE execution_entity SET waitTill = ? WHERE status = 'waiting'";
	inDatabase((database) => database.prepare(update).run(waitTill));
}

/** Answers what is still out, and waits until nothing is but executions whose answers were all lost. */
async function answered(): Promise<void> {
	await until('all answered executions to be over', async () => {
		const left = unfinished().filter(([id, status]) => status !== 'waiting' || !isLost(id));
		// A callback for an execution that is still running would be lost.
		const parked = left.filter(([, status]) => status === 'waiting').map(([id]) => resumePath(id));
		const out = sandbox.questions.filter(({ status, callbackUrl }) => {
			const comesThrough = callbackUrl === undefined || parked.some((path) => callbackUrl.includes(path));
			return status === 'in_progress' && comesThrough;
		});
		await Promise.all(out.map(async ({ id }) => { await sandbox.complete(id); }));
		return left.length === 0 ? true : undefined;
	}, patience, () => JSON.stringify(unfinished()));
}

function isLost(executionId: string): boolean {
	const asked = sandbox.questions.filter(({ callbackUrl }) => callbackUrl?.includes(resumePath(executionId)));
	return asked.every(({ status, text }) => status !== 'in_progress' && text.startsWith('timed out'));
}

const resumePath = (executionId: string): string => `/webhook-waiting/${executionId}/`;

/** Every question of an execution came out, in order, with its own answer or as one that was waited for in vain. */
function expectEveryQuestion(execution: Execution): void {
	const asked = new Map(sandbox.questions.map(({ id, text }) => [id, text]));
	const items = itemsOf(execution, 'After').map(({ json }) => json);
	const texts = items.map(({ id }) => (typeof id === 'string' ? asked.get(id) : undefined) ?? 'never asked');
	expect(texts).toEqual(questionsOf(texts[0]?.replace(/ \d+$/, '') ?? ''));
	for (const [index, item] of items.entries()) {
		const text = texts[index] ?? '';
		const inVain = item.timed_out === true && text.startsWith('timed out');
		expect(item).toMatchObject(
			inVain ? { status: 'in_progress', answer: null } : { status: 'completed', answer: `Answer to ${text}` },
		);
		count(inVain ? 'timed out' : 'answered');
	}
}

/** What was cut by a kill and is over now came to the end that it had to. */
async function expectEnds(cut: readonly [id: string, status: ExecutionStatus][]): Promise<void> {
	const now = statuses();
	for (const [id, status] of cut) {
		const end = now.get(id) ?? 'lost';
		count(`${status}, then ${end}`);
		expect(expectedFates).toContain(`${status}, then ${end}`);
		if (end === 'success') expectEveryQuestion(await n8n.execution(id));
	}
}

function expectNothingAskedTwice(): void {
	const texts = sandbox.questions.map(({ text }) => text);
	expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
}

const rounds = Array.from({ length: kills }, (_, index) => [index + 1, outcomes[index % 2] ?? 'answered'] as const);

test.each(rounds)('kill %d, of a batch to be %s', async (kill, outcome) => {
	const moment = sleep(random.between(0, longest));
	const batch = Array.from({ length: executionsOfAKind }, (_, index) =>
		workflows.map(async ({ name }) => { await start(name, `${outcome} ${kill} ${name} ${index}`); }),
	);
	await moment;
	await n8n.kill('SIGKILL');
	await Promise.all(batch.flat());
	const cut = unfinished();

	await n8n.restart();
	await answered();
	await expectEnds(cut);
	expectNothingAskedTwice();
});

test('what waits for lost answers times out', async () => {
	const cut = unfinished();
	await n8n.kill('SIGKILL');
	timeOutIn(25_000);
	await n8n.restart();
	await until('all time-outs', () => Promise.resolve(unfinished().length === 0 ? true : undefined), patience);
	await expectEnds(cut);
	expectNothingAskedTwice();
});

test('the kills met executions in every state', () => {
	const kinds = ['running, then crashed', 'waiting, then success', 'answered', 'timed out'];
	expect(kinds.filter((kind) => met[kind] === undefined)).toEqual([]);
});
