import { setTimeout as sleep } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, test } from 'vitest';

import { asRecord } from '../test/support/unknownJson.mts';
import { legalAi } from '../test/support/n8n/workflows.mts';
import { askAndPoll } from './support/handBuilt.mts';
import { OURS, resultsOf } from './support/results.mts';
import { isQuick } from './support/rounds.mts';
import { openSessions } from './support/sessions.mts';
import { type Account, type Published, Stage } from './support/stage.mts';

const LOOP = 'HTTP Request, a look every 30 s';
const WAKING = 'Legal AI, no callback';
const QUESTIONS = isQuick ? 5 : 100;
/** A node without callbacks may look in its process for the first minute. */
const FIRST_MINUTE_MS = 75_000;
const LOOKS = isQuick ? 10 : 90;

const results = resultsOf('workers', 'Workers held');

let stage: Stage;
beforeAll(async () => {
	stage = await Stage.open();
});
afterAll(async () => {
	await stage.close();
});

/** How many executions run, looked at once a second while as many questions are out. */
async function held(publish: (account: Account) => Promise<Published>): Promise<number[]> {
	const account = await stage.account();
	const sessions = await openSessions(account.sandbox, QUESTIONS);
	account.sandbox.settings.answer = () => ({ status: 'completed', answer: 'You may sign it.', after: Infinity });
	const workflow = await publish(account);
	for (const session of sessions) await workflow.start({ session });
	await sleep(FIRST_MINUTE_MS);
	const counts: number[] = [];
	while (counts.length < LOOKS) {
		counts.push(await running(workflow));
		await sleep(1_000);
	}
	const open = account.sandbox.questions.filter(({ status }) => status === 'in_progress');
	if (open.length !== QUESTIONS) throw new Error(`${open.length} of ${QUESTIONS} questions were out`);
	return counts;
}

async function running({ workflow: { id } }: Published): Promise<number> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: id, status: ['new', 'running'] }));
	const answer = asRecord(await stage.n8n.session.get(`/executions?filter=${filter}&limit=1`), 'The executions');
	return Number(answer.count);
}

function ours(options: INodeParameters) {
	return async ({ credential }: Account): Promise<Published> => {
		const additionalFields = { sessionId: '={{ $json.body.session }}' };
		const ask = { resource: 'question', operation: 'askAndWait', question: 'May we sign?', additionalFields, options };
		return await stage.publish('Legal AI', [legalAi('Ask', credential, ask)], { responseMode: 'onReceived' });
	};
}

async function loop(account: Account): Promise<Published> {
	const { nodes, connections } = askAndPoll(account, 30, '$json.body.session');
	return await stage.publish('Loop', nodes, { responseMode: 'onReceived', connections });
}

test('100 questions out', async () => {
	const [own, waking, looping] = await Promise.all([
		held(ours({ waitUsing: 'callback' })),
		held(ours({ waitUsing: 'polling' })),
		held(loop),
	]);
	results.figure({
		what: `workers held while ${QUESTIONS} questions are out, each in an execution of its own`,
		unit: 'executions running',
		contenders: { [OURS]: own, [WAKING]: waking, [LOOP]: looping },
		targets: [{ atMost: 0 }, { of: WAKING, atMost: 0 }],
		note: `Looked at ${LOOKS} times, once a second. n8n’s Wait node stays in the process for waits below 65 s.`,
	});
});
