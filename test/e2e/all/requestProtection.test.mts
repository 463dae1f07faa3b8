import { afterAll, beforeAll, expect, test } from 'vitest';

import { itemsOf, type Execution } from '../../../harness/executions.mts';
import { startN8n, type N8n } from '../../../harness/n8n.mts';
import { chain, legalAi, node } from '../../../harness/workflows.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { openService } from '../service.mts';

let n8n: N8n;
let sandbox: Sandbox;
let ask: () => Promise<Execution>;
beforeAll(async () => {
	n8n = await startN8n({ environment: { N8N_SSRF_PROTECTION_ENABLED: 'true' } });
	const service = await openService(n8n);
	({ sandbox } = service);
	const question = { resource: 'question', operation: 'ask', question: 'May we sign?' };
	const nodes = [node('Start', 'n8n-nodes-base.manualTrigger', {}), legalAi('Ask', service.credential, question)];
	const workflow = await n8n.createWorkflow(chain('Asks an internal address', nodes));
	ask = async () => await n8n.waitForExecution(await n8n.run(workflow));
});
afterAll(async () => {
	await n8n.close();
	await sandbox.close();
});

test("n8n's protection against requests to internal addresses ends a question with what to do, and nothing was sent", async () => {
	const { failure } = await ask();
	expect(failure?.message).toContain('does not allow requests to this address, so nothing was sent');
	expect(failure?.description).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
	expect(sandbox.requests).toEqual([]);
});

test("with the address of the service allowed in n8n's protection against internal addresses, a question is asked", async () => {
	await n8n.kill();
	await n8n.restart({ N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32' });
	expect(itemsOf(await ask(), 'Ask')).toMatchObject([{ json: { status: 'in_progress' } }]);
});
