import { freePort } from '../../../harness/n8nProcess.mts';
import { byHand, chain, questions } from '../../../harness/workflows.mts';
import { askAndWait } from '../../support/n8n/parkedQuestions.mts';
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
const { sandbox, credential } = await serviceOfThisFile({}, n8n);

test('Engine 2.0 can\'t pause an execution: "Ask and Wait" says so, and asks nothing', async () => {
	const workflow = await n8n.createWorkflow(
		chain('Engine 2.0', [byHand, questions(1), askAndWait(credential)], { engineType: 'v2' }),
	);
	const { id, status, failure } = await n8n.runToEnd(workflow);
	expect(id).toMatch(/^[0-9a-f]{8}-/);
	expect([status, failure?.message]).toEqual(['error', textWith('Engine 2.0')]);
	expect(sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});
