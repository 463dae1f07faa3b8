// Mutants: small faults put into the sources one by one, to see whether the tests notice. `npm run mutants` runs this for each
// part of the package; docs/mutants.md says what came out.
import { parts } from './test/mutants/parts.mts';

const part = parts.find(({ name }) => name === process.env.MUTANTS_PART);
if (part === undefined) throw new Error(`Run this by "npm run mutants"; the parts are ${parts.map(({ name }) => name).join(', ')}`);

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	testRunner: 'vitest',
	vitest: { configFile: 'test/mutants/vitest.config.mts', related: false },
	mutate: [...part.sources],
	mutator: { excludedMutations: part.hasWireStrings ? [] : ['StringLiteral'] },
	ignorePatterns: ['/.cache', '/bench', '/dist', '/docs/pictures', '/test/double', '/test/e2e'],
	tempDirName: '.cache/stryker',
	cleanTempDir: 'always',
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false, allowEmojis: false },
	incremental: true,
	incrementalFile: `.cache/mutants/${part.name}.json`,
	concurrency: 2,
	// Generous, since a busy machine must not pass for a test that noticed something.
	timeoutMS: 10_000,
	timeoutFactor: 2,
	dryRunTimeoutMinutes: 10,
};
