import { setTimeout as sleep } from 'node:timers/promises';

import { test } from 'vitest';

import type { Environment } from '../test/support/n8n/n8nProcess.mts';
import { until } from '../test/support/polling.mts';
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
const CALM_MS = 10_000;
const WRITES = /\b(INSERT INTO|UPDATE|DELETE FROM) "/;

const results = resultsOf('wake', 'Waking parked executions');

/** For how long executions stay parked: long enough to park them all before the first wakes. n8n stores waits from 65 s on. */
function parkedFor(count: number): { minutes: number; seconds: number } {
	return count > 100 ? { minutes: 2, seconds: 120 } : { minutes: 1.25, seconds: 75 };
}

type Publish = (stage: Stage, account: Account, count: number) => Promise<Published>;

const ours: Publish = async (stage, { credential }, count) => {
	const additionalFields = { sessionId: '={{ $json.body.session }}' };
	const options = { maxWait: parkedFor(count).minutes };
	const ask = { resource: 'question', operation: 'askAndWait', question: 'May we sign?', additionalFields, options };
	return await stage.publish('Legal AI', [legalAi('Ask', credential, ask), done], { responseMode: 'onReceived' });
};

const handBuilt: Publish = async (stage, account, count) => {
	const ask = posted('={{ JSON.stringify({ question: "May we sign?", session_id: $json.body.session }) }}');
	return await stage.publish('Hand-built', [
		httpRequest('Ask', account, '/assistants/default/questions', ask),
		waitFor(parkedFor(count).seconds),
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

/** What a wake costs in an n8n of its own, so that several can be measured at the same time. */
async function wakes(publish: Publish, count: number, environment: Environment = {}): Promise<Wakes> {
	const stage = await Stage.open(environment);
	try {
		return await wakesOf(stage, publish, count);
	} finally {
		await stage.close();
	}
}

/** Parks executions, lets n8n wake them, and tells what a wake costs, beyond what an idle n8n uses. */
async function wakesOf(stage: Stage, publish: Publish, count: number): Promise<Wakes> {
	const parked = await Promise.all(
		Array.from({ length: Math.ceil(count / PER_ACCOUNT) }, async (_, index) => {
			const account = await stage.account();
			const sessions = await openSessions(account.sandbox, Math.min(PER_ACCOUNT, count - index * PER_ACCOUNT));
			account.sandbox.settings.answer = () => ({ status: 'completed', answer: 'You may sign it.', after: 20_000 });
			account.sandbox.callbackFaults.drop = true;
			return { account, sessions, workflow: await publish(stage, account, count) };
		}),
	);
	const { pid } = stage.n8n;
	const starts = parked.flatMap(({ workflow, sessions }) => sessions.map((session) => async () => { await workflow.start({ session }); })).values();
	await Promise.all(Array.from({ length: AT_ONCE }, async () => {
		for (const start of starts) await start();
	}));
	for (const { workflow, sessions } of parked) await workflow.reached(sessions.length, ['waiting']);
	await sleep(CALM_MS);
	const looks = (): number => parked.flatMap(({ account }) => account.sandbox.requests).filter(({ method }) => method === 'GET').length;
	if (looks() > 0) throw new Error('The first executions woke before the last were parked');

	const began = performance.now();
	const timeBefore = await processorTime(pid);
	const logBefore = stage.n8n.log.length;
	// Asking n8n would cost it time: the service knows when all have woken.
	await until(`${count} looks`, () => Promise.resolve(looks() >= count ? true : undefined), { timeout: 600_000, interval: 500 });
	await sleep(CALM_MS);
	const used = (await processorTime(pid)) - timeBefore;
	const waited = performance.now() - began;
	for (const { workflow, sessions } of parked) await workflow.reached(sessions.length, ['success']);
	const writes = stage.n8n.log.slice(logBefore).split('\n').filter((line) => WRITES.test(line));
	await sleep(CALM_MS);
	const idleFrom = await processorTime(pid);
	await sleep(CALM_MS);
	const idle = ((await processorTime(pid)) - idleFrom) / CALM_MS;
	return { time: (used - idle * waited) / count, writes: writes.length / count };
}

test('1 to 1,000 parked executions', async () => {
	const points: { contender: string; x: number; y: number }[] = [];
	const measure = async (contender: string, publish: Publish, count: number): Promise<void> => {
		points.push({ contender, x: count, y: (await wakes(publish, count)).time * count });
	};
	await Promise.all(amounts(1, 10, 100).flatMap((count) => [measure(OURS, ours, count), measure(HAND_BUILT, handBuilt, count)]));
	// A thousand have to be parked before the first wakes, which takes a processor of its own.
	for (const count of amounts(1_000)) {
		await measure(OURS, ours, count);
		await measure(HAND_BUILT, handBuilt, count);
	}
	points.sort((one, other) => one.x - other.x);
	const most = Math.max(...points.map(({ x }) => x));
	const timeOf = (contender: string): number[] => points.filter((point) => point.x === most && point.contender === contender).map(({ y }) => y / most);
	results.curve({ what: "Waking parked executions: n8n's processor time", x: 'executions', y: 'ms', points });
	results.figure({
		what: `n8n's processor time for a wake, of ${most} parked executions`,
		unit: 'ms each',
		contenders: { [OURS]: timeOf(OURS), [HAND_BUILT]: timeOf(HAND_BUILT) },
		targets: [{ atMost: 50 }],
		note: 'A wake asks the service once, and ends the execution with the answer. Each contender has an n8n of its own.',
	});
});

test('database writes', async () => {
	const environment = { DB_LOGGING_ENABLED: 'true', DB_LOGGING_OPTIONS: 'query', N8N_LOG_LEVEL: 'debug' };
	const count = isQuick ? 2 : 20;
	const [own, theirs] = await Promise.all([wakes(ours, count, environment), wakes(handBuilt, count, environment)]);
	results.figure({
		what: 'statements that write to the database, a wake',
		unit: 'statements',
		contenders: { [OURS]: [own.writes], [HAND_BUILT]: [theirs.writes] },
		targets: [{ against: HAND_BUILT, atMost: 1.5 }],
	});
});
