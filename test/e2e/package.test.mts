import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { credentialType } from '../support/n8n/examples.mts';
import type { N8nClient, StoredCredential } from '../support/n8n/n8nClient.mts';
import { connectToSharedN8n } from './sharedN8n.mts';
import { asList, asRecord, isRecord } from '../support/unknownJson.mts';

let n8n: N8nClient;
let sandbox: Sandbox;
let credential: StoredCredential;
beforeAll(async () => {
	n8n = connectToSharedN8n(inject('n8n'));
	sandbox = await startSandbox({ answerTime: [200, 400] });
	credential = await n8n.createCredential(credentialType, 'Package test', credentialData());
});
afterAll(async () => {
	await sandbox.close();
});

function credentialData(): { baseUrl: string; apiKey: string; webhookSecret: string } {
	const { apiKey, baseUrl, webhookSecret } = sandbox;
	return { baseUrl, apiKey, webhookSecret };
}

test('n8n lists the nodes and the credential, with icons that it serves', async () => {
	const listed = await Promise.all(
		['nodes', 'credentials'].map(async (kind) => {
			const answer = await n8n.session.fetch(`/types/${kind}.json`);
			return asList(await answer.json(), kind).filter(isRecord);
		}),
	);
	const ours = listed.flat().filter(({ name }) => typeof name === 'string' && /legal-?ai/i.test(name));
	expect(ours.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['n8n-nodes-legal-ai.legalAi', 'n8n-nodes-legal-ai.legalAiTrigger', credentialType]),
	);
	for (const type of ours) {
		const { dark, light } = asRecord(type.iconUrl, `The icons of ${String(type.name)}`);
		for (const icon of [dark, light]) {
			const answer = await n8n.session.fetch(`/${String(icon)}`);
			expect(answer.status, String(icon)).toBe(200);
			expect(await answer.text()).toContain('<svg');
		}
	}
});

test('the credential test asks the service who the key belongs to', async () => {
	expect(await n8n.testCredential(credential, credentialData())).toMatchObject({ status: 'OK' });
	expect(sandbox.requests.filter(({ route }) => route === 'GET /me')).toHaveLength(1);

	const wrong = await n8n.testCredential(credential, { ...credentialData(), apiKey: 'sk-svc-api1-wrong' });
	expect(wrong.status).toBe('Error');
});
