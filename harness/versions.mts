import { createRequire } from 'node:module';
import { join } from 'node:path';

import n8n1 from '../test/n8n/1/package.json' with { type: 'json' };
import current from '../test/n8n/current/package.json' with { type: 'json' };
import { projectFolder } from './installedPackage.mts';

/** The version of n8n that runs if nobody names another one: `N8N_VERSION`, or that of `test/n8n/current`. */
export const n8nVersion = process.env.N8N_VERSION ?? current.dependencies.n8n;

/** The version of n8n 1 that a few tests run on. */
export const n8n1Version = n8n1.dependencies.n8n;

/** The folder that an n8n is installed in (`npm install` puts it into `node_modules` there). */
export function n8nFolder(version: string): string {
	return join(projectFolder, 'test', 'n8n', isN8n1(version) ? '1' : 'current');
}

/** Whether a version is of n8n 1, which has workflows switched on where n8n 2 publishes them. */
export function isN8n1(version: string): boolean {
	return version.startsWith('1.');
}

/** Loads a module that n8n brings along, as n8n itself would find it. */
export const requireAsN8n = createRequire(
	join(n8nFolder(n8nVersion), 'node_modules', 'n8n', 'package.json'),
);
