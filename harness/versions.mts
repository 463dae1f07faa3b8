import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { installationFolder, manifestFolder } from './n8nCache.mjs';
import { asRecord, asText } from './unknownJson.mts';

const manifest = asRecord(
	JSON.parse(readFileSync(join(manifestFolder, 'package.json'), 'utf8')),
	'The manifest of n8n',
);

/** The version of n8n that tests and `npm start` run. */
export const n8nVersion = asText(
	asRecord(manifest.dependencies, 'Its dependencies').n8n,
	'The version of n8n',
);

/** The folder that n8n is installed in: `node_modules` there has it, and everything that it brings along. */
export const n8nFolder = installationFolder(manifestFolder);

/** Loads a module that n8n brings along, as n8n itself would find it. */
export const requireAsN8n = createRequire(join(n8nFolder, 'node_modules', 'n8n', 'package.json'));
