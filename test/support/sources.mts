import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../../harness/installedPackage.mts';

/** A file of the published package. */
export interface Source {
	/** Below the root. */
	path: string;
	text: string;
}

/** The TypeScript that is published. */
export function publishedSources(): Source[] {
	return globSync(['nodes/**/*.ts', 'credentials/**/*.ts'], { cwd: projectFolder })
		.sort()
		.map((path) => ({ path, text: readFileSync(join(projectFolder, path), 'utf8') }));
}
