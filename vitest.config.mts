import { createRequire } from 'node:module';

import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import { isN8n1, n8nVersion, n8nVersions } from './test/support/n8n/versions.mts';

/**
 * The nodes are CommonJS when n8n loads them. Under test they must share one `n8n-workflow` with `n8n-core`, which
 * requires its CommonJS build: two builds would mean two classes `NodeApiError`.
 */
const workflowModule = createRequire(import.meta.url).resolve('n8n-workflow');

const resolve = { alias: [{ find: /^n8n-workflow$/, replacement: workflowModule }] };

/** Of services that the node is checked on, for each property; `npm run double` takes more. */
const services = { count: Number(process.env.DOUBLE_SERVICES ?? 40), seed: Number(process.env.DOUBLE_SEED ?? 20260101) };
const MS_A_SERVICE_AT_MOST = 1000;

/** A process for each processor runs one file after the other: n8n's engine takes seconds to load, and is loaded once. */
const quick = {
	isolate: false,
	setupFiles: ['test/support/freshModules.mts', 'test/support/fixedSeed.mts'],
	maxWorkers: '100%',
	sequence: { groupOrder: 0 },
	// Some try thousands of values: on a busy machine, what takes a second alone may take six.
	testTimeout: 30_000,
};

const parallel = ['unit', 'sandbox', 'engine'].map((name) => ({
	resolve,
	test: {
		...quick,
		name,
		include: [`test/${name}/**/*.test.mts`],
	},
}));

/** End-to-end tests on one version of n8n; all of them run on the default one, and with `--mode versions` on each. */
const e2e = (version: string, hasAll: boolean): TestProjectInlineConfiguration => ({
	resolve,
	test: {
		name: version === n8nVersion ? 'e2e' : `e2e-${version}`,
		include: [hasAll ? 'test/e2e/**/*.test.mts' : 'test/e2e/core/*.test.mts'],
		// The examples need n8n 2: most of them use nodes, or versions of nodes, that n8n 1 does not have.
		exclude: isN8n1(version) ? ['test/e2e/examples/**'] : [],
		env: { N8N_VERSION: version },
		globalSetup: 'test/e2e/sharedN8n.mts',
		setupFiles: 'test/e2e/namedLogs.mts',
		// Each n8n wants a processor of its own: two files side by side, and none beside the quick tests.
		maxWorkers: 2,
		sequence: { groupOrder: 1 },
		testTimeout: 120_000,
		hookTimeout: 180_000,
	},
});

export default defineConfig(({ mode }) => ({
	test: {
		provide: { services },
		projects: [
			...parallel,
			{
				resolve,
				test: {
					...quick,
					name: 'double',
					include: ['test/double/**/*.test.mts'],
					testTimeout: 60_000 + services.count * MS_A_SERVICE_AT_MOST,
				},
			},
			...n8nVersions.map((version) => e2e(version, mode === 'versions' || version === n8nVersion)),
		],
	},
}));
