import { expect, test } from 'vitest';

import { askWorkflow } from '../../../harness/callbacks.mts';
import { itemsOf, type Execution } from '../../../harness/executions.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../../support/n8n/service.mts';

const n8n = await n8nOfThisFile({ N8N_SSRF_PROTECTION_ENABLED: 'true' });
const { sandbox, credential } = await serviceOfThisFile({}, n8n);
const workflow = await n8n.createWorkflow(askWorkflow(credential, {}));
const ask = async (): Promise<Execution> => await n8n.waitForExecution(await n8n.run(workflow));

test("if n8n's protection against requests to internal addresses blocks a question, the error says what to do, and nothing is sent", async () => {
	const { failure } = await ask();
	expect(failure?.message).toContain(
		'does not allow requests to this address, so nothing was sent',
	);
	expect(failure?.description).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
	expect(sandbox.requests).toEqual([]);
});

test("with the address of the service allowed in n8n's protection against internal addresses, a question is asked", async () => {
	await n8n.restart({ N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32' });
	expect(itemsOf(await ask(), 'Ask')).toMatchObject([{ json: { status: 'in_progress' } }]);
});
