import type { N8nClient } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { asList, asRecord, asText } from '../../../harness/unknownJson.mts';
import { chain, node } from '../../../harness/workflows.mts';
import { test } from '../../support/n8n/fixtures.mts';
import { askAndWait, createCall } from '../../support/n8n/parkedQuestions.mts';

// n8n takes a node that has parked in an evaluation for one that is done, and then has no metrics.

test.override({
	serviceOptions: {
		answer: ({ text }) => ({ status: 'completed', answer: `Answer to ${text}`, after: 1_000 }),
	},
});

/** The ID of a table with one question. */
async function createDataset(n8n: N8nClient, name: string) {
	const { id } = asRecord(await n8n.session.get('/projects/personal'), 'The project');
	const tables = `/projects/${asText(id, 'Its ID')}/data-tables`;
	const table = asRecord(
		await n8n.session.post(tables, { name, columns: [{ name: 'words', type: 'string' }] }),
		'The table',
	);
	const tableId = asText(table.id, 'The ID of the table');
	await n8n.session.post(`${tables}/${tableId}/insert`, { data: [{ words: 'Question 0' }] });
	return tableId;
}

test.for(['in the workflow', 'in its sub-workflow'] as const)(
	'the node waits in the process in an evaluation, %s',
	async (where, { n8n, credential }) => {
		const ask = askAndWait(credential);
		const asking = where === 'in the workflow' ? ask : (await createCall(n8n, [ask]))[1];
		const dataTableId = { __rl: true, mode: 'id', value: await createDataset(n8n, where) };
		const dataset = node(
			'Dataset',
			'n8n-nodes-base.evaluationTrigger',
			{ source: 'dataTable', dataTableId },
			{ typeVersion: 4.7 },
		);
		const assignments = [
			{ id: '1', name: 'length', value: '={{ $json.answer.length }}', type: 'number' },
		];
		const parameters = {
			operation: 'setMetrics',
			metric: 'customMetrics',
			metrics: { assignments },
		};
		const metrics = node('Metrics', 'n8n-nodes-base.evaluation', parameters, { typeVersion: 4.7 });
		const { id } = await n8n.createWorkflow(
			chain(`Evaluation ${where}`, [dataset, asking, metrics]),
		);
		await n8n.session.post(`/workflows/${id}/test-runs/new`);
		const run = await until('the evaluation', async () => {
			const [latest] = asList(
				await n8n.session.get(`/workflows/${id}/test-runs`),
				'The evaluations',
			);
			const { status, metrics: found } = asRecord(latest, 'An evaluation');
			return status === 'new' || status === 'running' ? undefined : { status, metrics: found };
		});
		expect(run).toMatchObject({
			status: 'completed',
			metrics: { length: 'Answer to Question 0'.length },
		});
	},
);
