import { setTimeout as sleep } from 'node:timers/promises';

import type { INode, INodeParameters } from 'n8n-workflow';

import type { SandboxSettings } from '../test/sandbox/sandbox.mts';
import { legalAi, questions } from '../harness/workflows.mts';
import { asRecord } from '../harness/unknownJson.mts';
import { askAndPoll, askAndWait } from './support/handBuilt.mts';
import { OURS, resultsOf } from './support/results.mts';
import { isQuick, ROUNDS } from './support/rounds.mts';
import { openSessions } from './support/sessions.mts';
import { type Account, type Published, Stage } from './support/stage.mts';

const POLLING = 'Legal AI, polling';
const WAIT = 'HTTP Request, Wait for the callback';
const LOOP = 'HTTP Request, a check every 30 s';

const results = resultsOf('waiting', 'Waiting for answers');

let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open();
});
afterAll(async () => {
	await stage.close();
});

type Publish = (account: Account) => Promise<Published>;

const ours =
	(before: readonly INode[], parameters: INodeParameters = {}): Publish =>
	async ({ credential }) => {
		const ask = {
			resource: 'question',
			operation: 'askAndWait',
			question: 'May we sign?',
			...parameters,
		};
		return await stage.publish('Legal AI', [...before, legalAi('Ask', credential, ask)], {
			responseMode: 'onReceived',
		});
	};

const waitNode: Publish = async (account) =>
	await stage.publish('Wait', askAndWait(account), { responseMode: 'onReceived' });

const loop =
	(before: readonly INode[], session?: string): Publish =>
	async (account) => {
		const { nodes, connections } = askAndPoll(account, 30, session);
		return await stage.publish('Loop', [...before, ...nodes], {
			responseMode: 'onReceived',
			connections,
		});
	};

/** How many requests an answer takes, and how many of them look in the minute with the most: a value a round, each at a service of its own, rounds side by side. */
async function requestsOf(
	publish: Publish,
	answerTime: SandboxSettings['answerTime'],
	losesCallbacks = false,
): Promise<{ perAnswer: number[]; worstMinute: number[] }> {
	const rounds = await Promise.all(
		Array.from({ length: ROUNDS }, async () => {
			const account = await stage.account({ answerTime });
			account.sandbox.callbackFaults.drop = losesCallbacks;
			const workflow = await publish(account);
			await workflow.start();
			await workflow.reached(1, ['success']);
			const { requests, questions: asked } = account.sandbox;
			if (asked.length === 0 || asked.some(({ status }) => status !== 'completed'))
				throw new Error('Not every question was answered');
			const looks = requests.filter(({ method }) => method === 'GET').map(({ at }) => at);
			const inMinuteFrom = (from: number): number =>
				looks.filter((at) => at >= from && at < from + 60_000).length;
			return {
				perAnswer: requests.length / asked.length,
				worstMinute: Math.max(0, ...looks.map(inMinuteFrom)),
			};
		}),
	);
	return {
		perAnswer: rounds.map(({ perAnswer }) => perAnswer),
		worstMinute: rounds.map(({ worstMinute }) => worstMinute),
	};
}

async function requestsPerAnswer(...given: Parameters<typeof requestsOf>): Promise<number[]> {
	return (await requestsOf(...given)).perAnswer;
}

test('requests, with callbacks', async () => {
	results.figure({
		what: 'requests per answer: one question, called back',
		unit: 'requests',
		contenders: {
			[OURS]: await requestsPerAnswer(ours([]), [3_000, 5_000]),
			[WAIT]: await requestsPerAnswer(waitNode, [3_000, 5_000]),
		},
		targets: [{ atMost: 2.05 }],
		meaning:
			'An answer takes two of your 400 requests a minute: one asks, one fetches it. What is posted to n8n’s Wait node is taken as it comes, unless a workflow checks its signature.',
	});
	const [count, answerTime] = isQuick
		? [6, [5_000, 8_000] as const]
		: [60, [30_000, 90_000] as const];
	const own = await requestsOf(ours([questions(count)]), answerTime);
	results.figure({
		what: `requests per answer: ${count} questions in one execution, called back`,
		unit: 'requests',
		contenders: {
			[OURS]: own.perAnswer,
			[LOOP]: await requestsPerAnswer(loop([questions(count)]), answerTime),
		},
		targets: [{ atMost: 2.05 }],
		meaning:
			'A batch waits as one question does. n8n’s Wait node resumes once, so with it a batch has to check for its answers.',
	});
	results.figure({
		what: `looks for answers in the minute with the most: ${count} questions in one execution, called back`,
		unit: 'requests',
		contenders: { [OURS]: own.worstMinute },
		targets: [{ atMost: count }],
		meaning: 'Each question is looked at once, whenever its callback comes.',
	});
});

test('requests, without callbacks', async () => {
	const answerTime = isQuick ? ([20_000, 20_000] as const) : ([180_000, 180_000] as const);
	const [woken, polled, looped] = await Promise.all([
		requestsPerAnswer(ours([]), answerTime, true),
		requestsPerAnswer(ours([], { options: { waitUsing: 'polling' } }), answerTime),
		requestsPerAnswer(loop([]), answerTime),
	]);
	results.figure({
		what: 'requests per answer: no callback arrives, the answer after 3 minutes',
		unit: 'requests',
		contenders: { [OURS]: woken, [POLLING]: polled, [LOOP]: looped },
		targets: [{ atMost: 2 }],
		meaning: 'Without callbacks, answers still arrive: at the first check, after 5 minutes.',
	});
});

/** How many executions run, looked at once a second while as many questions are open. */
async function held(publish: Publish): Promise<number[]> {
	const count = isQuick ? 5 : 100;
	const account = await stage.account();
	const sessions = await openSessions(account.sandbox, count);
	account.sandbox.settings.answer = () => ({
		status: 'completed',
		answer: 'You may sign it.',
		after: Infinity,
	});
	const published = await publish(account);
	for (const session of sessions) await published.start({ session });
	// A node without callbacks may check in its process for the first minute.
	await sleep(75_000);
	const counts: number[] = [];
	const filter = encodeURIComponent(
		JSON.stringify({ workflowId: published.workflow.id, status: ['new', 'running'] }),
	);
	while (counts.length < (isQuick ? 10 : 90)) {
		const answer = asRecord(
			await stage.n8n.session.get(`/executions?filter=${filter}&limit=1`),
			'The executions',
		);
		counts.push(Number(answer.count));
		await sleep(1_000);
	}
	return counts;
}

test('executions that are kept running', async () => {
	const additionalFields = { sessionId: '={{ $json.body.session }}' };
	const [own, polling, looping] = await Promise.all([
		held(ours([], { additionalFields })),
		held(ours([], { additionalFields, options: { waitUsing: 'polling' } })),
		held(loop([], '$json.body.session')),
	]);
	results.figure({
		what: 'executions running while 100 questions are open, each in its own',
		unit: 'executions',
		contenders: { [OURS]: own, [POLLING]: polling, [LOOP]: looping },
		targets: [{ atMost: 0 }, { of: POLLING, atMost: 0 }],
		meaning: 'Waiting keeps no worker busy.',
		note: 'Looked at 90 times, once a second. n8n’s Wait node stays in the process for waits below 65 s.',
	});
});
