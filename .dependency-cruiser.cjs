// Who may import whom: `npm run lint` holds it. docs/architecture.md shows the floors as a picture.

/** The floors of the house, the highest first: a folder imports only from its own and from floors below its own. */
const FLOORS = [
	['nodes/LegalAi/[^/]+$', 'nodes/LegalAiEmail/LegalAiEmail[.]node[.]ts$'],
	['nodes/LegalAi/resources/[^/]+$'],
	['nodes/LegalAi/resources/question/', 'nodes/LegalAi/taskTrigger/'],
	['nodes/LegalAi/resources/task/', 'nodes/LegalAi/trigger/'],
	[
		'nodes/LegalAi/execution/',
		'nodes/LegalAi/listSearch/',
		'nodes/LegalAiEmail/(?!LegalAiEmail[.]node)',
	],
	['nodes/LegalAi/errors/', 'nodes/LegalAi/fields/', 'nodes/LegalAi/files/', 'credentials/'],
	['nodes/LegalAi/api/'],
];

/** What the build bundles (gulpfile.js), by the name of its package. */
const LIBRARIES = ['content-disposition', 'htmlparser2', 'ipaddr.js'];

/** What n8n lets a verified package import. */
const FROM_N8N = ['n8n-workflow', 'crypto'];

const packages = (names) => `(^|node_modules/)(${names.join('|')})(/|$)`;

const floors = FLOORS.flatMap((folders, index) =>
	folders.map((folder) => {
		const besides = folders.filter((other) => other !== folder);
		const forbidden = [...FLOORS.slice(0, index).flat(), ...besides];
		return {
			name: `floor of ${folder}`,
			severity: 'error',
			from: { path: `^${folder}` },
			to: { path: forbidden.map((other) => `^${other}`).join('|') },
		};
	}),
);

module.exports = {
	forbidden: [
		...floors.filter(({ to }) => to.path !== ''),
		{
			name: 'published: no circles',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { circular: true },
		},
		{
			name: 'no circles, types aside',
			severity: 'error',
			from: {},
			to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
		},
		{
			name: 'published: n8n, the libraries that are bundled, and nothing else',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { pathNot: ['^(nodes|credentials)/', packages([...FROM_N8N, ...LIBRARIES])] },
		},
		...LIBRARIES.map((library) => ({
			name: `published: one file imports ${library}`,
			severity: 'error',
			module: { path: packages([library]), numberOfDependentsMoreThan: 1 },
			from: { path: '^(nodes|credentials)/' },
		})),
		{
			name: 'helpers of tests are in test/support/',
			severity: 'error',
			from: {},
			to: { path: '^test/(unit|engine|e2e)/', pathNot: '[.](test[.]mts|json)$' },
		},
		{ name: 'found', severity: 'error', from: {}, to: { couldNotResolve: true } },
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^dist/' },
		tsConfig: { fileName: 'test/tsconfig.json' },
		tsPreCompilationDeps: true,
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['import', 'require', 'node', 'default', 'types'],
			mainFields: ['main', 'types'],
		},
	},
};
