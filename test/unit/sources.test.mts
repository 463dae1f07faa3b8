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

/** Weight is counted in syntax nodes: comments and layout are free, so a line may be as wide as it reads well. */
function weightOf(text: string) {
	let weight = 0;
	const count = (node: ts.Node) => {
		weight++;
		ts.forEachChild(node, count);
	};
	count(ts.createSourceFile('', text, ts.ScriptTarget.Latest));
	return weight;
}

function sum(texts: string[]) {
	return texts.reduce((total, text) => total + weightOf(text), 0);
}

/** How many comments a text has. */
function commentsOf(text: string) {
	const begins = new Set<number>();
	const collect = (node: ts.Node) => {
		const before = ts.getLeadingCommentRanges(text, node.pos) ?? [];
		const behind = ts.getTrailingCommentRanges(text, node.end) ?? [];
		for (const { pos } of [...before, ...behind]) begins.add(pos);
		ts.forEachChild(node, collect);
	};
	collect(ts.createSourceFile('', text, ts.ScriptTarget.Latest));
	return begins.size;
}

test.each(sources)(
	'$path imports only from its own folder, from floors below it, and what n8n lets a verified package use',
	({ path, text }) => {
		const imports = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
		const packages = imports.filter((name) => !name.startsWith('.'));
		expect(packages.filter((name) => name !== 'n8n-workflow' && name !== 'crypto')).toEqual([]);

		const own = folderOf(path);
		expect(floorOf(own), `docs/architecture.md has no floor for ${own}`).not.toBe(-1);
		const others = imports
			.filter((name) => name.startsWith('.'))
			.map((file) => folderOf(join(dirname(path), file)))
			.filter((folder) => folder !== own);
		expect(others.filter((folder) => floorOf(folder) <= floorOf(own))).toEqual([]);
	},
);

test('the house has the folders of the picture, and stays small', () => {
	const folders = new Set(sources.map(({ path }) => folderOf(path)));
	expect(floors.flat().toSorted()).toEqual([...folders].toSorted());
	expect(floors.length).toBeLessThanOrEqual(7);
	expect(folders.size).toBeLessThanOrEqual(15);
	expect(sources.length).toBeLessThanOrEqual(70);
	const long = sources.filter(({ text }) => text.trimEnd().split('\n').length > 350);
	expect(long.map(({ path }) => path)).toEqual([]);
	expect(sum(sources.map(({ text }) => text))).toBeLessThanOrEqual(42_000);
	const comments = sources.reduce((total, { text }) => total + commentsOf(text), 0);
	expect(comments).toBeLessThanOrEqual(690);
});

/** What each folder of tests may weigh, in syntax nodes: it grows only by a decision, here. */
const TEST_WEIGHTS: Readonly<Record<string, number>> = {
	'test/unit': 25_900,
	'test/engine': 43_750,
	'test/scenarios': 1_600,
	'test/e2e/*': 4_900,
	'test/e2e/all': 10_900,
	'test/e2e/examples': 2_700,
	'test/long': 4_100,
	'test/sandbox': 12_500,
	'test/contract': 11_500,
	'test/support': 36_400,
	harness: 7_500,
	bench: 7_800,
	scripts: 6_000,
};

test.each(Object.entries(TEST_WEIGHTS))('%s weighs at most %i', (folder, most) => {
	const files = `${folder}${folder.endsWith('*') ? '' : '/**/*'}.{mts,mjs,cjs,js,ts}`;
	expect(sum(filesIn(files).map(readSource))).toBeLessThanOrEqual(most);
});

test('helpers of tests are in test/support/', () => {
	const programs = filesIn('test/{unit,engine,e2e}/**/*.{mts,ts,mjs,cjs,js}');
	expect(programs.filter((path) => !path.endsWith('.test.mts'))).toEqual([]);
});
