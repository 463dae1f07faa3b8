import { existsSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import manifest from '../package.json' with { type: 'json' };

/** The folder of this package's repository. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

/** Where n8n keeps this package, below its user folder. */
export function installedFolder(userFolder: string) {
	return join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-legal-ai');
}

/**
 * Puts what `npm publish` would publish where n8n keeps its community packages. It is a copy, not a link, because the nodes
 * have to find n8n's own `n8n-workflow`.
 */
export async function installPackage(userFolder: string) {
	const target = installedFolder(userFolder);
	await rm(target, { recursive: true, force: true });
	await mkdir(target, { recursive: true });
	for (const name of ['package.json', ...manifest.files]) {
		if (!existsSync(join(projectFolder, name)))
			throw new Error(`${name} is missing: run \`npm run build\` first`);
		await cp(join(projectFolder, name), join(target, name), { recursive: true });
	}
}
