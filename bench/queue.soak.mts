import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Random } from '../test/sandbox/random.mts';
import { type Sandbox, startSandbox } from '../test/sandbox/sandbox.mts';
import { listenLocally } from '../test/support/localServer.mts';
import { credentialType } from '../test/support/n8n/examples.mts';
import { type Execution, type ExecutionStatus, finalStatuses } from '../test/support/n8n/executions.mts';
import type { StoredWorkflow } from '../test/support/n8n/n8nClient.mts';
import { chain, legalAi, node, webhook } from '../test/support/n8n/workflows.mts';
import { until } from '../test/support/polling.mts';
import { asText } from '../test/support/unknownJson.mts';
import { Fleet } from './support/fleet.mts';
import { OURS, resultsOf } from './support/results.mts';
import { median } from './support/rounds.mts';

const QUESTIONS = Number(process.env.SOAK_QUESTIONS ?? 2_000);
const QUESTIONS_OF_AN_EXECUTION = 10;
/** The node opens 60 sessions a minute at most for an organization: with as many of them it never has to wait. */
const EXECUTIONS_OF_AN_ORGANIZATION = 5;
const EXECUTIONS = Math.ceil(QUESTIONS / QUESTIONS_OF_AN_EXECUTION);
const CALLBACKS_PER_SECOND = 20;
const LOST = 0.1;
const DOUBLED = 0.1;
const KILL_EVERY_MS = 30_000;
const OTHER_EVERY_MS = 1_000;
/** A job whose worker was killed is another's after half a minute. */
const FAILED_FOR_GOOD_MS = 60_000;
/** However many questions there are: after this it is over. */
const LONGEST_MS = 15 * 60_000;
/** Executions with so many questions each show what a wake takes; they are not counted among the others. */
const PROBES = [1, 5, 20, 50];
const WAKES = 3;

const random = new Random(20_261_122);
const results = resultsOf('queue', `Queue mode: ${QUESTIONS.toLocaleString('en-US')} questions parked, processes killed`, 'soak');

let fleet: Fleet;
/** Those whose questions count. */
const organizations: Organization[] = [];
const opened: Sandbox[] = [];
/** What the other workflow does: it tells that it has started. */
let counter: Server;
let counterPort = 0;
const started = new Map<string, () => void>();

beforeAll(async () => {
	counter = createServer((incoming, response) => {
		void text(incoming).then((id) => {
			started.get(id)?.();
			response.end();
		});
	});
	counterPort = await listenLocally(counter);
	fleet = await Fleet.open();
}, 400_000);
afterAll(async () => {
	await fleet.close();
	counter.close();
	for (const sandbox of opened) await sandbox.close();
});

/** An organization at the service, and a published workflow that asks it what its webhook is called with. */
interface Organization {
	readonly sandbox: Sandbox;
	readonly workflow: StoredWorkflow;
}

/** @param path of the webhook, and the workflow's name */
async function organization(path: string): Promise<Organization> {
	const sandbox = await startSandbox({ seed: opened.length + 1, newSessionsPerMinute: Infinity, requestsPerMinute: Infinity });
	sandbox.settings.answer = ({ text: asked }) => ({ status: 'completed', answer: `Answer to ${asked}`, after: Infinity });
	opened.push(sandbox);
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const credential = await fleet.n8n.createCredential(credentialType, path, { baseUrl, apiKey, webhookSecret });
	const items = node('Items', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.words', options: { destinationFieldName: 'words' } });
	const ask = legalAi('Ask', credential, { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}' });
	const workflow = await fleet.n8n.publish(chain(path, [webhook(path), items, ask, node('After', 'n8n-nodes-base.noOp', {})]));
	return { sandbox, workflow };
}

function workflows(): StoredWorkflow[] {
	return organizations.map(({ workflow }) => workflow);
}

function questionsOf(name: string, count = QUESTIONS_OF_AN_EXECUTION): string[] {
	return Array.from({ length: count }, (_, index) => `${name} ${index}`);
}

/** The status of each execution of some workflows, by id. */
async function statuses(of: readonly StoredWorkflow[]): Promise<Map<string, ExecutionStatus>> {
	const ids = of.map(({ id }) => `'${id}'`).join();
	const rows = await fleet.store.query(`SELECT id, status FROM execution_entity WHERE "workflowId" IN (${ids})`);
	return new Map(rows.map(({ id, status }) => [String(id), String(status) as ExecutionStatus]));
}

async function parked(of: readonly StoredWorkflow[], count: number): Promise<string[]> {
	return await until(`${count} executions to be parked`, async () => {
		const waiting = [...(await statuses(of))].flatMap(([id, status]) => (status === 'waiting' ? [id] : []));
		return waiting.length === count ? waiting : undefined;
	}, { timeout: 300_000, interval: 250 });
}

interface Wakes {
	readonly questions: number;
	/** How many executions were parked meanwhile. */
	readonly beside: number;
	readonly ms: number;
	/** What n8n stores of the execution. */
	readonly kilobytes: number;
}

/**
 * Parks an execution with so many questions, of an organization of its own, and wakes it before its time: a worker runs
 * the node, which looks at each question and parks again. Then it is answered.
 */
async function measureWakes(questions: number, beside: number): Promise<Wakes> {
	const { sandbox, workflow } = await organization(`probe-${questions}-${beside}`);
	await fleet.call(workflow.name, { words: questionsOf('Probe', questions) });
	const taken: number[] = [];
	let executionId = '';
	while (taken.length < WAKES) {
		[executionId = ''] = await parked([workflow], 1);
		const runs = () => fleet.workerRuns.filter((run) => run.executionId === executionId);
		const known = runs().length;
		await fleet.store.query(`UPDATE execution_entity SET "waitTill" = now() WHERE id = ${executionId}`);
		// From a minute before its time on, n8n has set a timer for it, and waits for that.
		const run = await until('the probe to wake and park', () => Promise.resolve(runs()[known]), { timeout: 120_000, interval: 100 });
		taken.push(run.to - run.from);
	}
	await parked([workflow], 1);
	const [row] = await fleet.store.query(`SELECT octet_length(data) AS bytes FROM execution_data WHERE "executionId" = ${executionId}`);
	for (const { id } of sandbox.questions) await sandbox.complete(id);
	return { questions, beside, ms: median(taken), kilobytes: Number(row?.bytes) / 1024 };
}

/** The rows of all tables of n8n's database. */
async function countRows(): Promise<number> {
	const tables = await fleet.store.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'");
	const counts = tables.map(({ table_name: name }) => `(SELECT count(*) FROM "${String(name)}")`);
	const [row] = await fleet.store.query(`SELECT ${counts.join(' + ')} AS rows`);
	return Number(row?.rows);
}

/** Starts another workflow once a second until told, and gives how long each start took, in ms. */
async function startOthers(over: AbortSignal): Promise<number[]> {
	const tell = node('Tell', 'n8n-nodes-base.httpRequest', {
		...{ method: 'POST', url: `http://127.0.0.1:${counterPort}/`, sendBody: true, options: {} },
		...{ contentType: 'raw', rawContentType: 'text/plain', body: '={{ $json.body.id }}' },
	}, { typeVersion: 4.2 });
	const workflow = await fleet.n8n.publish(chain('other', [webhook('other'), tell]));
	const starts: Promise<number>[] = [];
	while (!over.aborted) {
		const id = `Other ${starts.length}`;
		const since = Date.now();
		starts.push(new Promise((resolve, reject) => {
			started.set(id, () => { resolve(Date.now() - since); });
			fleet.call(workflow.name, { id }).catch(reject);
			setTimeout(() => { resolve(LONGEST_MS); }, LONGEST_MS).unref();
		}));
		await sleep(OTHER_EVERY_MS);
	}
	const patience = sleep(60_000, LONGEST_MS);
	return await Promise.all(starts.map(async (start) => await Promise.race([start, patience])));
}

async function answerAll(): Promise<void> {
	const open = organizations.flatMap(({ sandbox }) => sandbox.questions.filter(({ status }) => status === 'in_progress').map(({ id }) => ({ sandbox, id })));
	const shuffled = open.map((each) => ({ each, at: random.next() })).sort((one, other) => one.at - other.at);
	const sent: Promise<void>[] = [];
	const since = Date.now();
	for (const [index, { each: { sandbox, id } }] of shuffled.entries()) {
		await sleep(Math.max(0, since + (index * 1_000) / CALLBACKS_PER_SECOND - Date.now()));
		sent.push(sandbox.complete(id));
	}
	await Promise.all(sent);
}

async function killInTurn(over: AbortSignal): Promise<string[]> {
	const killed: string[] = [];
	const isTime = async (next: number): Promise<boolean> =>
		await sleep(Math.max(0, next - Date.now()), true, { signal: over }).catch(() => false);
	for (let next = Date.now() + KILL_EVERY_MS; await isTime(next); next += KILL_EVERY_MS) killed.push(await fleet.killNext());
	return killed;
}

/**
 * Waits until no execution is left. What a kill has ended for good goes on with a retry, as by its button: not before a
 * while, since n8n also says of executions that they have crashed on which a worker is still at work.
 */
async function allOver(): Promise<Set<string>> {
	const failedAt = new Map<string, number>();
	const retried = new Set<string>();
	let seen = new Map<string, ExecutionStatus>();
	await until('all executions to be over', async () => {
		seen = await statuses(workflows());
		const failed = [...seen].flatMap(([id, status]) => (['error', 'crashed'].includes(status) && !retried.has(id) ? [id] : []));
		for (const id of failed) {
			const since = failedAt.get(id) ?? Date.now();
			failedAt.set(id, since);
			// The main process may be down: then with the next round.
			const isOver = Date.now() - since >= FAILED_FOR_GOOD_MS;
			if (isOver && (await fleet.n8n.session.post(`/executions/${id}/retry`).then(() => true, () => false))) retried.add(id);
		}
		return failed.length === 0 && [...seen.values()].every((status) => finalStatuses.includes(status)) ? true : undefined;
	}, { timeout: LONGEST_MS, interval: 2_000 }, () => JSON.stringify([...seen].filter(([, status]) => status !== 'success')));
	return retried;
}

/** What came out of an execution behind the node: the ids of its questions, each with its own answer. */
function putOut(execution: Execution, asked: ReadonlyMap<string, string>): string[] {
	const items = (execution.runs.After ?? []).flatMap(({ outputs }) => outputs.flat()).map(({ json }) => json);
	const ids = items.map(({ id }) => asText(id, 'The id of a question'));
	expect(items.map(({ answer }) => answer)).toEqual(ids.map((id) => `Answer to ${asked.get(id) ?? 'what was never asked'}`));
	return ids;
}

function doubles(values: readonly string[]): number {
	return values.length - new Set(values).size;
}

/** How often there is what, the commonest first. */
function tally(values: readonly string[]): string {
	const counts = new Map<string, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	const sorted = [...counts].sort(([, one], [, other]) => other - one);
	return sorted.map(([value, count]) => `${count.toLocaleString('en-US')} × ${value}`).join(', ') || 'none';
}

test(`${QUESTIONS} questions`, { timeout: 2 * LONGEST_MS }, async () => {
	const figure = (what: string, unit: string, value: number, targets: { atMost: number }[] = [], note?: string): void => {
		results.figure({ what, unit, contenders: { [OURS]: [value] }, targets, ...(note !== undefined && { note }) });
	};

	const wakes: Wakes[] = [];
	const rows: { parked: number; rows: number }[] = [];
	for (const share of [1 / 8, 1 / 4, 1 / 2, 1]) {
		const target = Math.ceil(EXECUTIONS * share);
		for (let index = rows.at(-1)?.parked ?? 0; index < target; index += 1) {
			const group = Math.floor(index / EXECUTIONS_OF_AN_ORGANIZATION);
			const { workflow } = (organizations[group] ??= await organization(`organization-${group}`));
			await fleet.call(workflow.name, { words: questionsOf(`Execution ${index}, question`) });
		}
		await parked(workflows(), target);
		rows.push({ parked: target, rows: await countRows() });
		if (rows.length === 1 || target === EXECUTIONS) for (const questions of PROBES) wakes.push(await measureWakes(questions, target));
		console.log(`${target} executions are parked`);
	}
	results.curve({
		what: 'Rows in n8n’s database, by parked executions',
		x: 'parked executions',
		y: 'rows',
		points: rows.map(({ parked: x, rows: y }) => ({ contender: OURS, x, y })),
	});
	results.curve({
		what: 'Time of a wake, by questions that it looks at',
		x: 'questions of the execution',
		y: 'ms',
		points: wakes.map(({ beside, questions: x, ms: y }) => ({ contender: `beside ${beside} parked`, x, y })),
	});
	results.curve({
		what: 'What n8n stores of a parked execution',
		x: 'questions of the execution',
		y: 'kB',
		points: wakes.slice(-PROBES.length).map(({ questions: x, kilobytes: y }) => ({ contender: OURS, x, y })),
	});

	const sandboxes = organizations.map(({ sandbox }) => sandbox);
	expect(sandboxes.flatMap(({ questions }) => questions)).toHaveLength(EXECUTIONS * QUESTIONS_OF_AN_EXECUTION);
	for (const { callbackFaults } of sandboxes) Object.assign(callbackFaults, { drop: LOST, duplicate: DOUBLED });

	const over = new AbortController();
	const since = Date.now();
	const others = startOthers(over.signal);
	const kills = killInTurn(over.signal);
	await answerAll();
	const retried = await allOver();
	const minutes = (Date.now() - since) / 60_000;
	over.abort();
	const [starts, killed] = await Promise.all([others, kills]);

	const texts = new Map(sandboxes.flatMap(({ questions }) => questions.map(({ id, text: words }) => [id, words])));
	const out: string[] = [];
	const failures: string[] = [];
	for (const id of (await statuses(workflows())).keys()) {
		const execution = await fleet.n8n.execution(id);
		out.push(...putOut(execution, texts));
		if (execution.status !== 'success') failures.push(execution.failure?.message ?? execution.status);
	}
	const deliveries = sandboxes.flatMap(({ callbacks }) => callbacks);
	const requests = sandboxes.flatMap((sandbox) => sandbox.requests);
	const replies = deliveries.map(({ dropped, status, error }) => (dropped ? 'dropped' : String(status ?? error)));

	const note = `In ${minutes.toFixed(1)} minutes ${killed.length} kills: ${killed.join(', ')}. Deliveries: ${tally(replies)}. Executions that did not succeed: ${tally(failures)}.`;
	const what = `${texts.size.toLocaleString('en-US')} questions in ${EXECUTIONS} executions`;
	figure(`${what}: lost`, 'questions', [...texts.keys()].filter((id) => !out.includes(id)).length, [{ atMost: 0 }], note);
	figure(`${what}: asked twice`, 'questions', doubles([...texts.values()]), [{ atMost: 0 }]);
	figure(`${what}: put out twice`, 'questions', doubles(out), [{ atMost: 0 }]);
	figure(`${what}: executions that ended without success, and went on with a retry`, 'executions', retried.size);
	figure('requests to the API per answer', 'requests', requests.length / texts.size, [], `${requests.filter(({ method }) => method === 'GET').length.toLocaleString('en-US')} of them are looks at questions.`);
	const sorted = starts.toSorted((one, other) => one - other);
	const within = (portion: number): number => sorted[Math.ceil(portion * sorted.length) - 1] ?? Number.NaN;
	results.figure({
		what: 'another workflow meanwhile: from the call of its webhook to what its second node does',
		unit: 'ms',
		contenders: { 'half of them within': [within(0.5)], '95 % within': [within(0.95)], 'all within': [within(1)] },
		targets: [{ of: '95 % within', atMost: 1_000 }],
		note: `${starts.length} starts, one a second; ${starts.filter((ms) => ms > 1_000).length} took longer than a second.`,
	});
	const last = rows.at(-1);
	const first = rows[0];
	if (first === undefined || last === undefined) throw new Error('No rows were counted');
	figure('rows in n8n’s database for each parked execution', 'rows', (last.rows - first.rows) / (last.parked - first.parked));
	const perQuestion = (questions: number): number[] => wakes.filter((wake_) => wake_.questions === questions).map(({ ms }) => ms / questions);
	results.figure({
		what: 'time of a wake for each question that it looks at',
		unit: 'ms',
		contenders: Object.fromEntries(PROBES.map((questions) => [`${questions} questions`, perQuestion(questions)])),
		targets: [{ of: '50 questions', against: '20 questions', atMost: 1.1 }],
		note: 'From a worker’s start of the execution to its end, in which it is parked again.',
	});
});
