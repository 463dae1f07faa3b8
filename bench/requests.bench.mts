import type { INode, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, test } from 'vitest';

import { legalAi, questions } from '../test/support/n8n/workflows.mts';
import type { Sandbox, SandboxSettings } from '../test/sandbox/sandbox.mts';
import { askAndPoll, askAndWait } from './support/handBuilt.mts';
import { PlainProgram } from './support/plainProgram.mts';
import { OURS, PLAIN, resultsOf } from './support/results.mts';
import { isQuick, ROUNDS } from './support/rounds.mts';
import { type Account, type Published, Stage } from './support/stage.mts';

const WAIT = 'HTTP Request, Wait for the callback';
const LOOP = 'HTTP Request, a look every 30 s';

const results = resultsOf('requests', 'Requests to the API per answered question');

let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open();
});
afterAll(async () => {
	await stage.close();
});

type Contender = (account: Account) => Promise<() => Promise<void>>;

function ours(before: readonly INode[], parameters: INodeParameters = {}): Contender {
	return async ({ credential }) => {
		const ask = { resource: 'question', operation: 'askAndWait', question: 'May we sign?', ...parameters };
		return untilOver(await stage.publish('Legal AI', [...before, legalAi('Ask', credential, ask)], { responseMode: 'onReceived' }));
	};
}

/** The same at a service whose callbacks all get lost. */
function withoutCallbacks(contender: Contender): Contender {
	return async (account) => {
		account.sandbox.callbackFaults.drop = () => true;
		return await contender(account);
	};
}

const waitNode: Contender = async (account) =>
	untilOver(await stage.publish('Wait', askAndWait(account), { responseMode: 'onReceived' }));

function loop(before: readonly INode[]): Contender {
	return async (account) => {
		const { nodes, connections } = askAndPoll(account, 30);
		return untilOver(await stage.publish('Loop', [...before, ...nodes], { responseMode: 'onReceived', connections }));
	};
}

function plainly(job: 'askAndReceive' | 'poll', count = 1): Contender {
	return async ({ baseUrl, sandbox: { apiKey } }) => {
		const plain = await PlainProgram.start();
		return async () => {
			await plain.run(job, { baseUrl, apiKey, questions: count });
			plain.stop();
		};
	};
}

function untilOver(workflow: Published): () => Promise<void> {
	return async () => {
		await workflow.start();
		await workflow.reached(1, ['success']);
	};
}

/** How many requests a contender needs for an answer: a value a round, each at a sandbox of its own, rounds side by side. */
async function requestsPerAnswer(contender: Contender, answerTime: SandboxSettings['answerTime'], rounds = ROUNDS): Promise<number[]> {
	return await Promise.all(
		Array.from({ length: rounds }, async () => {
			const account = await stage.account({ answerTime });
			await (await contender(account))();
			return perAnswer(account.sandbox);
		}),
	);
}

function perAnswer({ requests, questions: asked }: Sandbox): number {
	if (asked.length === 0 || asked.some(({ status }) => status !== 'completed')) throw new Error('Not every question was answered');
	return requests.length / asked.length;
}

test('one question, callback', async () => {
	results.figure({
		what: 'requests per answered question: callback, one question',
		unit: 'requests',
		contenders: {
			[OURS]: await requestsPerAnswer(ours([]), [3_000, 5_000]),
			[WAIT]: await requestsPerAnswer(waitNode, [3_000, 5_000]),
			[PLAIN]: await requestsPerAnswer(plainly('askAndReceive'), [3_000, 5_000]),
		},
		targets: [{ atMost: 1 }],
	});
});

test('60 questions in one execution', async () => {
	const [count, answerTime] = isQuick ? [6, [5_000, 8_000] as const] : [60, [30_000, 90_000] as const];
	results.figure({
		what: `requests per answered question: callback, ${count} questions parked in one execution`,
		unit: 'requests',
		contenders: {
			[OURS]: await requestsPerAnswer(ours([questions(count)]), answerTime),
			[LOOP]: await requestsPerAnswer(loop([questions(count)]), answerTime),
			[PLAIN]: await requestsPerAnswer(plainly('askAndReceive', count), answerTime),
		},
		targets: [{ atMost: 1 }],
		note: 'Answers come after half a minute to one and a half. The Wait node resumes once, so that with n8n’s own nodes a batch has to poll.',
	});
});

test('without callbacks', async () => {
	const answerTime = isQuick ? [20_000, 20_000] as const : [180_000, 180_000] as const;
	const polling = { options: { waitUsing: 'polling' } };
	const [woken, polledByOurs, looped, polled] = await Promise.all([
		requestsPerAnswer(withoutCallbacks(ours([])), answerTime),
		requestsPerAnswer(ours([], polling), answerTime),
		requestsPerAnswer(loop([]), answerTime),
		requestsPerAnswer(plainly('poll'), answerTime),
	]);
	results.figure({
		what: 'requests per answered question: no callback, answers after 3 minutes',
		unit: 'requests',
		contenders: { [OURS]: woken, 'Legal AI, polling': polledByOurs, [LOOP]: looped, [PLAIN]: polled },
		targets: [{ atMost: 3 }],
		note: 'With its callback lost, the node looks when n8n wakes it. Polling, it looks in the process for the first minute too, as quick answers are then there at once. The plain program looks after 3 s, then ever later, as the API’s guide has it.',
	});
});
