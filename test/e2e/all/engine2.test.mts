import type { INode } from 'n8n-workflow';

import { itemsOf } from '../../../harness/executions.mts';
import { freePort } from '../../../harness/n8nProcess.mts';
import { byHand, chain, legalAi, questions } from '../../../harness/workflows.mts';
import { answersWhenTold } from '../../scenarios/stage.mts';
import { after, askAndWait, completeAll } from '../../support/n8n/parkedQuestions.mts';
import { postgresOfThisFile } from '../../support/n8n/queueStore.mts';
import { textWith } from '../../support/matchers.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../../support/n8n/service.mts';

const { url } = await postgresOfThisFile();
const n8n = await n8nOfThisFile({
	N8N_ENABLED_MODULES: 'engine-v2',
	N8N_ENGINE_DATABASE_URL: url,
	N8N_ENGINE_PORT: String(await freePort()),
	N8N_ENGINE_CONTROL_PLANE_PORT: String(await freePort()),
});
const { sandbox, credential } = await serviceOfThisFile({ answer: answersWhenTold }, n8n);

const ask = legalAi('Ask', credential, { operation: 'ask', question: '={{ $json.words }}' });
const wait = legalAi('Wait', credential, { operation: 'waitForAnswer' });

/** Runs nodes in a row behind one question in n8n's Engine 2.0, until the execution is over. */
async function run(...nodes: INode[]) {
	const workflow = await n8n.createWorkflow(
		chain('Engine 2.0', [byHand, questions(1), ...nodes], { engineType: 'v2' }),
	);
	const execution = await n8n.waitForExecution(await n8n.run(workflow));
	expect(execution.id).toMatch(/^[0-9a-f]{8}-/);
	return execution;
}

test.each(['callback', 'polling'])(
	'Engine 2.0 can\'t pause an execution: "Ask and Wait" (%s) says so, and asks nothing',
	async (waitUsing) => {
		const { status, failure } = await run(
			askAndWait(credential, { options: { waitUsing } }),
			after,
		);
		expect([status, failure?.message]).toEqual(['error', textWith('Engine 2.0')]);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	},
);

test('in Engine 2.0, "Ask and Wait" gets an answer with "Sync"', async () => {
	sandbox.settings.answer = ({ text }) => ({
		status: 'completed',
		answer: `Answer to ${text}`,
		after: 0,
	});
	const over = await run(askAndWait(credential, { options: { waitUsing: 'sync' } }), after);
	expect(itemsOf(over, 'After')).toMatchObject([{ json: { answer: 'Answer to Question 0' } }]);
});

test.each([undefined, 'continueRegularOutput'] as const)(
	'in Engine 2.0, "Wait for Answer" checks once, and fails without an answer (On Error: %s)',
	async (onError) => {
		const over = await run(ask, { ...wait, onError });
		const [question] = sandbox.questions;
		const error = textWith('Engine 2.0');
		if (onError === undefined)
			expect([over.status, over.failure?.message]).toEqual(['error', error]);
		else
			expect(itemsOf(over, 'Wait')).toMatchObject([
				{ json: { error, id: question?.id, status: 'in_progress' } },
			]);
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
	},
);

test('in Engine 2.0, "Wait for Answer" outputs the answer to a question that is answered', async () => {
	await run(ask);
	await completeAll(sandbox);
	const [{ id = '' } = {}] = sandbox.questions;
	const over = await run({ ...wait, parameters: { ...wait.parameters, questionId: id } });
	expect(itemsOf(over, 'Wait')).toMatchObject([{ json: { id, answer: 'Answer to Question 0' } }]);
});
