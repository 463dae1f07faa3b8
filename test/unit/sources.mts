import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A file of the published package. */
export interface Source {
	/** Below the root. */
	readonly path: string;
	readonly text: string;
}

/** The TypeScript that is published. */
export function publishedSources(): Source[] {
	return globSync(['nodes/**/*.ts', 'credentials/**/*.ts'], { cwd: root })
		.sort()
		.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
