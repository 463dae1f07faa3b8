const { existsSync, readFileSync } = require('node:fs');
const { dirname, resolve } = require('node:path');
const { compileFunction } = require('node:vm');
const { ModuleKind, ScriptTarget, transpileModule } = require('typescript');

const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true };

/** What has been compiled in this process, by path. */
const compiled = new Map();

function compile(path) {
	const { outputText } = transpileModule(readFileSync(path, 'utf8'), { compilerOptions, fileName: path });
	return compileFunction(outputText, ['exports', 'require'], { filename: path });
}

function pathOf(from, name) {
	const path = resolve(dirname(from), name);
	return existsSync(`${path}.ts`) ? `${path}.ts` : `${path}/index.ts`;
}

/**
 * Runs a TypeScript module and all that it imports from its own package anew, as a process that has just started does.
 * Each is compiled once for all the times.
 */
exports.loadAnew = function loadAnew(path, loaded = new Map()) {
	const known = loaded.get(path);
	if (known !== undefined) return known;
	const exported = {};
	loaded.set(path, exported);
	if (!compiled.has(path)) compiled.set(path, { run: compile(path), paths: new Map() });
	const { run, paths } = compiled.get(path);
	run(exported, (name) => {
		if (!name.startsWith('.')) return require(name);
		if (!paths.has(name)) paths.set(name, pathOf(path, name));
		return loadAnew(paths.get(name), loaded);
	});
	return exported;
};
