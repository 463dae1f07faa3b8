import { afterAll, beforeAll, expect, test } from 'vitest';

import { itemsOf } from '../test/support/n8n/executions.mts';
import { legalAi, node } from '../test/support/n8n/workflows.mts';
import type { Sandbox } from '../test/sandbox/sandbox.mts';
import { httpRequest, posted } from './support/handBuilt.mts';
import { PlainProgram } from './support/plainProgram.mts';
import { OURS, PLAIN, resultsOf } from './support/results.mts';
import { alternate, amounts, isQuick, type Measured, median } from './support/rounds.mts';
import { openSessions } from './support/sessions.mts';
import { type Account, nodeTime, type Published, Stage } from './support/stage.mts';

const HAND_BUILT = 'HTTP Request';

const results = resultsOf('batch', 'Asking many questions');
const QUESTIONS = isQuick ? 20 : 120;
const WHAT = `${QUESTIONS} questions, ask and return, 50 ms of latency`;

let stage: Stage;
let plain: PlainProgram;
let account: Account;
let theirs: Account;
let handBuilt: Published;

beforeAll(async () => {
	stage = await Stage.open();
	plain = await PlainProgram.start();
	account = await stage.account();
	theirs = await stage.account();
	const body = '={{ JSON.stringify({ question: "Question " + $itemIndex, session_id: $json.session }) }}';
	handBuilt = await stage.publish('Hand-built', [each, httpRequest('Ask', theirs, '/assistants/default/questions', posted(body))]);
});
afterAll(async () => {
	plain.stop();
	await stage.close();
});

/** An item a session, out of what the workflow was started with. */
const each = node('Each', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.sessions', options: { destinationFieldName: 'session' } });

async function publishOurs(atOnce?: number): Promise<Published> {
	const parameters = {
		resource: 'question',
		operation: 'ask',
		question: '={{ "Question " + $itemIndex }}',
		additionalFields: { sessionId: '={{ $json.session }}' },
		options: atOnce === undefined ? {} : { requestsAtOnce: atOnce },
	};
	return await stage.publish(`${atOnce ?? 'default'} at once`, [each, legalAi('Ask', account.credential, parameters)]);
}

async function sessionsAt(sandbox: Sandbox, count: number): Promise<string[]> {
	sandbox.faults.clear();
	const sessions = await openSessions(sandbox, count);
	sandbox.faults.add({ kind: 'latency', ms: 50, times: Infinity });
	return sessions;
}

async function asked(workflow: Published, sessions: readonly string[]): Promise<Measured> {
	const { execution, busy } = await workflow.run({ sessions });
	expect(itemsOf(execution, 'Ask')).toHaveLength(sessions.length);
	return { value: nodeTime(execution, 'Ask'), busy };
}

async function contenders(count: number, atOnce?: number): Promise<Record<typeof OURS | typeof HAND_BUILT | typeof PLAIN, () => Promise<Measured>>> {
	const ours = await publishOurs(atOnce);
	const sessions = await sessionsAt(theirs.sandbox, count);
	return {
		[OURS]: async () => await asked(ours, await sessionsAt(await account.renew(), count)),
		[HAND_BUILT]: async () => await asked(handBuilt, sessions),
		[PLAIN]: async () => await plain.run('ask', { baseUrl: theirs.baseUrl, apiKey: theirs.sandbox.apiKey, sessions, atOnce: atOnce ?? count }),
	};
}

test.each([5, 20])('%i at once', async (atOnce) => {
	const { [OURS]: ours, [PLAIN]: bare } = await contenders(QUESTIONS, atOnce);
	results.figure({
		what: `${WHAT}, ${atOnce} at once`,
		unit: 'ms',
		contenders: await alternate({ [OURS]: ours, [PLAIN]: bare }, { warmUps: 2 }),
		targets: [{ against: PLAIN, atMost: 1.2 }],
	});
});

test('as many at once as by default', async () => {
	results.figure({
		what: `${WHAT}, each contender's default`,
		unit: 'ms',
		contenders: await alternate(await contenders(QUESTIONS), { warmUps: 2 }),
		targets: [{ against: HAND_BUILT, atMost: 1 }],
		note: 'HTTP Request and the plain program send all of them at once.',
	});
});

test('1 to 300 questions', async () => {
	const points = [];
	for (const count of amounts(1, 10, 100, 300)) {
		const samples = await alternate(await contenders(count));
		for (const [contender, { values }] of Object.entries(samples)) points.push({ contender, x: count, y: median(values) });
	}
	results.curve({ what: "Asking questions, 50 ms of latency: the nodes' own time", x: 'questions', y: 'ms', points });
});
