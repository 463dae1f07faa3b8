import { accelerateClock, releaseClock } from '../../test/support/clock.mts';
import { runNode } from '../../test/support/engine/engine.mts';
import { Instance } from '../../test/support/engine/instance.mts';
import { type Sandbox, startSandbox } from '../../test/sandbox/sandbox.mts';
import { isQuick } from './rounds.mts';

/** How many new sessions the service takes in a minute. */
export const SESSIONS = 60;
/** Far longer than any run takes. */
const LONG_MS = 24 * 60 * 60_000;
/** n8n's engine takes in each callback: at ten times the speed, that alone would count. */
export const CALLBACK_SPEED = isQuick ? 30 : 4;

/** Does something at a sandbox, and tells how long it took. */
export type Job = (sandbox: Sandbox, n8n: Instance) => Promise<number>;

let seed = 0;

/** Runs something against a sandbox of its own, with a key that nobody has used, on the faster clock. */
export async function atLimits(job: Job, speed: number) {
	accelerateClock(speed);
	seed += 1;
	const sandbox = await startSandbox({ seed });
	const n8n = await Instance.start();
	n8n.track();
	const ms = await job(sandbox, n8n);
	await n8n.close();
	await sandbox.close();
	releaseClock();
	const told = sandbox.requests.filter(({ status }) => status === 429).length;
	return { ms, told, requests: sandbox.requests.length };
}

/** Asks so many questions with the Legal AI node, to the end of all its runs. */
export async function legalAi(
	sandbox: Sandbox,
	n8n: Instance,
	count: number,
	operation: 'ask' | 'askAndWait',
) {
	const items = Array.from({ length: count }, (_, index) => ({
		json: { words: `Question ${index}` },
	}));
	const parameters = { resource: 'question', operation, question: '={{ $json.words }}' };
	let run = await runNode({ service: sandbox, n8n, items, parameters });
	while (run.status === 'waiting') run = await run.resumed(LONG_MS);
	if (run.json.length !== count)
		throw new Error(
			`${count} questions gave ${run.json.length} items: ${run.error?.message ?? ''}`,
		);
	return run;
}

/** Asks so many questions and waits for their answers. */
export const askingAndWaiting =
	(count: number): Job =>
	async (sandbox, n8n) => {
		const began = Date.now();
		const { json } = await legalAi(sandbox, n8n, count, 'askAndWait');
		if (json.some(({ status }) => status !== 'completed'))
			throw new Error('Not every question was answered');
		return Date.now() - began;
	};
