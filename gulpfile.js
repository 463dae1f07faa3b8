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
	const { simplifiedFields } = require('./dist/nodes/LegalAi/resources/task/simplify');
	writeSchema('output', triggerOutput);
	writeSchema('output', simplifiedFields, 'v1.0.0');
	for (const [resource, { operations }] of Object.entries(resources)) {
		for (const [operation, { output }] of Object.entries(operations)) {
			if (output !== undefined) writeSchema(`${resource}/${operation}`, output);
		}
	}
}

/** The task trigger alone is of another version than the other nodes, which have the same folder. */
function writeSchema(name, properties, version = 'v1.1.0') {
	const path = `dist/nodes/LegalAi/__schema__/${version}/${name}.json`;
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, JSON.stringify({ type: 'object', properties, version: 1 }, null, '\t'));
}

exports.default = series(copyAssets, writeOutputSchemas);
