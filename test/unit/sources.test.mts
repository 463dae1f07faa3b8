import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

import ts from 'typescript';

import { projectFolder } from '../../harness/installedPackage.mts';
import { publishedSources, type Source } from '../support/sources.mts';

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

test.each(sources.filter(({ path }) => !path.startsWith(`${NODES}messages/`)))(
	'$path has no sentence beside the catalog of messages and the fields of the editor',
	(source) => {
		expect(sentencesOf(source)).toEqual([]);
	},
);

/** Properties of fields, of options and of node types that the editor shows. */
const SHOWN_BY_THE_EDITOR = [
	...[
		'displayName',
		'name',
		'description',
		'hint',
		'placeholder',
		'action',
		'errorMessage',
		'cachedResultName',
		'outputNames',
	],
	...[
		'toolDescription',
		'searchHint',
		'relationHint',
		'waitingNodeTooltip',
		'header',
		'executionsHelp',
		'activationHint',
	],
];

/** Functions that make fields, and are given their labels and descriptions. */
const FIELD_MAKERS = [
	'choice',
	'flag',
	'listOperation',
	'notice',
	'person',
	'priority',
	'seenOnTasks',
	'statuses',
	'task',
	'team',
];

/** What is written into questions, for the assistant to read. */
const FOR_THE_ASSISTANT = [
	...['Use the playbook', 'Draft from the template'],
	'End your answer with one JSON object in a ```json fence. It has these keys, each once, and no others. Use null for what the documents do not say.',
];

function isOfField({ parent }: ts.Node) {
	const call = ts.isTemplateExpression(parent) ? parent.parent : parent;
	return ts.isCallExpression(call) && FIELD_MAKERS.includes(call.expression.getText());
}

/** Texts of several words, the first of which alone begins with a capital letter: labels have each word begin so. */
function sentencesOf({ path, text }: Source) {
	const found: string[] = [];
	const visit = (node: ts.Node) => {
		if (ts.isPropertyAssignment(node) && SHOWN_BY_THE_EDITOR.includes(node.name.getText())) return;
		const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node);
		if (isText && !isOfField(node) && /^[A-Z][\w'-]*,? (API |AI )?["a-z]/.test(node.text))
			found.push(node.text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true));
	return found.filter((sentence) => !FOR_THE_ASSISTANT.includes(sentence));
}
