// The rules for everything that is not published: tests, the sandbox service, scripts, benches and configuration. The
// published sources have `eslint.config.mjs`, which n8n's own linter insists on.
import { globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	globalIgnores(['dist', '**/node_modules', '.cache']),
	{
		files: ['**/*.mts'],
		extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
		languageOptions: {
			parserOptions: { project: 'test/tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			'@typescript-eslint/restrict-template-expressions': [
				'error',
				{ allowNumber: true, allowBoolean: true },
			],
		},
	},
	{
		// These also run in Node.js itself, which can't load the ES modules of `n8n-workflow`.
		files: [
			'harness/**/*.mts',
			'scripts/**/*.mts',
			'test/sandbox/**/*.mts',
			'test/contract/**/*.mts',
		],
		rules: {
			'@typescript-eslint/no-restricted-imports': [
				'error',
				{ paths: [{ name: 'n8n-workflow', allowTypeImports: true }] },
			],
		},
	},
	// Helpers of tests import nothing of the folders beside theirs except the sandbox.
	...[
		['test/support/*.mts', String.raw`^\.\./`],
		['test/support/*/*.mts', String.raw`^\.\./\.\./`],
	].map(([files, folderOfTests]) => ({
		files: [files],
		rules: {
			'@typescript-eslint/no-restricted-imports': [
				'error',
				{ patterns: [{ regex: String.raw`${folderOfTests}(?!\.\./|sandbox/)` }] },
			],
		},
	})),
	{
		files: ['**/*.mjs', 'gulpfile.js'],
		extends: [tseslint.configs.strict, tseslint.configs.stylistic],
	},
	{
		files: ['gulpfile.js'],
		languageOptions: {
			sourceType: 'commonjs',
			globals: { exports: 'writable', require: 'readonly' },
		},
		rules: {
			'@typescript-eslint/no-require-imports': [
				'error',
				{ allow: ['^esbuild$', '^gulp$', '^node:', '^typescript$', '^./dist/'] },
			],
		},
	},
);
