import { request } from 'undici';

import type { SandboxOptions } from '../sandbox/options.mts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.mts';

/** A sandbox for the tests of one file, reset before each and closed after all of them. */
export async function sandboxForTests(options: SandboxOptions = {}) {
	const sandbox = await startSandbox(options);
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());
	return sandbox;
}

/** Asks a question as another program does; gives it. */
export async function ask({ baseUrl, apiKey }: Sandbox, question: string) {
	const { body } = await request(`${baseUrl}/assistants/default/questions`, {
		method: 'POST',
		headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ question }),
	});
	return (await body.json()) as { id: string; session_id: string };
}
