import { setTimeout as sleep } from 'node:timers/promises';

import { type Execution, finalStatuses } from '../../harness/executions.mts';
import type { N8nClient, StoredCredential } from '../../harness/n8nClient.mts';
import { until } from '../../harness/polling.mts';
import { chain, legalAi, node, webhook } from '../../harness/workflows.mts';
import { Random } from '../sandbox/random.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { BEFORE, NODE } from '../support/engine/execution.mts';
import { after } from '../support/n8n/parkedQuestions.mts';
import { toCredential } from '../support/n8n/service.mts';
import { inLoop, operations, withSideBranch } from '../support/wait/asking.mts';

/** The same for the same seed. */
const moments = new Random(process.env.FAST_CHECK_SEED ?? '');

/** How many items each execution has. */
const ITEMS = 25;
/** The longest time between the first that has arrived and the kill, in ms: about as long as sending takes. */
const LONGEST_MS = 900;
/** The same while the next node runs, or in a loop: by the end of it, n8n's event log is written. */
const LONGEST_BEHIND_MS = 3_000;

/** When n8n is killed, and what is different then. */
const situations = [
	'sending',
	'next node running',
	'in a loop',
	'with a side branch',
	'retried twice',
	'credential changed',
] as const;
type Situation = (typeof situations)[number];

/** So many rounds, the situations one after the other, each with every operation. Of few, other commits try others. */
export function rounds() {
	const first = Math.floor(Number(process.env.FAST_CHECK_SEED ?? 0) / situations.length);
	return Array.from({ length: Number(process.env.KILLS ?? 18) }, (_, round) => ({
		round,
		situation: situations[(first + Math.floor(round / 3)) % situations.length] ?? 'sending',
	}));
}

/** The parts of a test in which n8n is killed. */
export interface Killing {
	n8n: N8nClient;
	service: Sandbox;
	credential: StoredCredential;
	/** Kills a process of n8n, and starts it again. */
	kill: () => Promise<void>;
	/** Has n8n wake what is parked. */
	wakeAll: () => unknown;
}

const isPost = ({ method }: { method: string }) => method === 'POST';

/**
 * One execution, killed at a random moment and retried until it is over: nothing is sent twice, and no item gets lost.
 *
 * @returns whether n8n had kept what a retry needs
 */
export async function killOnce(killing: Killing, situation: Situation, round: number) {
	const { n8n, service, credential, kill } = killing;
	const names = Object.keys(operations);
	const operation = names[round % names.length] ?? 'Ask';
	const path = `kill-${round}`;
	service.faults.add({ kind: 'latency', ms: 300, times: Infinity, match: isPost });
	const accepted = () =>
		[
			...service.questions.map(({ text }) => text),
			...service.tasks.ordered().map(({ title }) => title),
		].filter((text) => text.startsWith(path));

	const workflow = await n8n.publish(buildWorkflow(killing, situation, path, operation));
	await n8n.callWebhook(path);
	const isNext = situation === 'next node running' && operation !== 'Ask and Wait';
	await until(
		'the moment to kill',
		() => Promise.resolve(accepted().length >= (isNext ? ITEMS : 1) || undefined),
		{ interval: 10 },
	);
	await sleep(
		moments.between(0, isNext || situation === 'in a loop' ? LONGEST_BEHIND_MS : LONGEST_MS),
	);
	await kill();
	if (situation === 'credential changed') {
		const { baseUrl, ...key } = toCredential(service);
		await n8n.updateCredential(credential, { ...key, baseUrl: `${baseUrl}/` });
	}

	const known: string[] = [];
	let last = await over(killing, workflow.id, known);
	for (let retries = 0; isFailed(last) && retries < 4; retries += 1) {
		known.push(last.id);
		const retried = n8n.retry(last).catch(() => undefined);
		if (situation === 'retried twice' && retries === 0) {
			await sleep(moments.between(0, LONGEST_MS));
			await kill();
		}
		await retried;
		last = await over(killing, workflow.id, known);
	}

	const texts = accepted();
	expect(new Set(texts).size).toBe(texts.length);
	const out = (last.runs.After ?? []).flatMap(({ outputs }) => outputs[0] ?? []);
	// With an empty stack, as n8n often keeps it where a worker was killed, a retry ends at once, whatever the node.
	if (out.length === 0) return false;
	expect([last.status, out.length]).toEqual(['success', ITEMS]);
	const sure = out.filter(({ json }) => !isUnsure(json.error));
	expect(texts.length).toBeGreaterThanOrEqual(sure.length);
	return true;
}

function isFailed({ status }: Execution) {
	return status === 'crashed' || status === 'error';
}

function isUnsure(error: unknown) {
	return (
		typeof error === 'string' && /interrupted|sent before this retry|may be one of them/.test(error)
	);
}

function buildWorkflow(
	{ credential }: Killing,
	situation: Situation,
	path: string,
	operation: string,
) {
	const jsCode = `return Array.from({ length: ${ITEMS} }, (_, index) => ({ json: { words: '${path} ' + index } }));`;
	const loop = { batchSize: 5, options: {} };
	const slow = { resume: 'timeInterval', amount: 4, unit: 'seconds' };
	const row = chain(path, [
		webhook(path),
		node(BEFORE, 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 }),
		...(situation === 'in a loop'
			? [node('Loop', 'n8n-nodes-base.splitInBatches', loop, { typeVersion: 3 })]
			: []),
		legalAi(NODE, credential, operations[operation] ?? {}, { onError: 'continueRegularOutput' }),
		...(situation === 'next node running'
			? [node('Next', 'n8n-nodes-base.wait', slow, { typeVersion: 1.1, webhookId: path })]
			: []),
		after,
	]);
	if (situation === 'in a loop') return inLoop(row);
	return situation === 'with a side branch' ? withSideBranch(row, after.type) : row;
}

/** The newest execution of a workflow, once it is over: all others are known. */
async function over({ n8n, service, wakeAll }: Killing, workflowId: string, known: string[]) {
	const found = await until(
		'the execution to be over',
		async () => {
			await wakeAll();
			for (const { id, status } of service.questions)
				if (status === 'in_progress') await service.complete(id).catch(() => undefined);
			const executions = await n8n.executions(workflowId);
			return executions.find(
				({ id, status }) => !known.includes(id) && finalStatuses.includes(status),
			);
		},
		{ timeout: 240_000, interval: 500 },
	);
	return await n8n.execution(found.id);
}
