import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../harness/installedPackage.mts';

/** A library that the build has put into the package. */
export interface BundledLibrary {
	readonly name: string;
	readonly version: string;
	readonly license: string;
}

/** The libraries in the package as it was built last, from the list in it (gulpfile.js). */
export function readBundledLibraries(): readonly BundledLibrary[] {
	const list = readFileSync(join(projectFolder, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
	return [...list.matchAll(/^- (?<name>\S+) (?<version>\S+) \((?<license>.+)\)$/gm)].map(
		({ groups: { name = '', version = '', license = '' } = {} }) => ({ name, version, license }),
	);
}
