import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The nodes are CommonJS when n8n loads them. Under test they must share one `n8n-workflow` with `n8n-core`, which
 * requires its CommonJS build: two builds would mean two classes `NodeApiError`.
 */
const workflowModule = createRequire(import.meta.url).resolve('n8n-workflow');

const resolve = { alias: [{ find: /^n8n-workflow$/, replacement: workflowModule }] };

/** A process for each processor runs one file after the other: n8n's engine takes seconds to load, and is loaded once. */
const quick = (name: string): TestProjectInlineConfiguration => ({
	resolve,
	test: {
		name,
		globals: true,
		include: [`test/${name}/**/*.test.mts`],
		expect: { requireAssertions: true },
		isolate: false,
		setupFiles: ['test/support/freshModules.mts', 'test/support/fixedSeed.mts'],
		maxWorkers: '100%',
		// Tests that run in parallel wait for most of their time, which a faster clock makes short.
		maxConcurrency: 96,
		sequence: { groupOrder: 0 },
		// Some try thousands of values: on a busy machine, what takes seconds alone may take a minute.
		testTimeout: 120_000,
	},
});

/** What a real n8n is needed for. The files of a project share one n8n, unless they need one of their own. */
export const e2e = (name: string, include: string): TestProjectInlineConfiguration => ({
	resolve,
	test: {
		name,
		globals: true,
		include: [include],
		expect: { requireAssertions: true },
		globalSetup: 'test/support/n8n/sharedN8n.mts',
		setupFiles: 'test/support/n8n/namedLogs.mts',
		// They wait for more than half of their time: four files in parallel keep two processors busy, and none beside the quick tests.
		maxWorkers: 4,
		sequence: { groupOrder: 1 },
		// The first test of a file also waits for the parts that it asks for. Five processes take minutes to start on a busy machine.
		testTimeout: 300_000,
		hookTimeout: 300_000,
	},
});

/** Each file of the long tests has an n8n of its own, which logs to `.cache/n8n-logs/`. */
const long: TestProjectInlineConfiguration = {
	resolve,
	test: {
		name: 'e2e-long',
		globals: true,
		include: ['test/long/*.test.mts'],
		expect: { requireAssertions: true },
		maxWorkers: 1,
		sequence: { groupOrder: 2 },
		testTimeout: 600_000,
		hookTimeout: 180_000,
	},
};

/** In the sources of files that start an n8n of their own: by a stage that does, or themselves. */
const ownN8n = /testWithOwnN8n|products\/fixtures|startN8n/;

/** Files that start an n8n of their own take longest. They begin, so that none of them is left to run alone. */
class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const isLong = ({ moduleId }: TestSpecification): number =>
			Number(ownN8n.test(readFileSync(moduleId, 'utf8')));
		return (await super.sort(files)).toSorted((one, other) => isLong(other) - isLong(one));
	}
}

/** `npm test` leaves out what is named `e2e-…`; `npm run test:all` runs all but `e2e-long`, which has a script of its own. */
export default defineConfig({
	// What is installed is shared by all checkouts, so nothing is kept there.
	cacheDir: '.cache/vite',
	test: {
		sequence: { sequencer: LongestFirst },
		projects: [
			quick('unit'),
			quick('sandbox'),
			quick('contract'),
			quick('engine'),
			e2e('e2e', 'test/e2e/*.test.mts'),
			e2e('e2e-all', 'test/e2e/{all,examples}/*.test.mts'),
			long,
		],
	},
});
