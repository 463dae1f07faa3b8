import { askWorkflow } from '../../../harness/callbacks.mts';
import { credentialType } from '../../../harness/examples.mts';
import { readItems } from '../../../harness/executions.mts';
import type { N8nClient, StoredCredential } from '../../../harness/n8nClient.mts';
import { test } from '../../support/n8n/fixtures.mts';
import { toCredential } from '../../support/n8n/service.mts';

async function ask(n8n: N8nClient, account: StoredCredential) {
	return await n8n.runToEnd(await n8n.createWorkflow(askWorkflow(account, {})));
}

test("if n8n's protection against requests to internal addresses blocks a question, the error says what to do", async ({
	n8n,
	service,
}) => {
	const internal = { ...toCredential(service), baseUrl: 'https://10.20.30.40/api/v1' };
	const { failure } = await ask(
		n8n,
		await n8n.createCredential(credentialType, 'Internal', internal),
	);
	expect(failure?.message).toContain(
		'does not allow requests to this address, so nothing was sent',
	);
	expect(failure?.description).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
});

test("with the address of the service allowed in n8n's protection against internal addresses, a question is asked", async ({
	n8n,
	credential,
}) => {
	expect(readItems(await ask(n8n, credential), 'Ask')).toMatchObject([
		{ json: { status: 'in_progress' } },
	]);
});
