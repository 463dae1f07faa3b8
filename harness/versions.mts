import { createRequire } from 'node:module';
import { join } from 'node:path';

import manifest from '../test/n8n/current/package.json' with { type: 'json' };
import { projectFolder } from './installedPackage.mts';

/** The version of n8n that tests and `npm start` run. */
export const n8nVersion = manifest.dependencies.n8n;

/** The folder that n8n is installed in (`npm install` puts it into `node_modules` there). */
export const n8nFolder = join(projectFolder, 'test', 'n8n', 'current');

/** Loads a module that n8n brings along, as n8n itself would find it. */
export const requireAsN8n = createRequire(join(n8nFolder, 'node_modules', 'n8n', 'package.json'));
