// `npm run audit-libraries`: asks npm's registry for advisories on the libraries that the build has put into the package. To
// `npm audit --omit=dev` there are none, as they are development dependencies.
import { execFileSync } from 'node:child_process';

import { asList, asRecord } from '../harness/unknownJson.mts';
import { type BundledLibrary, readBundledLibraries } from './bundledLibraries.mts';

/** The advisories on these versions, each as a line. Throws if the registry does not say. */
async function fetchAdvisories(libraries: readonly BundledLibrary[]) {
	const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
	const response = await fetch(new URL('-/npm/v1/security/advisories/bulk', registry), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(Object.fromEntries(libraries.map((each) => [each.name, [each.version]]))),
	});
	if (!response.ok)
		throw new Error(`The registry did not check the libraries (status ${response.status}).`);
	const advisories = asRecord(await response.json(), 'The advisories');
	return Object.entries(advisories).flatMap(([name, list]) =>
		asList(list, `The advisories on ${name}`).map((advisory) => {
			const { severity, title, url } = asRecord(advisory, 'An advisory');
			return `${name}: ${String(title)} (${String(severity)}), ${String(url)}`;
		}),
	);
}

const libraries = readBundledLibraries();
const advisories = await fetchAdvisories(libraries);
for (const advisory of advisories) console.error(advisory);
if (advisories.length > 0) process.exitCode = 1;
else
	console.log(
		`No advisories on ${libraries.map(({ name, version }) => `${name} ${version}`).join(', ')}`,
	);
