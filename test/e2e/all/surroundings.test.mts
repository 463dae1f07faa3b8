import { afterEach, beforeEach, expect, inject, test } from 'vitest';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import { itemsOf } from '../../../harness/executions.mts';
import type { StoredCredential } from '../../../harness/n8nClient.mts';
import { chain, node, questions } from '../../../harness/workflows.mts';
import { after, askAndWait, completeAll, start } from '../parkedQuestions.mts';
import { answersWhenTold, openService } from '../service.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';
import { wakeNow } from '../storedExecutions.mts';

// What n8n does around a waiting node, and what people change while it waits.

const n8n = connectToSharedN8n(inject('n8n'));
let sandbox: Sandbox;
let credential: StoredCredential;
beforeEach(async () => {
	({ sandbox, credential } = await openService(n8n, { answer: answersWhenTold }));
});
afterEach(async () => {
	await sandbox.close();
});

const timedOut = { status: 'in_progress', answer: null, timed_out: true };

test('a credential that is deleted while the execution is parked leaves the questions unanswered, with a hint', async () => {
	const parked = await start(n8n, 'deleted', [questions(2), askAndWait(credential, { options: { maxWait: 0.3 } }), after]);
	await n8n.session.delete(`/credentials/${credential.id}`);
	await completeAll(sandbox);
	expect(sandbox.callbacks.map(({ status }) => status)).toEqual([503, 503]);
	const over = await n8n.waitForExecution(parked.id, undefined, { timeout: 90_000 });
	const out = itemsOf(over, 'Ask').map(({ json }) => json);
	expect(out).toMatchObject([timedOut, timedOut]);
	for (const { id } of sandbox.questions) expect(JSON.stringify(out)).toContain(id);
	expect(JSON.stringify(over.runs.Ask?.at(-1)?.hints)).toContain("its credential can't be used");
});

test('an error workflow is told of a node that fails after it has waited', async () => {
	const handler = await n8n.publish(chain('Handler', [node('On Error', 'n8n-nodes-base.errorTrigger', {}), node('Told', 'n8n-nodes-base.noOp', {})]));
	const ask = askAndWait(credential, { options: { onErrorStatus: 'fail' } });
	const parked = await start(n8n, 'error-workflow', [questions(1), ask, after], { errorWorkflow: handler.id });
	await sandbox.complete(sandbox.questions[0]?.id ?? '', { status: 'error', answer: 'No model is available' });
	expect((await n8n.waitForExecution(parked.id)).status).toBe('error');
	const error = { message: expect.stringContaining('No model is available') as unknown };
	const told = await n8n.waitForNextExecution(handler.id, []);
	expect(itemsOf(told, 'Told')).toMatchObject([{ json: { execution: { id: parked.id, lastNodeExecuted: 'Ask', error } } }]);
});

test('"Execute step" on the next node waits for the answer, and runs no further', async () => {
	const [byHand, last] = [node('Start', 'n8n-nodes-base.manualTrigger', {}), node('Last', 'n8n-nodes-base.noOp', {})];
	const workflow = await n8n.createWorkflow(chain('Step', [byHand, questions(1), askAndWait(credential), after, last]));
	const id = await n8n.run(workflow, { lastNode: 'After' });
	await n8n.waitForExecution(id, ['waiting']);
	wakeNow(inject('n8n'), id);
	await sandbox.waitForRequest(({ method }) => method === 'GET');
	await n8n.waitForExecution(id, ['waiting']);
	await completeAll(sandbox);
	const over = await n8n.waitForExecution(id);
	expect(itemsOf(over, 'After')).toMatchObject([{ json: { answer: 'Answer to Question 0' } }]);
	expect(over.runs.Last).toBeUndefined();
});
