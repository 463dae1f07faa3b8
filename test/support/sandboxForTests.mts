import { request } from 'undici';

import { test as base } from 'vitest';

import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/sandbox.mts';

interface Parts {
	/** How the service differs from the usual; a file sets it with `test.override({ … })`. */
	serviceOptions: SandboxOptions;
	/** The service, one for all tests of a file. */
	startedService: Sandbox;
	/** The service, as new. */
	service: Sandbox;
}

/** The `test` of files that need the service alone. */
export const test = base.extend<Parts>({
	serviceOptions: [{}, { scope: 'file' }],
	startedService: [
		async ({ serviceOptions }, use) => {
			const service = await startSandbox(serviceOptions);
			await use(service);
			await service.close();
		},
		{ scope: 'file' },
	],
	service: async ({ startedService }, use) => {
		await startedService.reset();
		await use(startedService);
	},
});

/** Asks a question as another program does; gives it. */
export async function ask({ baseUrl, apiKey }: Sandbox, question: string) {
	const { body } = await request(`${baseUrl}/assistants/default/questions`, {
		method: 'POST',
		headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ question }),
	});
	return (await body.json()) as { id: string; session_id: string };
}
