import { expect, test } from 'vitest';

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

test.each([
	{ how: 'timed out', settings: { executionTimeout: 5 }, isStopped: false, asked: 8 },
	// n8n stores what the execution began with: only the notes tell what was sent.
	{ how: 'was stopped by hand', settings: {}, isStopped: true, asked: 0 },
])(
	'an execution that $how while it asks, with Continue on Fail, hands nothing on, and a retry asks nothing twice',
	async ({ settings, isStopped, asked }) => {
		const path = `canceled-${isStopped}`;
		const hanging = sandbox.faults.add({ kind: 'hang', times: Infinity, skip: 8, match: ASK });
		const parameters = { resource: 'question', operation: 'ask', question: '={{ $json.words }}' };
		const ask = legalAi('Ask', credential, parameters, { onError: 'continueRegularOutput' });
		const workflow = await n8n.publish(chain(path, [webhook(path), items, ask, after], settings));
		const headers = { 'content-type': 'application/json' };
		await n8n.callWebhook(path, { method: 'POST', headers, body: JSON.stringify({ words }) });
		const asks = (): number => sandbox.requests.filter(({ route }) => route === ASK).length;
		await sandbox.waitForRequest(() => asks() === 12);
		const [running] = await n8n.executions(workflow.id);
		const id = running?.id ?? '';
		if (isStopped) await n8n.stop({ id });
		const canceled = await n8n.waitForExecution(id);
		expect([canceled.status, canceled.runs.After]).toEqual(['canceled', undefined]);

		hanging.remove();
		await n8n.retry({ id });
		const retried = await n8n.waitForNextExecution(workflow.id, [canceled]);
		const out = itemsOf(retried, 'After').map(({ json }) => json);
		expect([retried.status, out.length, asks()]).toEqual(['success', 12, 12]);
		const known = sandbox.questions.map(({ id: its }) => its).sort();
		const shown = out.flatMap(({ id: its }) => its ?? []).sort();
		expect([shown, known.length]).toEqual([known.slice(0, asked), 8]);
		expect(
			out.filter(({ error }) => JSON.stringify(error ?? '').includes('interrupted')),
		).toHaveLength(12 - asked);
	},
);
