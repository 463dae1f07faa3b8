import { defineConfig, mergeConfig } from 'vitest/config';

import { e2e } from '../../../vitest.config.mts';

/** `npm run test:oldest`: the main uses in the oldest n8n that the README names. */
export default mergeConfig(
	e2e('e2e-oldest', 'test/e2e/{agent,all/waiting,credential,question,task,trigger}.test.mts'),
	defineConfig({
		cacheDir: '.cache/vite',
		test: {
			/**
			 * All but what n8n 2.14 does in another way:
			 * - If a tool fails, the execution fails, and the model is not asked again.
			 * - A credential test says n8n's own words, such as "Authorization failed".
			 * - A stopped execution is stored with what the node has noted, so that a retry gives the IDs of the questions that were accepted.
			 */
			testNamePattern:
				/^(?!an agent's model learns why a question can't be asked|the credential test says what to do|an execution that was stopped by hand while it asks)/,
		},
	}),
);
