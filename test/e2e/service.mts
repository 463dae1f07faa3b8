import { afterAll, beforeEach, inject } from 'vitest';

import { startSandbox, type Sandbox, type SandboxOptions, type SandboxSettings } from '../sandbox/sandbox.mts';
import { credentialType } from '../../harness/examples.mts';
import type { N8nClient, StoredCredential } from '../../harness/n8nClient.mts';
import { connectToSharedN8n } from './sharedN8n.mts';

/** What n8n's credential for a sandbox holds. */
export function keyOf({ baseUrl, apiKey, webhookSecret }: Sandbox): { baseUrl: string; apiKey: string; webhookSecret: string } {
	return { baseUrl, apiKey, webhookSecret };
}

/** Starts a sandbox, and stores the credential for it in an n8n. */
export async function openService(
	n8n: N8nClient,
	options: Partial<SandboxOptions> = {},
): Promise<{ sandbox: Sandbox; credential: StoredCredential }> {
	const sandbox = await startSandbox(options);
	return { sandbox, credential: await n8n.createCredential(credentialType, 'Legal AI API', keyOf(sandbox)) };
}

/** The shared n8n with a service for the tests of one file, reset before each and closed after all of them. */
export async function serviceOfThisFile(
	options: Partial<SandboxOptions> = {},
): Promise<{ n8n: N8nClient; sandbox: Sandbox; credential: StoredCredential }> {
	const n8n = connectToSharedN8n(inject('n8n'));
	const { sandbox, credential } = await openService(n8n, options);
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());
	return { n8n, sandbox, credential };
}

/** Answers that come when a test completes their questions. */
export const answersWhenTold: SandboxSettings['answer'] = ({ text }) => ({
	status: 'completed',
	answer: `Answer to ${text}`,
	after: Infinity,
});
