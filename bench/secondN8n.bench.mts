import { afterAll, beforeAll, test } from 'vitest';

import { credentialType } from '../test/support/n8n/examples.mts';
import { legalAi, questions } from '../test/support/n8n/workflows.mts';
import type { Sandbox } from '../test/sandbox/sandbox.mts';
import { httpRequest, posted } from './support/handBuilt.mts';
import { OURS, resultsOf } from './support/results.mts';
import { isQuick } from './support/rounds.mts';
import { type Account, type Published, Stage } from './support/stage.mts';

const QUESTIONS = isQuick ? 70 : 300;
const DICTATED_MS = (QUESTIONS - 60) * 1_000;
const HAND_BUILT = 'HTTP Request, one a second, in one n8n';

const results = resultsOf('secondN8n', 'Two n8n with one key');

let stages: [Stage, Stage];
beforeAll(async () => {
	stages = [await Stage.open(), await Stage.open()];
});
afterAll(async () => {
	for (const stage of stages) await stage.close();
});

async function account(stage: Stage): Promise<Account> {
	return await stage.account({ newSessionsPerMinute: 60, requestsPerMinute: 400 });
}

/** Runs all of them, and tells how long the asking took and how often the service told them to wait. */
async function measured(sandbox: Sandbox, workflows: readonly Published[]): Promise<{ time: number; told: number }> {
	await Promise.all(workflows.map(async (workflow) => {
		await workflow.start();
		await workflow.reached(1, ['success'], { interval: 2_000, timeout: 1_200_000 });
	}));
	if (sandbox.questions.length !== QUESTIONS) throw new Error(`${sandbox.questions.length} questions were asked`);
	const time = (sandbox.questions.at(-1)?.askedAt ?? 0) - (sandbox.requests[0]?.at ?? 0);
	return { time: time / DICTATED_MS, told: sandbox.requests.filter(({ status }) => status === 429).length };
}

test('300 questions, half of them from each', async () => {
	const [first, second] = stages;
	const { sandbox, credential } = await account(first);
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const shared = await second.n8n.createCredential(credentialType, 'The same key', { baseUrl, apiKey, webhookSecret });
	const ask = { resource: 'question', operation: 'ask', question: '={{ $json.words }}' };
	const ours = [
		await first.publish('Half', [questions(QUESTIONS / 2), legalAi('Ask', credential, ask)], { responseMode: 'onReceived' }),
		await second.publish('Half', [questions(QUESTIONS / 2), legalAi('Ask', shared, ask)], { responseMode: 'onReceived' }),
	];
	const theirs = await account(first);
	const batching = { options: { batching: { batch: { batchSize: 1, batchInterval: 1_000 } } } };
	const body = posted('={{ JSON.stringify({ question: $json.words }) }}');
	const handBuilt = await first.publish('Hand-built', [
		questions(QUESTIONS),
		httpRequest('Ask', theirs, '/assistants/default/questions', { ...body, ...batching }),
	], { responseMode: 'onReceived' });

	const [own, other] = await Promise.all([measured(sandbox, ours), measured(theirs.sandbox, [handBuilt])]);
	results.figure({
		what: `${QUESTIONS} questions, two n8n with one key: time, over what the limits dictate`,
		unit: '×',
		contenders: { [OURS]: [own.time], [HAND_BUILT]: [other.time] },
		targets: [{ atMost: 1.1 }],
		note: 'In real time, once: the limits leave nothing to chance.',
	});
	results.figure({
		what: `${QUESTIONS} questions, two n8n with one key: times told to wait (429)`,
		unit: 'times',
		contenders: { [OURS]: [own.told], [HAND_BUILT]: [other.told] },
		targets: [],
	});
});
