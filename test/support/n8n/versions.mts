import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import preset from '../../n8n/default.json' with { type: 'json' };
import { projectFolder } from './installedPackage.mts';

/** The version of n8n that runs where nobody names another: `N8N_VERSION`, or the one in `test/n8n/default.json`. */
export const n8nVersion = process.env.N8N_VERSION ?? preset.version;

const versionsFolder = join(projectFolder, 'test', 'n8n');

/** Every version of n8n that there is a folder for. */
export const n8nVersions: readonly string[] = readdirSync(versionsFolder)
	.filter((name) => existsSync(join(versionsFolder, name, 'package.json')));

/** The folder that an n8n is installed in (`npm install` puts it into `node_modules` there). */
export function n8nFolder(version: string): string {
	return join(versionsFolder, version);
}

/** Whether a version is of n8n 1, which has workflows switched on where n8n 2 publishes them. */
export function isN8n1(version: string): boolean {
	return version.startsWith('1.');
}

/** Loads a module that n8n brings along, as n8n itself would find it. */
export const requireAsN8n = createRequire(join(n8nFolder(n8nVersion), 'node_modules', 'n8n', 'package.json'));
