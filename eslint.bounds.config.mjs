// Bounds and known defects, for everything: product, tests and tools. The published sources have `eslint.config.mjs` besides, which n8n's
// own linter insists on, and all else has `eslint.test.config.mjs`.
import { globalIgnores } from 'eslint/config';
import * as regexp from 'eslint-plugin-regexp';
import sonarjs from 'eslint-plugin-sonarjs';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	globalIgnores(['dist', '**/node_modules', '.cache']),
	{
		files: ['**/*.{ts,mts,mjs,cjs,js}'],
		extends: [regexp.configs['flat/recommended'], sonarjs.configs.recommended],
		languageOptions: { parser: tseslint.parser },
		rules: {
			'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
			'sonarjs/cognitive-complexity': ['error', 15],
			'sonarjs/regex-complexity': ['error', { threshold: 20 }],
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': 'error',
			'regexp/match-any': ['error', { allows: ['[^]', 'dotAll'] }],
			// A group is easier to read without `?:`.
			'regexp/no-unused-capturing-group': 'off',
			// `return (this.x ??= …)` keeps what was made once.
			'sonarjs/no-nested-assignment': 'off',
			'sonarjs/no-nested-template-literals': 'off',
			// `void promise` says that nothing waits for it, as typescript-eslint asks for.
			'sonarjs/void-use': 'off',
			// Questions to the reader, which every test address, made-up key or random delay would raise.
			'sonarjs/hardcoded-secret-signatures': 'off',
			'sonarjs/hashing': 'off',
			'sonarjs/no-clear-text-protocols': 'off',
			'sonarjs/no-hardcoded-ip': 'off',
			'sonarjs/no-os-command-from-path': 'off',
			'sonarjs/pseudo-random': 'off',
			'sonarjs/publicly-writable-directories': 'off',
		},
	},
	{
		files: ['**/*.{test,bench}.mts'],
		rules: { 'max-lines-per-function': 'off' },
	},
	{
		// Not there yet.
		files: [
			'bench/support/plainWorker.mts',
			'harness/callbacks.mts',
			'scripts/newN8n.mts',
			'test/contract/program.test.mts',
			'test/contract/shape.mts',
			'test/contract/tasks.mts',
			'test/engine/everyParameter.test.mts',
			'test/engine/taskTriggerMonth.test.mts',
			'test/engine/wait/log.test.mts',
			'test/long/exampleKills.test.mts',
			'test/sandbox/faultHooks.mts',
			'test/support/clock.mts',
			'test/support/engine/database.mts',
			'test/support/examples/driver.mts',
			'test/support/n8n/probe/Probe.node.js',
			'test/support/products/google.mts',
			'test/support/products/microsoft.mts',
			'test/support/products/stage.mts',
			'test/support/wait/model.mts',
			'test/unit/api/serviceLimits.test.mts',
			'test/unit/email/htmlText.test.mts',
			'test/unit/errors/errorText.test.mts',
			'test/unit/examples/examples.test.mts',
			'test/unit/taskTrigger/poll.test.mts',
			'test/unit/tool.test.mts',
		],
		rules: {
			'max-lines-per-function': 'warn',
			'regexp/no-dupe-disjunctions': 'warn',
			'regexp/no-super-linear-backtracking': 'warn',
			'regexp/no-super-linear-move': 'warn',
			'regexp/no-useless-non-capturing-group': 'warn',
			'regexp/strict': 'warn',
			'regexp/use-ignore-case': 'warn',
			'sonarjs/anchor-precedence': 'warn',
			'sonarjs/cognitive-complexity': 'warn',
			'sonarjs/no-inverted-boolean-check': 'warn',
			'sonarjs/no-nested-conditional': 'warn',
			'sonarjs/no-redundant-optional': 'warn',
			'sonarjs/no-unused-collection': 'warn',
			'sonarjs/regex-complexity': 'warn',
			'sonarjs/super-linear-regex': 'warn',
			'sonarjs/updated-loop-counter': 'warn',
		},
	},
);
