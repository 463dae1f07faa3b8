import { credentialType } from '../../../harness/examples.mts';
import { readItems } from '../../../harness/executions.mts';
import { until } from '../../../harness/polling.mts';
import { byHand, chain, node, questions, webhook } from '../../../harness/workflows.mts';
import { answersWhenTold } from '../../scenarios/stage.mts';
import { type Stage, test } from '../../support/n8n/fixtures.mts';
import {
	after,
	readAnswers,
	answersTo,
	askAndWait,
	completeAll,
	start,
	startCaller,
} from '../../support/n8n/parkedQuestions.mts';
import { toCredential } from '../../support/n8n/service.mts';
import { wakeNow } from '../../support/n8n/storedExecutions.mts';
import { ASK } from '../../support/wait/asking.mts';

// What n8n does around a waiting node, and what people change while it waits.

test.override({ serviceOptions: { answer: answersWhenTold, requestsPerMinute: Infinity } });

/** Has n8n wake a parked execution, which checks, and is parked again. */
async function wokenInVain({ n8n, service }: Pick<Stage, 'n8n' | 'service'>, id: string) {
	const checks = service.requests.length;
	wakeNow(n8n, id);
	await until('the execution to check and park again', async () => {
		const { status, waitTill = '' } = await n8n.execution(id);
		return (
			(service.requests.length > checks &&
				status === 'waiting' &&
				new Date(waitTill) > new Date()) ||
			undefined
		);
	});
}

test.for([
	['saves no successful executions', { saveDataSuccessExecution: 'none' }],
	['saves its progress', { saveExecutionProgress: true }],
] as const)(
	'a parked execution of a workflow that %s is resumed',
	async ([what, settings], { n8n, service, credential }) => {
		const tell = node(
			'Tell',
			'n8n-nodes-base.httpRequest',
			{ url: `=${service.origin}/told?answer={{ $json.answer }}` },
			{
				typeVersion: 4.2,
				onError: 'continueRegularOutput',
			},
		);
		await start(n8n, what.replaceAll(' ', '-'), [questions(1), askAndWait(credential), tell], {
			settings,
		});
		await completeAll(service);
		expect(service.callbacks).toMatchObject([{ status: 200 }]);
		const told = await service.waitForRequest(({ path }) => path === '/told');
		expect(told.query).toEqual({ answer: 'Answer to Question 0' });
	},
);

test('a sub-workflow outputs what it has shortly before its caller would be canceled for its execution timeout', async ({
	n8n,
	service,
	credential,
}) => {
	service.callbackFaults.drop = true;
	const [caller] = await startCaller(
		n8n,
		'caller-timeout',
		[questions(2), askAndWait(credential)],
		{ settings: { executionTimeout: 20 } },
	);
	await service.complete(service.asked('Question 0').id);
	const over = await n8n.waitForExecution(caller.id);
	expect(readItems(over, 'After').map(({ json }) => json)).toMatchObject([
		{ answer: 'Answer to Question 0' },
		{ answer: null, status: 'in_progress', timed_out: true },
	]);
});

test('questions whose credential is deleted while the execution is parked ring, and come out when their time is over, with a hint', async ({
	n8n,
	service,
}) => {
	const deleted = await n8n.createCredential(credentialType, 'Deleted', toCredential(service));
	const asks = askAndWait(deleted, { options: { maxWait: 0.4 } });
	const parked = await start(n8n, 'deleted', [questions(2), asks, after]);
	await n8n.session.send('DELETE', `/credentials/${deleted.id}`);
	await completeAll(service);
	expect(service.callbacks.map(({ status }) => status)).toEqual([200, 200]);
	const over = await n8n.waitForExecution(parked.id, undefined, { timeout: 90_000 });
	const ids = ['Question 0', 'Question 1'].map((text) => service.asked(text).id);
	const timedOut = ids.map((id) => ({ id, status: 'in_progress', answer: null, timed_out: true }));
	expect(readItems(over, 'Ask').map(({ json }) => json)).toMatchObject(timedOut);
	expect(JSON.stringify(over.runs.Ask?.at(-1)?.hints)).toContain('credential');
});

test('"Execute step" on the next node waits for the answer in one execution, and runs no further', async ({
	n8n,
	service,
	credential,
}) => {
	const last = node('Last', 'n8n-nodes-base.noOp', {});
	const workflow = await n8n.createWorkflow(
		chain('Step', [byHand, questions(2), askAndWait(credential), after, last]),
	);
	const id = await n8n.run(workflow, { lastNode: 'After' });
	await n8n.waitForExecution(id, ['waiting']);
	await wokenInVain({ n8n, service }, id);
	expect((await n8n.execution(id)).runs.Ask).toMatchObject([{ status: 'waiting', outputs: [[]] }]);
	await completeAll(service);
	const over = await n8n.waitForExecution(id);
	expect(readAnswers(over)).toEqual(answersTo(2));
	expect(readItems(over, 'Ask').map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 1 },
	]);
	expect(over.runs.Ask).toHaveLength(1);
	expect(over.runs.Last).toBeUndefined();
	expect(await n8n.executions(workflow.id)).toHaveLength(1);
});

// n8n stores what the execution began with: only the notes tell what was sent.
test('an execution that was stopped by hand while it asks, with Continue on Fail, hands nothing on, and a retry asks nothing twice', async ({
	n8n,
	service,
	credential,
}) => {
	const hanging = service.faults.add({ kind: 'hang', times: Infinity, skip: 8, match: ASK });
	const ask = askAndWait(credential, { operation: 'ask' }, { onError: 'continueRegularOutput' });
	const workflow = await n8n.publish(
		chain('canceled', [webhook('canceled'), questions(12), ask, after]),
	);
	await n8n.callWebhook('canceled');
	const asks = () => service.requestsTo(ASK).length;
	await service.waitForRequest(() => asks() === 12);
	const [running] = await n8n.executions(workflow.id);
	const id = running?.id ?? '';
	await n8n.stop({ id });
	const canceled = await n8n.waitForExecution(id);
	expect([canceled.status, canceled.runs.After]).toEqual(['canceled', undefined]);

	hanging.remove();
	await n8n.retry({ id });
	const retried = await n8n.waitForNextExecution(workflow.id, [canceled]);
	const out = readItems(retried, 'After').map(({ json }) => JSON.stringify(json.error ?? ''));
	expect([retried.status, asks(), service.questions.length]).toEqual(['success', 12, 8]);
	expect(out.map((error) => error.includes('interrupted'))).toEqual(Array(12).fill(true));
});
