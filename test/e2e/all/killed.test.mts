import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Fault, Sandbox } from '../../sandbox/sandbox.mts';
import { finalStatuses, itemsOf, type ExecutionStatus } from '../../../harness/executions.mts';
import { startN8n, type N8n } from '../../../harness/n8n.mts';
import { until } from '../../../harness/polling.mts';
import { asText } from '../../../harness/unknownJson.mts';
import { chain, node, webhook } from '../../../harness/workflows.mts';
import { after, askAndWait } from '../parkedQuestions.mts';
import { openService } from '../service.mts';
import { hasAsked, storedStatuses, wakeAllNow } from '../storedExecutions.mts';
import { wakingEveryTwoSeconds } from '../wakingSoon.mts';

const executionsOfABatch = 8;
const questionsOfAnExecution = 5;
/** Longer than anything that an execution does between two requests to the service. */
const quietMs = 5_000;

/**
 * n8n then goes by the stored states alone. Its default goes by its log of events too, which is written a little later:
 * killed in that moment, it would now and then leave a running execution as it is, and give up one just parked.
 */
const simpleRecovery = { N8N_EVENTBUS_RECOVERY_MODE: 'simple' };

let n8n: N8n;
let sandbox: Sandbox;
/** Of each kind of request, how many the service has begun to answer. */
let posts: Fault;
let checks: Fault;
beforeAll(async () => {
	n8n = await startN8n({ environment: { ...simpleRecovery, ...wakingEveryTwoSeconds } });
	const service = await openService(n8n, { newSessionsPerMinute: Infinity, requestsPerMinute: Infinity });
	({ sandbox } = service);
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to ${text}`, after: 5_000 });
	// One in three: the answers of most executions are found by waking.
	sandbox.callbackFaults.drop = ({ questionId }) => sandbox.questions.findIndex(({ id }) => id === questionId) % 3 === 0;
	posts = sandbox.faults.add({ kind: 'latency', ms: 400, times: Infinity, match: ({ method }) => method === 'POST' });
	checks = sandbox.faults.add({ kind: 'latency', ms: 1_500, times: Infinity, match: ({ method }) => method === 'GET' });
	const items = node('Items', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.words', options: { destinationFieldName: 'words' } });
	await n8n.publish(chain('killed', [webhook('killed'), items, askAndWait(service.credential), after]));
});
afterAll(async () => {
	await n8n.close();
	await sandbox.close();
});

/** Starts executions, each with questions of its own; whether n8n dies over it does not matter. */
async function startBatch(batch: string): Promise<void> {
	const starts = Array.from({ length: executionsOfABatch }, async (_, execution) => {
		const words = Array.from({ length: questionsOfAnExecution }, (_each, index) => `${batch} ${execution} ${index}`);
		const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ words }) };
		await n8n.callWebhook('killed', request).catch(() => undefined);
	});
	await Promise.all(starts);
}

/** The executions in some state. */
function those(are: (status: ExecutionStatus) => boolean): string[] {
	return [...storedStatuses(n8n)].flatMap(([id, status]) => (are(status) ? [id] : []));
}

/** Waits until the service has one more of these requests; parked executions are woken meanwhile. */
async function oneMore(requests: Fault): Promise<void> {
	const before = requests.fired;
	await until('another request', () => {
		wakeAllNow(n8n);
		return Promise.resolve(requests.fired > before ? true : undefined);
	}, { timeout: 30_000, interval: 100 });
}

/**
 * Waits until nothing runs any more. The stored states alone don't tell: n8n wakes what is parked before it looks for what it was
 * killed over, and may call crashed what it has just woken, which goes on. Such an execution sends requests to its end.
 */
async function allOver(): Promise<void> {
	await until('all executions to be over', () => {
		wakeAllNow(n8n);
		const isQuiet = Date.now() - (sandbox.requests.at(-1)?.at ?? 0) > quietMs;
		return Promise.resolve(isQuiet && those((status) => !finalStatuses.includes(status)).length === 0 ? true : undefined);
	}, { timeout: 90_000, interval: 500 }, () => JSON.stringify([...storedStatuses(n8n)]));
}

test.each<[string, () => Promise<unknown>, () => boolean]>([
	['in the middle of asking', async () => { await oneMore(posts); }, () => those((status) => status === 'running').length > 0],
	['in the middle of a check', async () => { await oneMore(checks); }, () => those((status) => status === 'running').some((id) => hasAsked(n8n, id))],
	[
		'while executions are parked',
		async () => await until('a parked execution', () => Promise.resolve(those((status) => status === 'waiting')[0])),
		() => those((status) => status === 'waiting').length > 0,
	],
])('n8n killed %s: no question is asked twice, and every answer comes out once', async (batch, moment, isMet) => {
	const known = new Set(storedStatuses(n8n).keys());
	const started = startBatch(batch);
	await moment();
	await n8n.kill('SIGKILL');
	expect(isMet()).toBe(true);
	await started;
	await n8n.restart();

	await allOver();
	const crashed = those((status) => status === 'crashed').filter((id) => !known.has(id));
	// If n8n was killed before it could store what was asked, nobody knows of it: such an execution is not retried.
	const forgotten = crashed.filter((id) => !hasAsked(n8n, id));
	for (const id of crashed) if (!forgotten.includes(id)) await n8n.retry({ id });
	await allOver();

	const ended = [...storedStatuses(n8n)].filter(([id]) => !known.has(id));
	expect(ended.filter(([, status]) => status !== 'success' && status !== 'crashed')).toEqual([]);
	const out: string[] = [];
	for (const [id, status] of ended) {
		if (status !== 'success') continue;
		const answers = itemsOf(await n8n.execution(id), 'After').map(({ json }) => asText(json.answer, 'An answer').replace('Answer to ', ''));
		const [execution = ''] = /^.* \d+(?= \d+$)/.exec(answers[0] ?? '') ?? [];
		expect(answers).toEqual(Array.from({ length: questionsOfAnExecution }, (_, index) => `${execution} ${index}`));
		out.push(...answers);
	}
	expect(out.length).toBe(new Set(out).size);

	const asked = sandbox.questions.map(({ text }) => text).filter((text) => text.startsWith(batch));
	expect(asked.length).toBe(new Set(asked).size);
	const lost = new Set(asked.filter((text) => !out.includes(text)).map((text) => text.replace(/ \d+$/, '')));
	expect(lost.size).toBeLessThanOrEqual(forgotten.length);
}, 240_000);
