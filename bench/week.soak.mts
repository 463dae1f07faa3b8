import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, test } from 'vitest';

import { until } from '../test/support/polling.mts';
import { asRecord } from '../test/support/unknownJson.mts';
import { legalAi, node } from '../test/support/n8n/workflows.mts';
import { OURS, resultsOf } from './support/results.mts';
import { type Account, type Published, Stage } from './support/stage.mts';

const QUESTIONS = Number(process.env.SOAK_QUESTIONS ?? 10_000);
const QUESTIONS_OF_AN_EXECUTION = 10;
/** The node opens 60 sessions a minute at most for an organization: the next batch is another's. */
const QUESTIONS_OF_A_BATCH = 60;
const EXECUTIONS_OF_A_BATCH = QUESTIONS_OF_A_BATCH / QUESTIONS_OF_AN_EXECUTION;
const LOOKS_AT_MEMORY = 10;
const FULL_AFTER_LOOKS = 6;
const MEGABYTE = 1024 * 1024;
const LONGEST_MS = 20 * 60_000;

const results = resultsOf('week', `A week in minutes: ${QUESTIONS.toLocaleString('en-US')} questions through one n8n`, 'soak');

let stage: Stage;
beforeAll(async () => {
	const preloaded = fileURLToPath(new URL('support/watchedState.cjs', import.meta.url));
	stage = await Stage.open({ NODE_OPTIONS: `--require=${preloaded}` });
});
afterAll(async () => {
	await stage.close();
});

/** What is alive in n8n once garbage is collected. */
interface Memory {
	/** Questions that have been answered until then. */
	readonly answered: number;
	readonly heapMegabytes: number;
	readonly residentMegabytes: number;
	/** Entries in all maps and sets of the package's own. */
	readonly entries: number;
}

async function lookAtMemory(answered: number): Promise<Memory> {
	const states = () => [...stage.n8n.log.matchAll(/^STATE (.*)$/gm)];
	const known = states().length;
	process.kill(stage.n8n.pid, 'SIGUSR2');
	const [, state = ''] = await until('n8n to tell its state', () => Promise.resolve(states()[known]));
	const { heapUsed, rss, entries } = asRecord(JSON.parse(state), 'A state');
	const memory = { answered, heapMegabytes: Number(heapUsed) / MEGABYTE, residentMegabytes: Number(rss) / MEGABYTE, entries: Number(entries) };
	console.log(`${answered} questions: ${memory.heapMegabytes.toFixed(1)} MB of heap, ${memory.residentMegabytes.toFixed(0)} MB in all, ${memory.entries} entries`);
	return memory;
}

/** Another organization asks as many questions as it may in a minute, and has them answered by callback. Returns its requests. */
async function runBatch(workflow: Published, account: Account, batch: number): Promise<number> {
	const sandbox = await account.renew();
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: `Answer to ${text}`, after: Infinity });
	for (let index = 0; index < EXECUTIONS_OF_A_BATCH; index += 1) {
		const name = `Batch ${batch}, execution ${index}, question`;
		await workflow.start({ words: Array.from({ length: QUESTIONS_OF_AN_EXECUTION }, (_, item) => `${name} ${item}`) });
	}
	await workflow.reached(EXECUTIONS_OF_A_BATCH, ['waiting'], { interval: 100 });
	await Promise.all(sandbox.questions.map(async ({ id }) => { await sandbox.complete(id); }));
	await workflow.reached((batch + 1) * EXECUTIONS_OF_A_BATCH, ['success'], { interval: 100 });
	if (sandbox.questions.length !== QUESTIONS_OF_A_BATCH) throw new Error(`${sandbox.questions.length} questions were asked`);
	return sandbox.requests.length;
}

test(`${QUESTIONS} questions`, { timeout: LONGEST_MS }, async () => {
	const account = await stage.account();
	const items = node('Items', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.words', options: { destinationFieldName: 'words' } });
	const ask = legalAi('Ask', account.credential, { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}' });
	const workflow = await stage.publish('Week', [items, ask, node('After', 'n8n-nodes-base.noOp', {})], { responseMode: 'onReceived' });

	const batches = Math.ceil(QUESTIONS / QUESTIONS_OF_A_BATCH);
	const memories: Memory[] = [];
	let requests = 0;
	for (let batch = 0; batch < batches; batch += 1) {
		requests += await runBatch(workflow, account, batch);
		const looks = Math.floor(((batch + 1) * LOOKS_AT_MEMORY) / batches);
		if (looks > memories.length) memories.push(await lookAtMemory((batch + 1) * QUESTIONS_OF_A_BATCH));
	}

	// By then, what is bounded is full: a hundred services are known.
	const [settled, last] = [memories[FULL_AFTER_LOOKS - 1], memories.at(-1)];
	if (settled === undefined || last === undefined) throw new Error('Nobody has looked at the memory');
	const [early, late] = [settled, last].map(({ answered }) => `after ${answered.toLocaleString('en-US')} questions`) as [string, string];
	const compare = (what: string, unit: string, of: (memory: Memory) => number, note: string): void => {
		const contenders = { [early]: [of(settled)], [late]: [of(last)] };
		results.figure({ what, unit, contenders, targets: [{ of: late, against: early, atMost: 1.1 }], note });
	};
	compare('entries in the maps and sets of this package', 'entries', ({ entries }) => entries, 'All that its modules have made and that are still alive once garbage is collected.');
	compare('n8n’s heap', 'MB', ({ heapMegabytes }) => heapMegabytes, 'What is alive once garbage is collected, n8n’s own included.');
	compare('n8n’s process', 'MB', ({ residentMegabytes }) => residentMegabytes, 'Resident memory.');
	results.figure({
		what: 'requests to the API per answer, through the whole week',
		unit: 'requests',
		contenders: { [OURS]: [requests / (batches * QUESTIONS_OF_A_BATCH)] },
		targets: [{ atMost: 1 }],
	});
	results.curve({
		what: 'What is alive in n8n',
		x: 'questions answered',
		y: 'MB of heap; entries',
		points: memories.flatMap(({ answered: x, heapMegabytes, entries }) => [
			{ contender: 'heap, MB', x, y: heapMegabytes },
			{ contender: 'entries in the maps and sets of this package', x, y: entries },
		]),
	});
});
