import { defineConfig } from 'rolldown';

import manifest from './package.json' with { type: 'json' };

const { credentials, nodes } = manifest.n8n;
/** What n8n loads, and what gulpfile.js reads the output schemas from. */
const entries = [
	...[...credentials, ...nodes].map((path) => path.replace(/^dist\/|\.js$/g, '')),
	'nodes/LegalAi/resources/index',
	'nodes/LegalAi/trigger/properties',
];

/**
 * A few files load three times as fast as one for each source. What the entries share is a file of its own, so that the
 * process's state is shared too.
 */
export default defineConfig({
	input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
	external: ['n8n-workflow', 'crypto'],
	platform: 'node',
	output: {
		dir: 'dist',
		format: 'cjs',
		strict: true,
		comments: false,
		entryFileNames: '[name].js',
		chunkFileNames: '[name].js',
		codeSplitting: { groups: [{ name: 'nodes/LegalAi/shared', minShareCount: 2 }] },
	},
});
