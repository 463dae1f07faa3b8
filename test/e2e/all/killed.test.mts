import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Random } from '../../sandbox/random.mts';
import { type Fault, startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { credentialType } from '../../support/n8n/examples.mts';
import { finalStatuses, itemsOf, type Execution, type ExecutionStatus } from '../../support/n8n/executions.mts';
import { startN8n, type N8n } from '../../support/n8n/n8n.mts';
import { chain, legalAi, node, webhook } from '../../support/n8n/workflows.mts';
import { until } from '../../support/polling.mts';
import { hasBeenParked, storedStatuses, wakeAllNow } from '../storedExecutions.mts';
import { wakingEveryTwoSeconds } from '../wakingSoon.mts';

const seed = 20_261_121;
const kills = 6;
const executionsOfABatch = 8;
const questionsOfAnExecution = 5;
/** Within this time (ms) of a batch's start n8n is killed, and questions are answered. */
const longest = 3_000;

/**
 * n8n then goes by the stored states alone. Its default goes by its log of events too, which is written a little later:
 * killed in that moment, it would now and then leave a running execution as it is, and give up one just parked.
 */
const simpleRecovery = { N8N_EVENTBUS_RECOVERY_MODE: 'simple' };

const random = new Random(seed);
const path = 'killed';

/** How often the kills met what. */
const met = { 'in the middle of asking': 0, 'in the middle of a look': 0, parked: 0 };
/** Executions whose questions nobody knows any more: n8n was killed before they were stored. */
const unknown = new Set<string>();
/** Crashed executions that were retried, or that are unknown. */
const dealtWith = new Set<string>();

let n8n: N8n;
let sandbox: Sandbox;
/** Of each request, how many the service has begun to answer. */
let posts: Fault;
let looks: Fault;
beforeAll(async () => {
	n8n = await startN8n({ environment: { ...simpleRecovery, ...wakingEveryTwoSeconds } });
	sandbox = await startSandbox({ newSessionsPerMinute: Infinity, requestsPerMinute: Infinity });
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to ${text}`, after: random.between(0, 3 * longest) });
	sandbox.callbackFaults.drop = () => random.between(0, 3) < 1;
	posts = sandbox.faults.add({ kind: 'latency', ms: 400, times: Infinity, match: ({ method }) => method === 'POST' });
	looks = sandbox.faults.add({ kind: 'latency', ms: 1_500, times: Infinity, match: ({ method }) => method === 'GET' });
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const credential = await n8n.createCredential(credentialType, 'Killed', { baseUrl, apiKey, webhookSecret });
	const items = node('Items', 'n8n-nodes-base.splitOut', {
		fieldToSplitOut: 'body.words',
		options: { destinationFieldName: 'words' },
	});
	const ask = legalAi('Ask', credential, { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}' });
	const after = node('After', 'n8n-nodes-base.noOp', {});
	await n8n.publish(chain(path, [webhook(path), items, ask, after]));
});
afterAll(async () => {
	await n8n.close();
	await sandbox.close();
});

function questionsOf(name: string): string[] {
	return Array.from({ length: questionsOfAnExecution }, (_, index) => `${name} ${index}`);
}

/** Starts an execution; whether n8n dies over it does not matter. */
async function start(name: string): Promise<void> {
	const body = JSON.stringify({ words: questionsOf(name) });
	const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
	await n8n.callWebhook(path, request).catch(() => undefined);
}

/** The executions in some state. */
function those(are: (status: ExecutionStatus) => boolean): string[] {
	return [...storedStatuses(n8n)].flatMap(([id, status]) => (are(status) ? [id] : []));
}

const isUnfinished = (status: ExecutionStatus): boolean => !finalStatuses.includes(status);

/** What has crashed and was parked before goes on with a retry. */
async function retryAll(crashed: readonly string[]): Promise<void> {
	const parked = crashed.filter((id) => hasBeenParked(n8n, id));
	for (const id of crashed) {
		dealtWith.add(id);
		if (!parked.includes(id)) unknown.add(id);
	}
	met['in the middle of a look'] += parked.length;
	met['in the middle of asking'] += crashed.length - parked.length;
	await Promise.all(parked.map((id) => n8n.session.post(`/executions/${id}/retry`)));
}

/** Every question of an execution came out, in order, with its own answer; gives their texts. */
function answered(execution: Execution): string[] {
	const asked = new Map(sandbox.questions.map(({ id, text }) => [id, text]));
	const items = itemsOf(execution, 'After').map(({ json }) => json);
	const texts = items.map(({ id }) => (typeof id === 'string' ? asked.get(id) : undefined) ?? 'never asked');
	expect(texts).toEqual(questionsOf(texts[0]?.replace(/ \d+$/, '') ?? ''));
	expect(items.map(({ answer }) => answer)).toEqual(texts.map((text) => `Answer to ${text}`));
	return texts;
}

/** Waits until the service has one more of these requests; parked executions are woken meanwhile. */
async function oneMore(requests: Fault): Promise<void> {
	const before = requests.fired;
	await until('another request', () => {
		wakeAllNow(n8n);
		return Promise.resolve(requests.fired > before ? true : undefined);
	}, { timeout: 30_000, interval: 100 });
}

async function somethingParked(): Promise<void> {
	await until('an execution to be parked', () => Promise.resolve(those((status) => status === 'waiting').length > 0 ? true : undefined));
}

async function allOver(): Promise<void> {
	await until('all executions to be over', () => {
		wakeAllNow(n8n);
		return Promise.resolve(those(isUnfinished).length === 0 ? true : undefined);
	}, { timeout: 60_000, interval: 1_000 }, () => JSON.stringify([...storedStatuses(n8n)]));
}

/** When n8n is killed: once at each of these moments, then at any. */
const moments = [
	async () => { await oneMore(posts); },
	async () => { await oneMore(looks); },
	somethingParked,
];

test(`n8n killed ${kills} times while batches of questions are out: none is asked twice, none is lost`, async () => {
	for (let kill = 1; kill <= kills; kill += 1) {
		wakeAllNow(n8n);
		const batch = Array.from({ length: executionsOfABatch }, (_, index) => start(`${kill}.${index}`));
		await (moments[kill - 1]?.() ?? sleep(random.between(0, longest)));
		await n8n.kill('SIGKILL');
		await Promise.all(batch);
		met.parked += those((status) => status === 'waiting').length;
		const cut = those((status) => status === 'running');
		await n8n.restart();
		const crashed = await until('n8n to tell what has crashed', () => {
			const found = new Set(those((status) => status === 'crashed'));
			return Promise.resolve(cut.every((id) => found.has(id)) ? cut : undefined);
		});
		await retryAll(crashed);
	}

	await allOver();
	// n8n wakes what is parked before it looks for what it was killed over, and may call crashed what it has just woken.
	await retryAll(those((status) => status === 'crashed').filter((id) => !dealtWith.has(id)));
	await allOver();

	const ended = [...storedStatuses(n8n)];
	expect(ended.filter(([, status]) => status !== 'success' && status !== 'crashed')).toEqual([]);
	const out: string[] = [];
	for (const [id, status] of ended) if (status === 'success') out.push(...answered(await n8n.execution(id)));
	expect(out.toSorted()).toEqual([...new Set(out)].toSorted());

	const texts = sandbox.questions.map(({ text }) => text);
	expect(texts.toSorted()).toEqual([...new Set(texts)].toSorted());
	const lost = new Set(texts.filter((text) => !out.includes(text)).map((text) => text.replace(/ \d+$/, '')));
	expect(lost.size).toBeLessThanOrEqual(unknown.size);
	expect(Object.entries(met).filter(([, times]) => times === 0)).toEqual([]);
}, 240_000);
