import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

import ts from 'typescript';

import { projectFolder } from '../../harness/installedPackage.mts';
import { publishedSources } from '../support/sources.mts';

const sources = publishedSources();
const NODES = 'nodes/LegalAi/';

const architecture = readFileSync(join(projectFolder, 'docs/architecture.md'), 'utf8');

/** The picture under "Layers": the folders, the highest line first. */
const layers = (/^## Layers\n[^]*?```text\n([^]*?)\n```/m.exec(architecture)?.[1] ?? '')
	.split('\n')
	.map((line) => line.split(/ +/));

function layerOf(folder: string) {
	return layers.findIndex((layer) => layer.includes(folder));
}

function folderOf(path: string) {
	if (!path.startsWith(NODES)) return path.split('/')[0] ?? '';
	const [folder = '', ...rest] = path.slice(NODES.length).split('/');
	return rest.length === 0 && path.endsWith('.ts') ? 'nodes' : folder;
}

test.each(sources)(
	'$path imports only from its own folder, from layers below it, and what n8n lets a verified package use',
	({ path, text }) => {
		const imports = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
		const [files, packages] = [
			imports.filter((name) => name.startsWith('.')),
			imports.filter((name) => !name.startsWith('.')),
		];
		expect(packages.filter((name) => name !== 'n8n-workflow' && name !== 'crypto')).toEqual([]);

		const own = folderOf(path);
		expect(layerOf(own), `docs/architecture.md has no layer for ${own}`).not.toBe(-1);
		const others = files
			.map((file) => folderOf(join(dirname(path), file)))
			.filter((folder) => folder !== own);
		expect(others.filter((folder) => layerOf(folder) <= layerOf(own))).toEqual([]);
	},
);

test('each folder of the picture in docs/architecture.md is there', () => {
	const folders = new Set(sources.map(({ path }) => folderOf(path)));
	expect(layers.flat().toSorted()).toEqual([...folders].toSorted());
});

test('the tests that the table of behaviors in docs/architecture.md names are there', () => {
	const named = [...architecture.matchAll(/`(test\/[\w/]+\.test\.mts)`/g)].map(
		([, path = '']) => path,
	);
	expect(named.filter((path) => !existsSync(join(projectFolder, path)))).toEqual([]);
});

test('helpers of tests are in test/support/, which imports nothing of the folders beside it except the sandbox', () => {
	const programs = globSync('test/{unit,engine,e2e}/**/*.{mts,ts,mjs,cjs,js}', {
		cwd: projectFolder,
	});
	expect(programs.filter((path) => !path.endsWith('.test.mts'))).toEqual([]);
	for (const path of globSync('test/support/**/*.mts', { cwd: projectFolder })) {
		const imports = ts.preProcessFile(
			readFileSync(join(projectFolder, path), 'utf8'),
		).importedFiles;
		const resolved = imports.map(({ fileName }) => join(dirname(path), fileName));
		expect(
			resolved.filter(
				(file) => file.startsWith('test/') && !/^test\/(support|sandbox)\//.test(file),
			),
			path,
		).toEqual([]);
	}
});

/** What no text for users says: words of programmers, words that frighten, British spellings, curly quotes. */
const NOT_FOR_USERS =
	/\b(payload|presigned|idempotent|illegal|fatal|cancelled|undefined)\b|\w(isation|ised|ising)\b|[“”‘’]/i;

// What mail programs write is not ours.
test.each(sources.filter(({ path }) => !path.endsWith('/mailPrograms.ts')))(
	'$path speaks to users in plain American English',
	({ path, text }) => {
		const sentences: string[] = [];
		const visit = (node: ts.Node) => {
			const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node);
			if (isText && /^["A-Z].* /.test(node.text)) sentences.push(node.text);
			ts.forEachChild(node, visit);
		};
		visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true));
		expect(sentences.filter((sentence) => NOT_FOR_USERS.test(sentence))).toEqual([]);
	},
);
