import { freePort } from '../../../harness/n8nProcess.mts';
import { byHand, chain, questions } from '../../../harness/workflows.mts';
import { textWith } from '../../support/matchers.mts';
import { testWithOwnN8n } from '../../support/n8n/fixtures.mts';
import { askAndWait } from '../../support/n8n/parkedQuestions.mts';
import { startPostgres } from '../../support/n8n/queueStore.mts';

const test = testWithOwnN8n.extend<{ databaseUrl: string }>({
	databaseUrl: [
		async ({}, use) => {
			const postgres = await startPostgres();
			await use(postgres.url);
			await postgres.close();
		},
		{ scope: 'file' },
	],
});
test.override({
	n8nSettings: async ({ databaseUrl }, use) => {
		await use({
			N8N_ENABLED_MODULES: 'engine-v2',
			N8N_ENGINE_DATABASE_URL: databaseUrl,
			N8N_ENGINE_PORT: String(await freePort()),
			N8N_ENGINE_CONTROL_PLANE_PORT: String(await freePort()),
		});
	},
});

test('Engine 2.0 can\'t pause an execution: "Ask and Wait" says so, and asks nothing', async ({
	n8n,
	service,
	credential,
}) => {
	const workflow = await n8n.createWorkflow(
		chain('Engine 2.0', [byHand, questions(1), askAndWait(credential)], { engineType: 'v2' }),
	);
	const { id, status, failure } = await n8n.runToEnd(workflow);
	expect(id).toMatch(/^[0-9a-f]{8}-/);
	expect([status, failure?.message]).toEqual(['error', textWith('Engine 2.0')]);
	expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});
