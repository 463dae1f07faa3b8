// Where n8n (2.7 GB) is installed: once for all checkouts of this machine, by its lock file. scripts/install.mjs uses this before
// anything is installed, on any Node from 20 on: plain JavaScript that imports Node's own modules alone.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectFolder = fileURLToPath(new URL('..', import.meta.url));
/** The version of the npm package `node`, which the native modules of n8n are built for. */
const nodeVersion = readJson(join(projectFolder, 'package.json')).devDependencies.node;
const stampName = 'last-used';
const keptDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

/** The folder of all installed n8n. It may be deleted at any time. */
export const cacheFolder = join(
	process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
	'n8n-nodes-legal-ai',
);

/** The folder with the manifest and the lock file of the n8n that is started: `current`, unless `TESTED_N8N` names another. */
export const manifestFolder = join(
	projectFolder,
	'test',
	'n8n',
	process.env.TESTED_N8N || 'current',
);

/**
 * The folder that an n8n is installed in, as a manifest and its lock file say, or will be.
 *
 * @param {string} manifestFolder
 */
export function installationFolder(manifestFolder) {
	const { dependencies, devDependencies, overrides } = readJson(
		join(manifestFolder, 'package.json'),
	);
	const hash = createHash('sha256')
		.update(JSON.stringify([dependencies, devDependencies, overrides]))
		.update(readFileSync(join(manifestFolder, 'package-lock.json')))
		.update([process.platform, process.arch, nodeVersion].join());
	return join(cacheFolder, hash.digest('hex'));
}

/**
 * Keeps an installation from being pruned for the next 30 days.
 *
 * @param {string} installation its folder
 */
export function markUsed(installation) {
	writeFileSync(join(installation, stampName), new Date().toISOString());
}

/**
 * Removes the installations that nothing has used for 30 days. Without a stamp, a folder is not one of them.
 *
 * @param {string} [folder]
 */
export function pruneUnused(folder = cacheFolder) {
	const oldest = Date.now() - keptDays * dayMs;
	for (const name of readdirSync(folder)) {
		const stamp = join(folder, name, stampName);
		if (existsSync(stamp) && statSync(stamp).mtimeMs < oldest)
			rmSync(join(folder, name), { recursive: true, force: true });
	}
}

/**
 * @param {string} file
 * @returns {any}
 */
function readJson(file) {
	return JSON.parse(readFileSync(file, 'utf8'));
}
