import { inject } from 'vitest';

import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.mts';
import { credentialType } from '../../../harness/examples.mts';
import { startN8n } from '../../../harness/n8n.mts';
import { N8nClient } from '../../../harness/n8nClient.mts';
import type { Environment } from '../../../harness/n8nProcess.mts';
import { RestSession } from '../../../harness/restSession.mts';
import { sandboxForTests } from '../sandboxForTests.mts';

/** What n8n's credential for a sandbox holds. */
export function keyOf({ baseUrl, apiKey, webhookSecret }: Sandbox) {
	return { baseUrl, apiKey, webhookSecret };
}

/** The n8n that the test files of a project share. */
export function sharedN8n() {
	const { baseUrl, cookie, userFolder } = inject('n8n');
	return new N8nClient(new RestSession(baseUrl, cookie), userFolder);
}

/** An n8n for the tests of one file alone, closed after all of them. It has no editor, which takes two seconds to start. */
export async function n8nOfThisFile(environment: Environment, port?: number) {
	const n8n = await startN8n({ port, environment: { N8N_DISABLE_UI: 'true', ...environment } });
	afterAll(() => n8n.close());
	return n8n;
}

/** A service for the tests of one file, reset before each and closed after all of them, and an n8n that has the credential for it. */
export async function serviceOfThisFile(options: SandboxOptions = {}, n8n = sharedN8n()) {
	const sandbox = await sandboxForTests(options);
	return {
		n8n,
		sandbox,
		credential: await n8n.createCredential(credentialType, 'Legal AI API', keyOf(sandbox)),
	};
}
