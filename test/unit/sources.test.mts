import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

import ts from 'typescript';

import { projectFolder } from '../../harness/installedPackage.mts';
import { publishedSources } from '../support/sources.mts';

const sources = publishedSources();

const filesIn = (pattern: string) =>
	globSync(pattern, { cwd: projectFolder, exclude: (path) => path.includes('node_modules') });

function readSource(path: string) {
	return readFileSync(join(projectFolder, path), 'utf8');
}

/** The picture of the house in docs/architecture.md: the folders, the highest floor first. */
const floors = (
	/^## The house\n[^]*?```text\n([^]*?)\n```/m.exec(readSource('docs/architecture.md'))?.[1] ?? ''
)
	.split('\n')
	.map((floor) => floor.trim().split(/ +/));

/** The folder of a file as the picture names it. */
function folderOf(path: string) {
	const folder = dirname(path).replace(/^nodes\/LegalAi(\/|$)/, '');
	return folder === '' ? 'nodes' : folder.replace('nodes/', '');
}

function floorOf(folder: string) {
	return floors.findIndex((names) => names.includes(folder));
}

test.each(sources)(
	'$path imports only from its own folder, from floors below it, and what n8n lets a verified package use',
	({ path, text }) => {
		const imports = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
		const packages = imports.filter((name) => !name.startsWith('.'));
		const libraries = ['content-disposition', 'htmlparser2', 'ipaddr.js'];
		expect(
			packages.filter((name) => !['n8n-workflow', 'crypto', ...libraries].includes(name)),
		).toEqual([]);

		const own = folderOf(path);
		expect(floorOf(own), `docs/architecture.md has no floor for ${own}`).not.toBe(-1);
		const others = imports
			.filter((name) => name.startsWith('.'))
			.map((file) => folderOf(join(dirname(path), file)))
			.filter((folder) => folder !== own);
		expect(others.filter((folder) => floorOf(folder) <= floorOf(own))).toEqual([]);
	},
);

test('helpers of tests are in test/support/', () => {
	const programs = filesIn('test/{unit,engine,e2e}/**/*.{mts,ts,mjs,cjs,js}');
	expect(programs.filter((path) => !path.endsWith('.test.mts'))).toEqual([]);
});
