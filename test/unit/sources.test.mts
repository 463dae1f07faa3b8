import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

import ts from 'typescript';
import { describe, expect, test } from 'vitest';

import { publishedSources, type Source } from './sources.mts';

const sources = publishedSources();
const NODES = 'nodes/LegalAi/';

const architecture = readFileSync(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8');

/** The picture under "Layers": the folders, the highest line first. */
const layers = (/^## Layers\n[^]*?```text\n([^]*?)\n```/m.exec(architecture)?.[1] ?? '').split('\n').map((line) => line.split(/ +/));

function layerOf(folder: string): number {
	return layers.findIndex((layer) => layer.includes(folder));
}

/** What n8n lets a verified package use. */
const PACKAGES = ['n8n-workflow', 'crypto'];

const LONGEST_FILE = 250;
const LONGEST_LINE = 130;

/** One text, perhaps with its name before it and punctuation after it. */
const TEXT_ALONE = /^\s*([\w ]+(:|=) )?(['"`])((?!\3)[^\\]|\\.)*\3[,;]?$/;

describe.each(sources.map((source) => [source.path, source] as const))('%s', (_path, source) => {
	test('imports only from its own folder, and from layers below it', () => {
		const [packages, files] = [importsOf(source).filter((name) => !name.includes('/')), importsOf(source).filter((name) => name.includes('/'))];
		expect(packages.filter((name) => !PACKAGES.includes(name))).toEqual([]);
		const own = folderOf(source.path);
		expect(layerOf(own), `docs/architecture.md has no layer for ${own}`).not.toBe(-1);
		expect(files.map(folderOf).filter((folder) => folder !== own && layerOf(folder) <= layerOf(own))).toEqual([]);
	});

	test(`has at most ${LONGEST_FILE} lines`, () => {
		expect(linesOf(source).length).toBeLessThanOrEqual(LONGEST_FILE);
	});

	test(`has at most ${LONGEST_LINE} characters in a line that is more than one text`, () => {
		expect(linesOf(source).filter((line) => line.length > LONGEST_LINE && !TEXT_ALONE.test(line))).toEqual([]);
	});
});

test.each(sources.filter(({ path }) => !path.startsWith(`${NODES}messages/`)).map((source) => [source.path, source] as const))(
	'%s has no sentence beside the catalog of messages and the fields of the editor',
	(_path, source) => {
		expect(sentencesOf(source)).toEqual([]);
	},
);

test('each folder of the picture is there', () => {
	const folders = new Set(sources.map(({ path }) => folderOf(path)));
	expect(layers.flat().toSorted()).toEqual([...folders].toSorted());
});

test('the tests that the table of behaviors names are there', () => {
	const named = [...architecture.matchAll(/`(test\/[\w/]+\.test\.mts)`/g)].map(([, path = '']) => path);
	expect(named.filter((path) => !existsSync(join(import.meta.dirname, '../..', path)))).toEqual([]);
});

test('no file of the package imports itself by way of others', () => {
	const imports = new Map(sources.map((source) => [source.path.replace(/\.ts$/, ''), valueImportsOf(source)]));
	const circles: string[][] = [];
	const isClear = new Set<string>();
	const follow = (path: string, way: string[]): void => {
		if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path]);
		else if (!isClear.has(path)) {
			for (const next of imports.get(path) ?? imports.get(`${path}/index`) ?? []) follow(next, [...way, path]);
			isClear.add(path);
		}
	};
	for (const path of imports.keys()) follow(path, []);
	expect(circles).toEqual([]);
});

function linesOf({ text }: Source): string[] {
	return text.trimEnd().split('\n');
}

function folderOf(path: string): string {
	if (!path.startsWith(NODES)) return path.split('/')[0] ?? '';
	const [folder = '', ...rest] = path.slice(NODES.length).split('/');
	return rest.length === 0 && path.endsWith('.ts') ? 'nodes' : folder;
}

/** Paths below the root without their ending, or names of packages. */
function importsOf({ path, text }: Source): string[] {
	return ts.preProcessFile(text).importedFiles.map(({ fileName }) => (fileName.startsWith('.') ? join(dirname(path), fileName) : fileName));
}

/** What is left of the imports when the program runs. */
function valueImportsOf({ path, text }: Source): string[] {
	const { outputText } = ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 } });
	return importsOf({ path, text: outputText });
}

/** Properties of fields, of options and of node types that the editor shows. */
const SHOWN_BY_THE_EDITOR = [
	...['displayName', 'name', 'description', 'hint', 'placeholder', 'action', 'errorMessage', 'cachedResultName'],
	...['toolDescription', 'searchHint', 'relationHint', 'waitingNodeTooltip', 'header', 'executionsHelp', 'activationHint'],
];

/** What is written into questions, for the assistant to read. */
const FOR_THE_ASSISTANT = ['Use the playbook', 'Draft from the template'];

/** Texts of several words, the first of which alone begins with a capital letter: labels have each word begin so. */
function sentencesOf({ path, text }: Source): string[] {
	const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isPropertyAssignment(node)) {
			if (!SHOWN_BY_THE_EDITOR.includes(node.name.getText())) visit(node.initializer);
			return;
		}
		if ((ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && /^[A-Z][\w'-]*,? (API |AI )?["a-z]/.test(node.text)) {
			found.push(node.text);
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found.filter((sentence) => !FOR_THE_ASSISTANT.includes(sentence));
}
