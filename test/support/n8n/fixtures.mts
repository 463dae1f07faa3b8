import { inject } from 'vitest';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { Editor } from '../../../harness/editor.mts';
import { credentialType } from '../../../harness/examples.mts';
import { type N8n, startN8n } from '../../../harness/n8n.mts';
import { N8nClient, type StoredCredential } from '../../../harness/n8nClient.mts';
import type { Environment } from '../../../harness/n8nProcess.mts';
import { RestSession } from '../../../harness/restSession.mts';
import { test as base } from '../sandboxForTests.mts';
import { type LanguageModel, startLanguageModel } from './languageModel.mts';
import { type QueueStore, startQueueStore } from './queueStore.mts';
import { toCredential } from './service.mts';

/** The parts that a test with a real n8n may ask for. Each is made once a test asks for it, or for one that needs it. */
export interface Stage {
	/** The n8n that the files of a project share. */
	n8n: N8nClient;
	/** The service, as new. */
	service: Sandbox;
	/** n8n's credential for `service`. */
	credential: StoredCredential;
	/** A language model that says what a test has written. */
	model: LanguageModel;
	/** The editor of `n8n` in a browser, with its owner logged in. */
	editor: Editor;
	/** PostgreSQL and Redis, for an n8n of several processes. */
	store: QueueStore;
}

/** The `test` of files that use the n8n that all files share. */
export const test = base.extend<Omit<Stage, 'service'> & { startedModel: LanguageModel }>({
	n8n: [
		async ({}, use) => {
			const { baseUrl, cookie, userFolder } = inject('n8n');
			await use(new N8nClient(new RestSession(baseUrl, cookie), userFolder));
		},
		{ scope: 'file' },
	],
	startedModel: [
		async ({}, use) => {
			const model = await startLanguageModel();
			await use(model);
			await model.close();
		},
		{ scope: 'file' },
	],
	editor: [
		async ({ n8n }, use) => {
			// Few files need a browser, and its library takes a while to load.
			const { Editor } = await import('../../../harness/editor.mts');
			const editor = await Editor.open(n8n);
			await use(editor);
			await editor.close();
		},
		{ scope: 'file' },
	],
	store: [
		async ({}, use) => {
			const store = await startQueueStore();
			await use(store);
			await store.close();
		},
		{ scope: 'file' },
	],
	credential: async ({ n8n, service }, use) => {
		await use(await n8n.createCredential(credentialType, 'Legal AI API', toCredential(service)));
	},
	model: async ({ startedModel }, use) => {
		startedModel.reset();
		await use(startedModel);
	},
});

/** The `test` of files that need an n8n of their own, since they change its settings or end its processes. */
export const testWithOwnN8n = test.extend<{
	/** An n8n of the file's own. */
	n8n: N8n;
	/** The environment variables that it is started with; a file sets them with `test.override({ … })`. */
	n8nSettings: Environment;
}>({
	n8nSettings: [{}, { scope: 'file' }],
	n8n: [
		async ({ n8nSettings }, use) => {
			// Its editor takes two seconds to start.
			const n8n = await startN8n({ environment: { N8N_DISABLE_UI: 'true', ...n8nSettings } });
			await use(n8n);
			await n8n.close();
		},
		{ scope: 'file' },
	],
});
