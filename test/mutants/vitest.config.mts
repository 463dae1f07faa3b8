import { createRequire } from 'node:module';

import { defineConfig } from 'vitest/config';

/** All but the model, which takes a minute. */
const waits = 'wait/!(model)';

/** The engine tests that have to notice a fault in a part, beside its unit tests: the quick ones, so that a fault costs seconds. */
const engineTests: Readonly<Record<string, readonly string[]>> = {
	api: [
		...['credential', 'endlessResponses', 'faultMatrix', 'taskList', 'tasks'],
		...[
			'question/{asking,failingFast,noAnswer,unconnected,waiting}',
			'file/{download,upload}',
			'trigger/{asking,attacks}',
			'wait/{certain,log,status}',
		],
	],
	errors: ['continueOnFail', 'question/failingFast'],
	execution: [
		...['continueOnFail', 'credential', 'outputFields', 'lists', 'taskList', 'tasks'],
		...['question/*', 'file/{attachments,upload}', 'trigger/asking'],
		waits,
	],
	fields: [
		...['everyParameter', 'lists', 'taskList', 'tasks', 'taskTrigger'],
		...['question/{answerFields,asking}', 'file/{attachments,upload}'],
	],
	files: ['file/*'],
	listSearch: ['lists'],
	resources: [
		...['canvas', 'everyParameter', 'faultMatrix', 'lists', 'outputFields', 'taskList', 'tasks'],
		...['question/*', 'file/*', 'trigger/{asking,passAlong}'],
		'wait/{crashes,identity,notTwice,once,openings,portions,sessions,settings,status}',
	],
	taskTrigger: ['taskTrigger', 'taskTriggerMonth'],
	trigger: ['trigger/*'],
};

const part = process.env.MUTANTS_PART ?? '';
const included = {
	unit: [`test/unit/${part}/**/*.test.mts`, 'test/unit/{savedNames,tool}.test.mts'],
	engine: (engineTests[part] ?? []).map((name) => `test/engine/${name}.test.mts`),
};

/** See vitest.config.mts for the alias and for the files that share a process. */
export default defineConfig({
	test: {
		// Quick tests first: most faults are noticed by them, and then n8n's engine need not be loaded.
		projects: Object.entries(included).map(([name, include], groupOrder) => ({
			resolve: {
				alias: [
					{
						find: /^n8n-workflow$/,
						replacement: createRequire(import.meta.url).resolve('n8n-workflow'),
					},
				],
			},
			test: {
				name,
				globals: true,
				include,
				isolate: false,
				testTimeout: 60_000,
				sequence: { groupOrder },
				setupFiles: ['test/support/freshModules.mts', 'test/support/fixedSeed.mts'],
			},
		})),
	},
});
