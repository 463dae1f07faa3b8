// Run by scripts/mutants.mts.
const part = process.env.MUTANTS_PART;
/** Parts whose strings go over the wire, rather than into texts, descriptions and unions that the compiler holds. */
const withWireStrings = ['api', 'files', 'trigger'];

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	testRunner: 'vitest',
	vitest: { configFile: 'test/mutants/vitest.config.mts', related: false },
	mutate: [`nodes/LegalAi/${part}/**/*.ts`],
	mutator: { excludedMutations: withWireStrings.includes(part) ? [] : ['StringLiteral'] },
	ignorePatterns: ['/.cache', '/bench', '/dist', '/docs/pictures', '/test/e2e'],
	tempDirName: '.cache/stryker',
	cleanTempDir: 'always',
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { logTests: false, reportTests: false, allowEmojis: false },
	incremental: true,
	incrementalFile: `.cache/mutants/${part}.json`,
	concurrency: 2,
	// Generous, since a busy machine must not pass for a test that noticed something.
	timeoutMS: 10_000,
	timeoutFactor: 2,
	dryRunTimeoutMinutes: 10,
};
