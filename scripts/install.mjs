// Installs what `npm start` and `npm test` need and do not find; with `--for-all-tests`, what `npm run test:all` needs; with
// `--without-n8n`, only the development dependencies, which take a minute. Runs before them, on any Node from 20 on and with nothing
// installed yet, so it is plain JavaScript that imports Node's own modules alone.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { installationFolder, manifestFolder, markUsed, pruneUnused } from '../harness/n8nCache.mjs';
import { findMissingPrograms } from './programs.mjs';
import { InstallationFailed, runNpm } from './progress.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} file */
function readJson(file) {
	return JSON.parse(readFileSync(file, 'utf8'));
}

/** Leaves a `node_modules` that exists as it is, except for its Node. */
async function installDevelopmentDependencies() {
	if (existsSync(join(root, 'node_modules'))) assertInstalled();
	else await runNpm('Installing the development dependencies', root, ['ci']);
	if (!existsSync(join(root, 'node_modules', 'node', 'bin', 'node'))) await installNode();
}

/** What npm itself writes down as it installs says whether that was to the end, and from this lock file. */
function assertInstalled() {
	const record = join(root, 'node_modules', '.package-lock.json');
	if (!existsSync(record))
		throw new InstallationFailed('node_modules is not complete. Run `npm install`.');
	const installed = readJson(record).packages;
	const locked = Object.entries(readJson(join(root, 'package-lock.json')).packages);
	const outdated = locked.find(
		([path, { version, optional, devOptional }]) =>
			path !== '' && !optional && !devOptional && installed[path]?.version !== version,
	);
	if (outdated !== undefined)
		throw new InstallationFailed(
			`package-lock.json has changed: ${outdated[0]} is to be ${outdated[1].version}. Run \`npm install\`.`,
		);
}

/** The npm package `node` gets its program as it is installed, which `.npmrc` does not allow any package to do by itself. */
async function installNode() {
	await runNpm('Installing Node', root, ['rebuild', 'node', '--ignore-scripts=false']);
}

/** @param {Promise<void>} developmentDependencies the native modules of n8n are built with their Node */
async function installN8n(developmentDependencies) {
	const installation = installationFolder(manifestFolder);
	if (!existsSync(installation)) await installBeside(installation, developmentDependencies);
	markUsed(installation);
	pruneUnused();
}

/**
 * Installs n8n beside its place and moves it there once it is whole: an interrupted installation is never used, and of two at the same
 * time the first one stays.
 *
 * @param {string} installation its place
 * @param {Promise<void>} developmentDependencies
 */
async function installBeside(installation, developmentDependencies) {
	const { version } = readJson(join(manifestFolder, 'package-lock.json')).packages[
		'node_modules/n8n'
	];
	const unfinished = `${installation}-${process.pid}`;
	mkdirSync(unfinished, { recursive: true });
	markUsed(unfinished);
	for (const file of ['package.json', 'package-lock.json'])
		cpSync(join(manifestFolder, file), join(unfinished, file));
	try {
		await runNpm(`Installing n8n ${version} (2.7 GB, takes a few minutes)`, unfinished, [
			'ci',
			'--ignore-scripts',
			'--no-audit',
			'--no-fund',
		]);
		await developmentDependencies;
		await buildNativeModules(unfinished, version);
		if (!existsSync(installation)) renameSync(unfinished, installation);
	} finally {
		rmSync(unfinished, { recursive: true, force: true });
	}
}

/**
 * @param {string} folder
 * @param {string} version of n8n
 */
async function buildNativeModules(folder, version) {
	if (findNodeHeaders() === undefined) await installNode();
	const headers = findNodeHeaders();
	await runNpm(
		`Building the native modules of n8n ${version}`,
		folder,
		['rebuild', 'sqlite3', 'isolated-vm', '--ignore-scripts=false'],
		{
			PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(':'),
			...(headers !== undefined && { npm_config_nodedir: headers }),
		},
	);
}

/** The folder with Node's own headers (`include/node`), as the npm package `node` brings it until npm installs something else. */
function findNodeHeaders() {
	const name = `node-${process.platform}-${process.arch}`;
	return [join('node', 'node_modules', name), name]
		.map((path) => join(root, 'node_modules', path))
		.find((path) => existsSync(join(path, 'include', 'node', 'node.h')));
}

async function installFileStores() {
	const folder = join(root, 'test', 'stores');
	if (existsSync(join(folder, 'node_modules'))) return;
	await runNpm('Installing a file store and a mail server', folder, ['ci', '--ignore-scripts']);
}

function tellMissingPrograms() {
	const missing = findMissingPrograms();
	if (missing.length === 0) return;
	console.log(`Tests that need ${missing.join(', ')} will fail. To install what is missing:`);
	console.log('  npm run install-programs    (Debian and Ubuntu, as root)');
}

try {
	const developmentDependencies = installDevelopmentDependencies();
	const steps = [developmentDependencies];
	if (!process.argv.includes('--without-n8n')) steps.push(installN8n(developmentDependencies));
	if (process.argv.includes('--for-all-tests')) {
		steps.push(installFileStores());
		tellMissingPrograms();
	}
	await Promise.all(steps);
} catch (error) {
	if (!(error instanceof InstallationFailed)) throw error;
	console.error(`\n${error.message}`);
	process.exitCode = 1;
}
