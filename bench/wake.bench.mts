import { setTimeout as sleep } from 'node:timers/promises';

import { test } from 'vitest';

import { legalAi, node } from '../test/support/n8n/workflows.mts';
import { httpRequest, posted, waitFor } from './support/handBuilt.mts';
import { processorTime } from './support/process.mts';
import { OURS, resultsOf } from './support/results.mts';
import { amounts, isQuick } from './support/rounds.mts';
import { openSessions } from './support/sessions.mts';
import { type Account, type Published, Stage } from './support/stage.mts';

const HAND_BUILT = 'HTTP Request, Wait, HTTP Request';
/** Below what the limit of requests leaves to one key: more executions are spread over several. */
const PER_ACCOUNT = 100;
const AT_ONCE = 4;
const CALM_MS = 5_000;
const WRITES = /\b(INSERT INTO|UPDATE|DELETE FROM) "/;

const results = resultsOf('wake', 'Waking parked executions');

type Publish = (account: Account) => Promise<Published>;

const ours = (stage: Stage): Publish => async ({ credential }) => {
	const additionalFields = { sessionId: '={{ $json.body.session }}' };
	const ask = { resource: 'question', operation: 'askAndWait', question: 'May we sign?', additionalFields, options: { maxWait: 10 } };
	return await stage.publish('Legal AI', [legalAi('Ask', credential, ask), done], { responseMode: 'onReceived' });
};

const handBuilt = (stage: Stage): Publish => async (account) => {
	const ask = posted('={{ JSON.stringify({ question: "May we sign?", session_id: $json.body.session }) }}');
	return await stage.publish('Hand-built', [
		httpRequest('Ask', account, '/assistants/default/questions', ask),
		waitFor(120),
		httpRequest('Look', account, '=/assistants/default/questions/{{ $json.id }}'),
		done,
	], { responseMode: 'onReceived' });
};

const done = node('Done', 'n8n-nodes-base.noOp', {});

interface Wakes {
	/** Of n8n's processor time, a wake; in ms. */
	readonly time: number;
	/** Statements that write, a wake; 0 where n8n does not log them. */
	readonly writes: number;
}

/** Parks executions, lets n8n wake them, and tells what a wake costs, beyond what an idle n8n uses. */
async function wakes(stage: Stage, publish: Publish, count: number): Promise<Wakes> {
	const parked = await Promise.all(
		Array.from({ length: Math.ceil(count / PER_ACCOUNT) }, async (_, index) => {
			const account = await stage.account();
			const sessions = await openSessions(account.sandbox, Math.min(PER_ACCOUNT, count - index * PER_ACCOUNT));
			account.sandbox.settings.answer = () => ({ status: 'completed', answer: 'You may sign it.', after: 50_000 });
			account.sandbox.callbackFaults.drop = true;
			return { account, sessions, workflow: await publish(account) };
		}),
	);
	const { pid } = stage.n8n;
	const idleFrom = await processorTime(pid);
	await sleep(CALM_MS);
	const idle = (await processorTime(pid)) - idleFrom;

	const starts = parked.flatMap(({ workflow, sessions }) => sessions.map((session) => async () => { await workflow.start({ session }); })).values();
	await Promise.all(Array.from({ length: AT_ONCE }, async () => {
		for (const start of starts) await start();
	}));
	for (const { workflow, sessions } of parked) await workflow.reached(sessions.length, ['waiting']);
	await sleep(CALM_MS);
	const looks = parked.flatMap(({ account }) => account.sandbox.requests).filter(({ method }) => method === 'GET');
	if (looks.length > 0) throw new Error('The first executions woke before the last were parked');

	const began = performance.now();
	const timeBefore = await processorTime(pid);
	const logBefore = stage.n8n.log.length;
	for (const { workflow, sessions } of parked) await workflow.reached(sessions.length, ['success'], { interval: 2_000 });
	await sleep(CALM_MS);
	const used = (await processorTime(pid)) - timeBefore - (idle * (performance.now() - began)) / CALM_MS;
	const writes = stage.n8n.log.slice(logBefore).split('\n').filter((line) => WRITES.test(line));
	return { time: used / count, writes: writes.length / count };
}

test('1 to 1,000 parked executions', async () => {
	const stage = await Stage.open();
	const points = [];
	let most: Record<string, number[]> = {};
	for (const count of amounts(1, 10, 100, 1_000)) {
		const own = await wakes(stage, ours(stage), count);
		const theirs = await wakes(stage, handBuilt(stage), count);
		points.push({ contender: OURS, x: count, y: own.time * count }, { contender: HAND_BUILT, x: count, y: theirs.time * count });
		most = { [OURS]: [own.time], [HAND_BUILT]: [theirs.time] };
	}
	await stage.close();
	results.curve({ what: "Waking parked executions: n8n's processor time", x: 'executions', y: 'ms', points });
	results.figure({
		what: `n8n's processor time for a wake, of ${Math.max(...points.map(({ x }) => x))} parked executions`,
		unit: 'ms each',
		contenders: most,
		targets: [{ atMost: 50 }],
		note: 'A wake asks the service once, and ends the execution with the answer.',
	});
});

test('database writes', async () => {
	const stage = await Stage.open({ DB_LOGGING_ENABLED: 'true', DB_LOGGING_OPTIONS: 'query', N8N_LOG_LEVEL: 'debug' });
	const count = isQuick ? 2 : 20;
	const [own, theirs] = [await wakes(stage, ours(stage), count), await wakes(stage, handBuilt(stage), count)];
	await stage.close();
	results.figure({
		what: 'statements that write to the database, a wake',
		unit: 'statements',
		contenders: { [OURS]: [own.writes], [HAND_BUILT]: [theirs.writes] },
		targets: [{ against: HAND_BUILT, atMost: 1.5 }],
	});
});
