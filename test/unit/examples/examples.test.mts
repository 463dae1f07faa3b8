import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { exampleNames, readExample } from '../../../harness/examples.mts';
import { projectFolder } from '../../../harness/installedPackage.mts';
import { asText } from '../../../harness/unknownJson.mts';
import { parametersShown } from '../../support/examples/nodeDescriptions.mts';

/** The lines below that of the example: nobody reads them every day. */
const ASIDE = ['When It Fails', 'Tell Owner', 'Every Morning', 'Can It Be Read?'];
/** The steps that take the mark away by which a person has picked something. */
const MARKS = ['Move Email', 'Remove Label', 'Mark as Asked'];
/** What an expression is made of: paths, shown as a list, a date or with what a page would take for HTML; dates, words. */
const PATH = String.raw`(?:\$json|\$\('[^']+'\)\.item\.json)(?:\??\.\w+|\[(?:\d|'[^']+')\])+`;
const TIME = String.raw`\.toDateTime\(\)\.(?:toLocal\(\)\.toFormat\('[^']+'\)|toRelative\(\))`;
const SHOWN = String.raw`(?:\??\.join\('[^']*'\)|${TIME}|\.replaceAll\('<', '&lt;'\))?`;
const DATE = String.raw`\$now(?:\.(?:plus|minus)\(\{ days: \d+ \}\))?\.toISODate\(\)`;
const PART = String.raw`(?:${PATH}${SHOWN}|${DATE}|'[^']*')`;
const EXPRESSION = new RegExp(`^${PART}(?: \\?\\? ${PART})*$`);

/** What the page of an example says. */
const HEADINGS = [
	'Who it is for',
	'What it needs',
	'What leaves the company, and when a person looks',
	'If something breaks',
	'Before you publish',
];

const toJson = (value: unknown) => JSON.stringify(value);
const readType = ({ type }: INode) => type.slice(type.lastIndexOf('.') + 1);
const isTrigger = ({ type }: INode) => /trigger$/i.test(type);
const listNames = (nodes: readonly INode[]) => nodes.map(({ name }) => name);

/** An example, and what its rules are about. */
async function exampleIn(file: string) {
	const { name: title, nodes: all, connections, pinData: pinned = {} } = await readExample(file);
	const isNote = (node: INode) => readType(node) === 'stickyNote';
	const nodes = all.filter((node) => !isNote(node));
	const [note = '', ...sections] = all
		.filter(isNote)
		.map(({ parameters }) => asText(parameters.content, 'A note'));
	const [, steps = ''] = note.split('### Set up\n');
	const next = (name: string) =>
		(connections[name]?.main ?? []).flatMap((targets) => targets ?? []).map(({ node }) => node);
	/** All nodes behind one. */
	const behind = (name: string, known = new Set<string>()) => {
		for (const target of next(name)) if (!known.has(target)) behind(target, known.add(target));
		return known;
	};
	return {
		...{ name: file.replace('.json', ''), title, nodes, note, sections, steps, pinned },
		...{ connections, next, behind },
		of: (...types: string[]) => nodes.filter((node) => types.includes(readType(node))),
		does: (resource: string, ...operations: string[]) =>
			nodes.filter(
				({ parameters: { resource: of, operation } }) =>
					of === resource &&
					(operations.length === 0 || operations.some((each) => each === operation)),
			),
	};
}
type Example = Awaited<ReturnType<typeof exampleIn>>;

const examples = await Promise.all((await exampleNames()).map(exampleIn));
const readPage = (file: string) => readFileSync(join(projectFolder, 'examples', file), 'utf8');

test.each(examples)('$name gives its nodes only parameters that n8n knows', ({ nodes }) => {
	for (const node of nodes) expect(parametersShown(node), node.name).toMatchObject(node.parameters);
});

/** What all nodes of a kind have, as JSON. */
test.each<[string, (example: Example) => INode[], RegExp]>([
	['has no credentials', ({ nodes }) => nodes, /^(?!.*"credentials":)/],
	[
		'has no code, no loop, no Markdown, no trigger that loses events',
		({ nodes }) => nodes,
		/^(?!.*\.(code|markdown|splitInBatches|microsoftTeamsTrigger|hubspotTrigger)")/,
	],
	[
		'remembers no earlier executions, repeats nothing that it sends, and lets no link approve',
		({ nodes }) => nodes,
		/^(?!.*(SeenInPrevious|"approval"|sendAndWait|"retryOnFail":true))/,
	],
	[
		'goes on where an email could not be read',
		({ of }) => of('legalAiEmail'),
		/"onError":"continueRegularOutput"/,
	],
	[
		'gives each task a due date, and somebody unless it is a draft',
		({ does }) => does('task', 'create'),
		/^(?=.*"completeBy").*("draft":true|"assignedTo")/,
	],
	[
		'looks up what may not be there without ending',
		({ does, nodes }) => [
			...does('row', 'get'),
			...does('issueAttachment'),
			...nodes.filter(({ name }) => name === 'Get Register'),
		],
		/"alwaysOutputData":true/,
	],
	[
		'says what a person has to read of an email that nothing could read',
		({ of, nodes, connections }) =>
			of('legalAiEmail')
				.flatMap(({ name }) => connections[name]?.main?.[1] ?? [])
				.flatMap(({ node: target }) => nodes.filter(({ name }) => name === target)),
		/\$json\.unread/,
	],
	[
		'reads the files in a ZIP that comes by email',
		({ of, does }) => (of('legalAiEmail').length > 0 ? does('question') : []),
		/"source":"allBinary","unzip":true/,
	],
	[
		'names the workflow also if a poll has failed, which leaves nothing to refer to in an error workflow',
		({ of, behind, nodes }) =>
			of('errorTrigger').flatMap(({ name }) => nodes.filter((node) => behind(name).has(node.name))),
		/^(?!.*\$\('(Workflow Failed|When It Fails)'\)).*\$json\.workflow\.name/,
	],
	['protects its forms', ({ of }) => of('formTrigger'), /"authentication":"basicAuth"/],
	[
		'sends texts as they are',
		({ of }) =>
			of('emailSend', 'microsoftOutlook', 'gmail', 'slack', 'microsoftTeams').filter(
				({ parameters: { message, text } }) => message ?? text,
			),
		/"(emailFormat|emailType|messageType|contentType)":"text"|:"Text"/,
	],
	[
		'says who can open a session',
		({ does }) => does('question'),
		/"visibility":"(private|organization)"/,
	],
])('each example %s', (_rule, about, form) => {
	const nodes = examples.flatMap((example) =>
		about(example).map((node) => ({ example: example.name, node })),
	);
	const broken = nodes.filter(({ node }) => !form.test(toJson(node)));
	expect(broken.map(({ example, node }) => [example, node.name])).toEqual([]);
	expect(nodes).not.toEqual([]);
});

/** What breaks a rule in an example. */
test.each<[string, (example: Example) => unknown[]]>([
	[
		'fits on one screen',
		({ nodes }) => {
			const line = nodes.filter(({ name }) => !ASIDE.includes(name));
			const columns = new Set(line.map(({ position: [x] }) => x)).size;
			return line.length > 12 || columns > 10 ? [line.length, columns] : [];
		},
	],
	[
		'is read from left to right',
		({ nodes, next }) =>
			nodes.filter(({ name, position: [left] }) =>
				nodes.some((node) => node.position[0] <= left && next(name).includes(node.name)),
			),
	],
	[
		'has nodes with names and IDs of their own',
		({ nodes }) =>
			nodes.filter(({ id, name }, index) =>
				nodes.slice(0, index).some((node) => node.id === id || node.name === name),
			),
	],
	[
		'has a note of at most 120 words with numbered steps, and short numbered notes above its sections',
		({ note, steps, sections }) => {
			const words = note.split(/\s+/).filter((word) => /\w/.test(word) && !/^\d+\.$/.test(word));
			const isShort = (text: string, index: number) =>
				new RegExp(`^\\*\\*${index + 1}\\. .{4,60}\\*\\*(\n.{4,60})?$`).test(text);
			const isFit = words.length <= 120 && /^1\. .*(\n\d\. .*)+/.test(steps);
			return [...(isFit ? [] : [note]), ...sections.filter((each, index) => !isShort(each, index))];
		},
	],
	[
		'has expressions that are paths, at most 25, none longer than 100 characters',
		({ nodes }) => {
			const parameters = toJson(nodes.map((node) => node.parameters));
			return [...parameters.matchAll(/\{\{ (.*?) \}\}/g)]
				.map(([, text = '']) => text)
				.filter((text, index) => !EXPRESSION.test(text) || text.length > 100 || index >= 25);
		},
	],
	[
		'shows an email that nobody could read to a person',
		({ of, connections }) =>
			of('legalAiEmail').filter(({ name }) => !connections[name]?.main?.[1]?.length),
	],
	[
		'opens the task, then takes the mark, then asks',
		({ nodes, does, behind }) => {
			const steps = [['Open Task'], MARKS, listNames(does('question', 'ask', 'askAndWait'))];
			const findStep = ({ name }: INode) => steps.findIndex((names) => names.includes(name));
			return nodes.filter((first) =>
				nodes.some(
					(second) =>
						findStep(first) >= 0 &&
						findStep(first) < findStep(second) &&
						!behind(first.name).has(second.name),
				),
			);
		},
	],
	[
		'takes a mark away where it reads a queue of what a person has picked',
		({ nodes, does }) =>
			nodes.some(({ name }) => MARKS.includes(name))
				? []
				: [...does('folderMessage'), ...does('message', 'getAll')].filter(
						({ name }) => !ASIDE.includes(name),
					),
	],
	[
		'watches a trigger that says nothing when its credential is refused, and has it download nothing',
		({ of, next }) =>
			of('microsoftOutlookTrigger', 'gmailTrigger', 'microsoftOneDriveTrigger').filter(
				(node) =>
					!next('Every Morning').includes('Can It Be Read?') ||
					toJson(node).includes('downloadAttachments'),
			),
	],
	[
		'has one item where it waits for a person',
		({ nodes, does, behind }) =>
			nodes.filter(
				(node) =>
					isTrigger(node) &&
					readType(node) !== 'formTrigger' &&
					does('task', 'waitForStatus').some(({ name }) => behind(node.name).has(name)),
			),
	],
	[
		'links to no session that is private',
		({ nodes, does }) =>
			toJson(does('question')).includes('"visibility":"private"')
				? nodes.filter((node) => toJson(node).includes('session_url'))
				: [],
	],
	[
		'names in its steps only nodes that it has, and each that holds an invented value',
		({ nodes, steps }) => {
			const named = [...steps.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name);
			const products = [
				...steps.matchAll(/\b([A-Z]\w+)(?: AI)?(?: and ([A-Z]\w+))? nodes/g),
			].flat();
			const isMeant = (node: INode) =>
				named.includes(node.name) ||
				products.some((product = 'none') => new RegExp(product, 'i').test(readType(node)));
			const invented = nodes.filter(({ parameters }) =>
				/example\.com|"[A-Z]+_[A-Z_]+"/.test(toJson(parameters)),
			);
			return [
				...named.filter((name) => !listNames(nodes).includes(name) && name !== 'When It Fails'),
				...invented.filter((node) => !isMeant(node)),
			];
		},
	],
	[
		'shows something without a product: what starts it is pinned, in texts',
		({ name, nodes, next, pinned }) => {
			const first = nodes.filter(isTrigger).flatMap((node) => [node.name, ...next(node.name)]);
			// The digest begins with the tasks of the service.
			const isPinned = name === 'task-digest' || first.some((each) => each in pinned);
			return isPinned && !toJson(pinned).includes('"binary"') ? [] : [name];
		},
	],
	[
		'has a page with two pictures, and is in the table',
		({ name, title }) => {
			const pictures = ['', '-result'].map((which) => `pictures/${name}${which}.png`);
			const parts = [
				`# ${title}\n`,
				...HEADINGS.map((heading) => `## ${heading}\n`),
				...pictures.map((picture) => `](${picture})`),
			];
			return [
				...parts.filter((part) => !readPage(`${name}.md`).includes(part)),
				...pictures.filter((picture) => !existsSync(join(projectFolder, 'examples', picture))),
				...(readPage('README.md').includes(`](${name}.md)`) ? [] : ['the table']),
			];
		},
	],
])('each example %s', (_rule, broken) => {
	const found = examples.flatMap((example) =>
		broken(example).map((what) => [example.name, (what as { name?: string }).name ?? what]),
	);
	expect(found).toEqual([]);
});
