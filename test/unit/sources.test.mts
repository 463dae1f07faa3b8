import { dirname, join } from 'node:path/posix';

import ts from 'typescript';
import { describe, expect, test } from 'vitest';

import { publishedSources, type Source } from './sources.mts';

const sources = publishedSources();
const NODES = 'nodes/LegalAi/';

/**
 * What each folder may import from others, so that whoever reads a file knows that nothing above it matters to it.
 * `nodes` are the two node types themselves; a file may be named in place of its folder.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
	credentials: ['api', 'messages'],
	nodes: ['callbacks', 'execution', 'listSearch', 'messages', 'resources', 'trigger', 'waiting'],
	resources: ['api', 'callbacks', 'execution', 'files', 'messages', 'parameters', 'waiting'],
	waiting: ['api', 'callbacks', 'execution', 'messages', 'parameters'],
	trigger: ['api', 'callbacks', 'execution', 'files', 'messages', 'parameters'],
	listSearch: ['api', 'execution', 'parameters'],
	execution: ['api', 'messages', 'parameters'],
	files: ['api', 'messages'],
	callbacks: ['api', 'messages'],
	parameters: ['api/json', 'messages'],
	api: ['messages'],
	messages: [],
};

/** What n8n lets a verified package use. */
const PACKAGES = ['n8n-workflow', 'crypto'];

const LONGEST_FILE = 250;

describe.each(sources.map((source) => [source.path, source] as const))('%s', (_path, source) => {
	test('imports only from where its folder may', () => {
		const allowed = MAY_IMPORT[folderOf(source.path)];
		const wrong = importsOf(source).filter((imported) => {
			if (!imported.includes('/')) return !PACKAGES.includes(imported);
			const from = imported.replace(NODES, '');
			return folderOf(imported) !== folderOf(source.path) && !allowed?.some((each) => from === each || from.startsWith(`${each}/`));
		});
		expect(wrong).toEqual([]);
	});

	test(`has at most ${LONGEST_FILE} lines`, () => {
		expect(source.text.trimEnd().split('\n').length).toBeLessThanOrEqual(LONGEST_FILE);
	});
});

test.each(sources.filter(({ path }) => !path.startsWith(`${NODES}messages/`)).map((source) => [source.path, source] as const))(
	'%s has no sentence beside the catalog of messages and the fields of the editor',
	(_path, source) => {
		expect(sentencesOf(source)).toEqual([]);
	},
);

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
