import { itemsOf } from '../../../harness/executions.mts';
import { chain, legalAi, node, webhook } from '../../../harness/workflows.mts';
import { after } from '../../support/n8n/parkedQuestions.mts';
import { serviceOfThisFile } from '../../support/n8n/service.mts';
import { ASK } from '../../support/wait/waits.mts';

const { n8n, sandbox, credential } = await serviceOfThisFile();

const words = Array.from({ length: 12 }, (_, index) => `Question ${index}`);
const items = node('Items', 'n8n-nodes-base.splitOut', {
	fieldToSplitOut: 'body.words',
	options: { destinationFieldName: 'words' },
});

// n8n stores what the execution began with: only the notes tell what was sent.
test('an execution that was stopped by hand while it asks, with Continue on Fail, hands nothing on, and a retry asks nothing twice', async () => {
	const hanging = sandbox.faults.add({ kind: 'hang', times: Infinity, skip: 8, match: ASK });
	const parameters = { resource: 'question', operation: 'ask', question: '={{ $json.words }}' };
	const ask = legalAi('Ask', credential, parameters, { onError: 'continueRegularOutput' });
	const workflow = await n8n.publish(chain('canceled', [webhook('canceled'), items, ask, after]));
	const headers = { 'content-type': 'application/json' };
	await n8n.callWebhook('canceled', { method: 'POST', headers, body: JSON.stringify({ words }) });
	const asks = () => sandbox.requests.filter(({ route }) => route === ASK).length;
	await sandbox.waitForRequest(() => asks() === 12);
	const [running] = await n8n.executions(workflow.id);
	const id = running?.id ?? '';
	await n8n.stop({ id });
	const canceled = await n8n.waitForExecution(id);
	expect([canceled.status, canceled.runs.After]).toEqual(['canceled', undefined]);

	hanging.remove();
	await n8n.retry({ id });
	const retried = await n8n.waitForNextExecution(workflow.id, [canceled]);
	const out = itemsOf(retried, 'After').map(({ json }) => JSON.stringify(json.error ?? ''));
	expect([retried.status, asks(), sandbox.questions.length]).toEqual(['success', 12, 8]);
	expect(out.map((error) => error.includes('interrupted'))).toEqual(Array(12).fill(true));
});
