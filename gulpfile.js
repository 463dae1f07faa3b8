const { mkdirSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { dest, series, src } = require('gulp');

/** Copies what the compiler leaves behind: icons, and the codex files of the nodes. */
function copyAssets() {
	return src(['{icons,nodes,credentials}/**/*.svg', 'nodes/**/*.node.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));
}

/** Writes what the nodes' output items have, where n8n looks for it: for the editor, and for its AI workflow builder. */
async function writeOutputSchemas() {
	const { resources } = require('./dist/nodes/LegalAi/resources');
	const { triggerOutput } = require('./dist/nodes/LegalAi/trigger/properties');
	const { emailOutput } = require('./dist/nodes/LegalAiEmail/LegalAiEmail.node');
	const { simplifiedFields } = require('./dist/nodes/LegalAi/resources/task/taskFields');
	writeSchema('v1.1.0/output', triggerOutput);
	writeSchema('v1.0.0/output', simplifiedFields);
	// The editor looks for what comes out of a node without operations, but triggers, under the version itself.
	writeSchema('v1.0.0', emailOutput, 'LegalAiEmail');
	for (const [resource, { operations }] of Object.entries(resources)) {
		for (const [operation, { output }] of Object.entries(operations)) {
			if (output !== undefined) writeSchema(`v1.1.0/${resource}/${operation}`, output);
		}
	}
}

/** Nodes of the same version, in the same folder, would have the same file. */
function writeSchema(name, properties, folder = 'LegalAi') {
	const path = `dist/nodes/${folder}/__schema__/${name}.json`;
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, JSON.stringify({ type: 'object', properties, version: 1 }, null, '\t'));
}

exports.default = series(copyAssets, writeOutputSchemas);
