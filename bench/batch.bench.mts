import { fileURLToPath } from 'node:url';

import type { INode } from 'n8n-workflow';
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
const FIVE_LINES = 'five-line node';

const results = resultsOf('batch', 'Asking many questions');
const QUESTIONS = isQuick ? 20 : 120;
const WHAT = `${QUESTIONS} questions, ask and return, 50 ms of latency`;

let stage: Stage;
let plain: PlainProgram;
let account: Account;
let theirs: Account;
let handBuilt: Published;

beforeAll(async () => {
	stage = await Stage.open({ N8N_CUSTOM_EXTENSIONS: fileURLToPath(new URL('./support/fiveLines', import.meta.url)) });
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

const QUESTION = '={{ "Question " + $itemIndex }}';
const SESSION = '={{ $json.session }}';

function ours(atOnce?: number): INode {
	return legalAi('Ask', account.credential, {
		resource: 'question',
		operation: 'ask',
		question: QUESTION,
		additionalFields: { sessionId: SESSION },
		options: atOnce === undefined ? {} : { requestsAtOnce: atOnce },
	});
}

function fiveLines(atOnce: number): INode {
	const { id, name } = account.credential;
	return node('Ask', 'CUSTOM.fiveLinesAsk', { question: QUESTION, sessionId: SESSION, atOnce }, { credentials: { legalAiApi: { id, name } } });
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

/** A node of this bench's own account, at a new sandbox each time, so that no run waits for those before. */
async function nodeThatAsks(name: string, ask: INode, count: number): Promise<() => Promise<Measured>> {
	const workflow = await stage.publish(name, [each, ask]);
	return async () => await asked(workflow, await sessionsAt(await account.renew(), count));
}

async function plainly(count: number, atOnce: number): Promise<() => Promise<Measured>> {
	const sessions = await sessionsAt(theirs.sandbox, count);
	return async () => await plain.run('ask', { baseUrl: theirs.baseUrl, apiKey: theirs.sandbox.apiKey, sessions, atOnce });
}

async function byDefault(count: number): Promise<Record<string, () => Promise<Measured>>> {
	const sessions = await sessionsAt(theirs.sandbox, count);
	return {
		[OURS]: await nodeThatAsks('By default', ours(), count),
		[HAND_BUILT]: async () => await asked(handBuilt, sessions),
		[PLAIN]: await plainly(count, count),
	};
}

test.each([5, 20])('%i at once', async (atOnce) => {
	const contenders = {
		[OURS]: await nodeThatAsks(`${atOnce} at once`, ours(atOnce), QUESTIONS),
		[FIVE_LINES]: await nodeThatAsks(`Five lines, ${atOnce} at once`, fiveLines(atOnce), QUESTIONS),
		[PLAIN]: await plainly(QUESTIONS, atOnce),
	};
	results.figure({
		what: `${WHAT}, ${atOnce} at once`,
		unit: 'ms',
		contenders: await alternate(contenders, { warmUps: 2 }),
		targets: [{ against: PLAIN, atMost: 1.2 }, { against: FIVE_LINES, atMost: 1.2 }],
		note: 'The five-line node calls n8n’s request helper for each item and does nothing else: what it takes beyond the plain program is n8n’s.',
	});
});

test('as many at once as by default', async () => {
	results.figure({
		what: `${WHAT}, each contender's default`,
		unit: 'ms',
		contenders: await alternate(await byDefault(QUESTIONS), { warmUps: 2 }),
		targets: [{ against: HAND_BUILT, atMost: 1 }],
		note: 'HTTP Request and the plain program send all of them at once.',
	});
});

test('how many at once are worth it', async () => {
	const contenders: Record<string, () => Promise<Measured>> = {};
	for (const atOnce of [10, 20, 30, 40, 50]) {
		contenders[`${OURS}, ${atOnce} at once`] = await nodeThatAsks(`${atOnce} of many`, ours(atOnce), QUESTIONS);
	}
	results.figure({
		what: `${WHAT}, by the number of requests at once`,
		unit: 'ms',
		contenders: await alternate(contenders, { warmUps: 1 }),
		targets: [],
	});
});

test('1 to 300 questions', async () => {
	const points = [];
	for (const count of amounts(1, 10, 100, 300)) {
		const samples = await alternate(await byDefault(count));
		for (const [contender, { values }] of Object.entries(samples)) points.push({ contender, x: count, y: median(values) });
	}
	results.curve({ what: "Asking questions, 50 ms of latency: the nodes' own time", x: 'questions', y: 'ms', points });
});
