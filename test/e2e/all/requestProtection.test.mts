import { askWorkflow } from '../../../harness/callbacks.mts';
import { credentialType } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
import type { StoredCredential } from '../../../harness/n8nClient.mts';
import { keyOf, serviceOfThisFile } from '../../support/n8n/service.mts';

const { n8n, sandbox, credential } = await serviceOfThisFile();

async function ask(account: StoredCredential) {
	return await n8n.runToEnd(await n8n.createWorkflow(askWorkflow(account, {})));
}

test("if n8n's protection against requests to internal addresses blocks a question, the error says what to do", async () => {
	const internal = { ...keyOf(sandbox), baseUrl: 'https://10.20.30.40/api/v1' };
	const { failure } = await ask(await n8n.createCredential(credentialType, 'Internal', internal));
	expect(failure?.message).toContain(
		'does not allow requests to this address, so nothing was sent',
	);
	expect(failure?.description).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
});

test("with the address of the service allowed in n8n's protection against internal addresses, a question is asked", async () => {
	expect(itemsOf(await ask(credential), 'Ask')).toMatchObject([
		{ json: { status: 'in_progress' } },
	]);
});
