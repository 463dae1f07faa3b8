import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { projectFolder } from '../../harness/installedPackage.mts';
import { asList, asRecord, asText } from '../../harness/unknownJson.mts';
import { readBundledLibraries } from '../../scripts/bundledLibraries.mts';

/** What npm would publish: its size in bytes, packed, and its paths. */
async function readTarball() {
	const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], {
		cwd: projectFolder,
	});
	const packed: unknown = JSON.parse(stdout);
	const [first] = Array.isArray(packed)
		? asList(packed, 'The tarballs')
		: Object.values(asRecord(packed, 'The tarballs'));
	const { size, files } = asRecord(first, 'The tarball');
	const paths = asList(files, 'Its files').map((file) =>
		asText(asRecord(file, 'A file').path, 'A path'),
	);
	return { size, paths };
}

const tarball = await readTarball();

test('the published package contains only what runs, its README and licenses', () => {
	const codeAndSchemas =
		/^dist\/(nodes|credentials)\/.+\.js$|^dist\/nodes\/\w+\/__schema__\/v1\.[01]\.0[\w/]*\.json$/;
	const others = tarball.paths.filter((path) => !codeAndSchemas.test(path));
	expect(others.sort()).toEqual([
		'LICENSE.md',
		'README.md',
		'dist/THIRD-PARTY-LICENSES.txt',
		'dist/icons/legalAi.dark.svg',
		'dist/icons/legalAi.svg',
		'dist/nodes/LegalAi/LegalAi.node.json',
		'dist/nodes/LegalAi/LegalAiTaskTrigger.node.json',
		'dist/nodes/LegalAi/LegalAiTrigger.node.json',
		'dist/nodes/LegalAiEmail/LegalAiEmail.node.json',
		'package.json',
	]);
});

test('the published package takes at most 150 kB', () => {
	expect(tarball.size).toBeLessThanOrEqual(150_000);
});

test('docs/security.md lists the libraries that the package contains', () => {
	const page = readFileSync(join(projectFolder, 'docs/security.md'), 'utf8');
	const rows = [...page.matchAll(/^\| \[(\S+)\]\(\S+\) (\S+) \| (.+?) \|/gm)];
	expect(rows.map(([, name, version, license]) => ({ name, version, license }))).toEqual(
		readBundledLibraries(),
	);
});

test('each source is a file of its own, so that the nodes share what a module keeps', () => {
	const list = (pattern: string) => globSync(pattern, { cwd: projectFolder }).sort();
	const sources = list('{nodes,credentials}/**/*.ts');
	expect(list('dist/{nodes,credentials}/**/*.js')).toEqual(
		sources.map((source) => `dist/${source.replace(/ts$/, 'js')}`),
	);
});
