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
);
