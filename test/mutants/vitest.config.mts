import { createRequire } from 'node:module';

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { parts } from './parts.mts';

const { tests = [] } = parts.find(({ name }) => name === process.env.MUTANTS_PART) ?? {};

const resolve = {
	alias: [{ find: /^n8n-workflow$/, replacement: createRequire(import.meta.url).resolve('n8n-workflow') }],
};

/** Quick tests first: most mutants are noticed by them, and then n8n's engine need not be loaded. */
class UnitTestsFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		return sorted.sort((one, other) => Number(one.project.name === 'engine') - Number(other.project.name === 'engine'));
	}
}

/** The tests of the part that MUTANTS_PART names. See vitest.config.mts for the alias and for the files that share a process. */
export default defineConfig({
	test: {
		sequence: { sequencer: UnitTestsFirst },
		projects: ['unit', 'engine'].map((name) => ({
			resolve,
			test: {
				name,
				include: tests.filter((glob) => glob.startsWith(`test/${name}/`)),
				isolate: false,
				setupFiles: ['test/support/freshModules.mts', 'test/support/fixedSeed.mts'],
			},
		})),
	},
});
