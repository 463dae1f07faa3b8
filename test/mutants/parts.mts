/** A part of the package, and the tests that have to notice a fault in it. */
export interface Part {
	readonly name: string;
	/** Globs of the sources. */
	readonly sources: readonly string[];
	/** Globs of the test files; those that take longer than the rest together are left out, so that a fault costs seconds. */
	readonly tests: readonly string[];
	/** Whether its strings go over the wire, rather than into texts, descriptions and unions that the compiler holds. */
	readonly hasWireStrings: boolean;
	/** What share of the faults has to be noticed, in percent. */
	readonly least: number;
}

export const parts: readonly Part[] = [
	{
		name: 'callbacks',
		sources: ['nodes/LegalAi/callbacks/**/*.ts'],
		tests: ['test/unit/callbacks/**/*.test.mts', 'test/engine/trigger/listening.test.mts'],
		hasWireStrings: true,
		least: 90,
	},
	{
		name: 'api',
		sources: ['nodes/LegalAi/api/**/*.ts'],
		tests: ['test/unit/api/**/*.test.mts', 'test/engine/{hostileAnswers,taskList}.test.mts', 'test/engine/question/asking.test.mts'],
		hasWireStrings: true,
		least: 90,
	},
	{
		name: 'waiting',
		sources: ['nodes/LegalAi/waiting/**/*.ts'],
		tests: [
			'test/unit/waiting/**/*.test.mts',
			'test/engine/wait/{agentTools,looks,n8n1,sessions,settings}.test.mts',
			'test/engine/question/parked.test.mts',
		],
		hasWireStrings: true,
		least: 90,
	},
	{
		name: 'files',
		sources: ['nodes/LegalAi/files/**/*.ts'],
		tests: ['test/unit/files/**/*.test.mts', 'test/engine/file/{attachments,wholeFiles}.test.mts'],
		hasWireStrings: true,
		least: 90,
	},
	{
		name: 'parameters',
		sources: ['nodes/LegalAi/parameters/**/*.ts'],
		tests: ['test/unit/{parameters,resources}/**/*.test.mts', 'test/engine/taskList.test.mts', 'test/engine/question/asking.test.mts'],
		hasWireStrings: false,
		least: 90,
	},
	{
		name: 'execution',
		sources: ['nodes/LegalAi/execution/**/*.ts'],
		tests: [
			'test/unit/{contract.test.mts,execution/*.test.mts}',
			'test/engine/{continueOnFail,outputFields,trace}.test.mts',
			'test/engine/question/{asking,failingFast}.test.mts',
		],
		hasWireStrings: false,
		least: 90,
	},
	{
		name: 'trigger',
		sources: ['nodes/LegalAi/trigger/**/*.ts', 'nodes/LegalAi/LegalAiTrigger.node.ts'],
		tests: ['test/unit/{contract.test.mts,trigger/*.test.mts}', 'test/engine/{trace,trigger/{deliveries,files,listening,secrets}}.test.mts'],
		hasWireStrings: false,
		least: 90,
	},
	{
		name: 'listSearch',
		sources: ['nodes/LegalAi/listSearch/**/*.ts'],
		tests: ['test/unit/listSearch/**/*.test.mts', 'test/engine/lists.test.mts'],
		hasWireStrings: false,
		least: 90,
	},
	{
		name: 'resources',
		sources: ['nodes/LegalAi/resources/**/*.ts', 'nodes/LegalAi/LegalAi.node.ts', 'credentials/**/*.ts', 'nodes/LegalAi/messages/**/*.ts'],
		tests: [
			'test/unit/{contract.test.mts,messages/*.test.mts,resources/*.test.mts}',
			'test/engine/{credential,outputFields,subtitle,taskList,tasks,trace}.test.mts',
			'test/engine/question/{asking,openPoints,waiting}.test.mts',
			'test/engine/file/{attachments,download,upload}.test.mts',
			'test/engine/trigger/{listening,secrets}.test.mts',
			'test/engine/wait/{agentTools,looks,settings}.test.mts',
		],
		hasWireStrings: false,
		least: 0,
	},
];
