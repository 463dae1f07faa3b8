import type { INode } from 'n8n-workflow';

import { readItems } from '../harness/executions.mts';
import { legalAi, node } from '../harness/workflows.mts';
import { ask } from '../test/support/sandboxForTests.mts';
import { httpRequest, posted } from './support/handBuilt.mts';
import { PlainProgram } from './support/plainProgram.mts';
import { OURS, PLAIN } from './support/figures.mts';
import { openResults } from './support/results.mts';
import { alternate, isQuick, MANY_ROUNDS } from './support/rounds.mts';
import { type Account, nodeTime, Stage } from './support/stage.mts';

const HAND_BUILT = 'HTTP Request';
const QUESTIONS = isQuick ? 20 : 120;
/** How many sessions are opened at once. */
const AT_ONCE = 20;

const results = openResults('batch', 'Asking many questions');

let stage: Stage;
let plain: PlainProgram;
beforeAll(async () => {
	stage = await Stage.open();
	plain = await PlainProgram.start();
});
afterAll(async () => {
	plain.stop();
	await stage.close();
});

/** An item a session, out of what the workflow was started with. */
const each = node('Each', 'n8n-nodes-base.splitOut', {
	fieldToSplitOut: 'body.sessions',
	options: { destinationFieldName: 'session' },
});

/** Sessions to go on with, their first question answered: new ones are limited to 60 a minute, which would be all that is measured. */
async function sessionsAt({ sandbox }: Account) {
	sandbox.faults.clear();
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'You may sign it.', after: 0 });
	const sessions: string[] = [];
	const open = async () => {
		sessions.push((await ask(sandbox, 'Opens a session')).session_id);
	};
	while (sessions.length < QUESTIONS) await Promise.all(Array.from({ length: AT_ONCE }, open));
	await sandbox.waitForQuestion(() =>
		sandbox.questions.every(({ status }) => status === 'completed'),
	);
	sandbox.faults.add({ kind: 'latency', ms: 50, times: Infinity });
	return sessions;
}

/** A node at an account of its own, with a new key in each round. */
async function inN8n(name: string, asking: (account: Account) => INode) {
	const account = await stage.account();
	const workflow = await stage.publish(name, [each, asking(account)]);
	return async () => {
		await account.renew();
		const execution = await workflow.run({ sessions: await sessionsAt(account) });
		expect(readItems(execution, 'Ask')).toHaveLength(QUESTIONS);
		return nodeTime(execution, 'Ask');
	};
}

test('as many at once as by default', async () => {
	const asking = {
		resource: 'question',
		operation: 'ask',
		question: '={{ "Question " + $itemIndex }}',
	};
	const body =
		'={{ JSON.stringify({ question: "Question " + $itemIndex, session_id: $json.session }) }}';
	const theirs = await stage.account();
	const sessions = await sessionsAt(theirs);
	const handBuilt = await stage.publish('Hand-built', [
		each,
		httpRequest('Ask', theirs, '/assistants/default/questions', posted(body)),
	]);
	results.figure({
		what: `${QUESTIONS} questions, ask and continue, 50 ms of latency`,
		unit: 'ms',
		contenders: await alternate(
			{
				[OURS]: await inN8n('Legal AI', ({ credential }) =>
					legalAi('Ask', credential, {
						...asking,
						additionalFields: { sessionId: '={{ $json.session }}' },
					}),
				),
				[HAND_BUILT]: async () => nodeTime(await handBuilt.run({ sessions }), 'Ask'),
				[PLAIN]: async () => {
					const { apiKey } = theirs.sandbox;
					const { baseUrl } = theirs;
					return await plain.run('ask', { baseUrl, apiKey, sessions, atOnce: QUESTIONS });
				},
			},
			{ rounds: MANY_ROUNDS, warmUps: 2 },
		),
		targets: [{ against: HAND_BUILT, isDifference: true, atMost: 250 }],
		meaning: 'Staying within the limits, and noting what was asked, costs a fraction of a second.',
		note: 'HTTP Request and the plain program send all questions at once. Legal AI begins with 5 at once and adds one with each success, up to 40, so it waits for five more rounds of responses. It also notes in n8n’s database what it sends.',
	});
});
