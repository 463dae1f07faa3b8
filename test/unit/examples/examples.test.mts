import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type INode, NodeHelpers } from 'n8n-workflow';

import { demoAnswer } from '../../../harness/demoAnswer.mts';
import { exampleNames, readExample } from '../../../harness/examples.mts';
import { projectFolder } from '../../../harness/installedPackage.mts';
import { asText } from '../../../harness/unknownJson.mts';
import { propertiesOf } from '../../../nodes/LegalAi/fields/field.ts';
import { readFields as readParameters } from '../../../nodes/LegalAi/fields/read.ts';
import {
	answerFields,
	requestForFields,
} from '../../../nodes/LegalAi/resources/question/answerFields.ts';
import { readFields } from '../../../nodes/LegalAi/resources/question/readAnswer.ts';
import { descriptionOf } from '../../support/examples/nodeDescriptions.mts';
import { credentialsOf, problemsOf } from '../../support/examples/nodeProblems.mts';

/** The lines below that of the example: nobody reads them every day. */
const ASIDE = ['When It Fails', 'Tell Owner', 'Every Morning', 'Can It Be Read?'];
/** The steps that take the mark away by which a person has picked something. */
const MARKS = ['Move Email', 'Remove Label', 'Mark as Asked'];
/** What an expression is made of: paths, shown as a list, a date or with what a page would take for HTML; dates, words. */
const PATH = String.raw`(?:\$json|\$\('[^']+'\)\.item\.json)(?:\??\.\w+|\[(?:\d|'[^']+')\])+`;
const TIME = String.raw`\.toDateTime\(\)\.(?:toFormat\('[^']+'\)|toRelative\(\))`;
const SHOWN = String.raw`(?:\??\.join\('[^']*'\)|${TIME}|\.replaceAll\('<', '&lt;'\))?`;
const DATE = String.raw`\$now(?:\.(?:plus|minus)\(\{ days: \d+ \}\))?\.toISODate\(\)`;
const PART = String.raw`(?:${PATH}${SHOWN}|${DATE}|'[^']*')`;
const EXPRESSION = new RegExp(`^${PART}(?: \\?\\? ${PART})*$`);

const textOf = (value: unknown) => JSON.stringify(value);
const typeOf = ({ type }: INode) => type.replace(/.*\./, '');
const isTrigger = ({ type }: INode) => /trigger$/i.test(type);

/** An example, and what its rules are about. */
async function exampleIn(file: string) {
	const { name: title, nodes: all, connections, pinData: pinned = {} } = await readExample(file);
	const isNote = (node: INode) => typeOf(node) === 'stickyNote';
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
		...{ name: file.replace('.json', ''), title, all, nodes, note, sections, steps, pinned },
		...{ connections, next, behind },
		of: (...types: string[]) => nodes.filter((node) => types.includes(typeOf(node))),
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
const lineOf = ({ nodes }: Example) => nodes.filter(({ name }) => !ASIDE.includes(name));
const readPage = (file: string) => readFileSync(join(projectFolder, 'examples', file), 'utf8');
/** The words of a note, without the numbers of its steps. */
const wordsOf = (note: string) =>
	note.split(/\s+/).filter((word) => /\w/.test(word) && !/^\d+\.$/.test(word));
const lacks = (text: string) => (node: INode) => !textOf(node).includes(text);
const names = (nodes: readonly INode[]) => nodes.map(({ name }) => name);

/** The answer fields that a question asks for. */
function answerFieldsOf({ parameters }: INode) {
	const given = { answerFields: parameters.answerFields ?? {} };
	const properties = propertiesOf({ answerFields });
	const all = NodeHelpers.getNodeParameters(properties, given, true, false, null, null);
	return readParameters({ answerFields }, (name) => all?.[name]).answerFields;
}

/** What breaks a rule in an example. */
const rules: Record<string, (example: Example) => unknown[]> = {
	'fits on one screen': (e) => {
		const line = lineOf(e);
		const columns = new Set(line.map(({ position: [x] }) => x)).size;
		return line.length > 12 || columns > 10 ? [line.length, columns] : [];
	},
	'is read from left to right': (e) =>
		e.nodes.filter(({ name, position: [left] }) =>
			e.nodes.some((node) => node.position[0] <= left && e.next(name).includes(node.name)),
		),
	'has a note of at most 120 words with numbered steps, and short numbered notes above its sections':
		(e) => {
			const isShort = (text: string, index: number) =>
				new RegExp(`^\\*\\*${index + 1}\\. .{4,60}\\*\\*(\n.{4,60})?$`).test(text);
			const isNumbered = /^1\. .*(\n\d\. .*)+/.test(e.steps);
			const long = wordsOf(e.note).length > 120 || !isNumbered ? [e.note] : [];
			return [...long, ...e.sections.filter((text, index) => !isShort(text, index))];
		},
	'has nodes with names and IDs of their own, and no credentials': (e) =>
		e.all.filter(
			({ id, name, credentials }, index) =>
				credentials !== undefined ||
				e.all.slice(0, index).some((node) => node.id === id || node.name === name),
		),
	'gives its nodes only parameters that n8n knows, and all that they need': (e) =>
		e.nodes.flatMap(problemsOf),
	'has expressions that are paths, at most 25, none longer than 100 characters': (e) => {
		const parameters = textOf(e.nodes.map((node) => node.parameters));
		const expressions = [...parameters.matchAll(/\{\{ (.*?) \}\}/g)].map(([, text = '']) => text);
		return [
			...expressions.filter((each) => !EXPRESSION.test(each) || each.length > 100),
			...expressions.slice(25),
		];
	},
	'has no code, no loop, no Markdown, no trigger that loses events': (e) =>
		e.of('code', 'markdown', 'splitInBatches', 'microsoftTeamsTrigger', 'hubspotTrigger'),
	'remembers no earlier executions, repeats nothing that it sends, and lets no link approve': (e) =>
		e.nodes.filter((node) =>
			/SeenInPrevious|"approval"|sendAndWait|"retryOnFail":true/.test(textOf(node)),
		),
	'goes on where an email could not be read, and where somebody has to see it': (e) =>
		e
			.of('legalAiEmail')
			.filter(
				(node) =>
					lacks('"onError":"continueRegularOutput"')(node) ||
					[0, 1].some((output) => !e.connections[node.name]?.main?.[output]?.length),
			),
	'has answer fields that the sandbox of `npm start` fills in': (e) =>
		e.does('question').flatMap((node) => {
			const wanted = answerFieldsOf(node);
			const text = requestForFields(wanted) ?? '';
			const { read } = readFields(demoAnswer({ text, attachments: [] }).answer ?? '', wanted);
			return Object.keys(read.fields).filter((name) => read.fields[name] === null);
		}),
	'opens the task, then takes the mark, then asks': (e) => {
		const asked = names(e.does('question', 'ask', 'askAndWait'));
		const order = [['Open Task'], MARKS, asked].map((step) =>
			step.filter((name) => names(e.nodes).includes(name)),
		);
		return order.flatMap((step, index) =>
			step.flatMap((first) =>
				order
					.slice(index + 1)
					.flat()
					.filter((second) => !e.behind(first).has(second)),
			),
		);
	},
	'takes a mark away where it reads a queue of what a person has picked': (e) => {
		const lists = [...e.does('folderMessage'), ...e.does('message', 'getAll')];
		const queues = lists.filter(({ name }) => !ASIDE.includes(name));
		return names(e.nodes).some((name) => MARKS.includes(name)) ? [] : queues;
	},
	'gives each task a due date, and somebody unless it is a draft': (e) =>
		e
			.does('task', 'create')
			.filter(
				(node) => lacks('"completeBy"')(node) || !/"draft":true|"assignedTo"/.test(textOf(node)),
			),
	'looks up what may not be there without ending': (e) =>
		[
			...e.of('dataTable').filter(({ parameters: { operation } }) => operation === 'get'),
			...e.does('issueAttachment'),
			...e.nodes.filter(({ name }) => name === 'Get Register'),
		].filter(lacks('"alwaysOutputData":true')),
	'watches a trigger that says nothing when its credential is refused, and has it download nothing':
		(e) => {
			const silent = e.of('microsoftOutlookTrigger', 'gmailTrigger', 'microsoftOneDriveTrigger');
			const isWatched = e.next('Every Morning').includes('Can It Be Read?');
			return silent.filter((node) => !isWatched || textOf(node).includes('downloadAttachments'));
		},
	'has one item where it waits for a person': (e) =>
		e
			.does('task', 'waitForStatus')
			.flatMap(({ name }) =>
				e.nodes.filter((node) => isTrigger(node) && e.behind(node.name).has(name)),
			)
			.filter((node) => typeOf(node) !== 'formTrigger'),
	'protects its forms': (e) => e.of('formTrigger').filter(lacks('"authentication":"basicAuth"')),
	'sends texts as they are': (e) =>
		e
			.of('emailSend', 'microsoftOutlook', 'gmail', 'slack', 'microsoftTeams')
			.filter(({ parameters: { message, text } }) => message ?? text)
			.filter(
				(node) =>
					!/"(emailFormat|emailType|messageType|contentType)":"text"|:"Text"/.test(textOf(node)),
			),
	'says who can open a session, and links to none that is private': (e) => {
		const questions = e.does('question');
		const isPrivate = textOf(questions).includes('"visibility":"private"');
		return [
			...questions.filter((node) => !/"visibility":"(private|organization)"/.test(textOf(node))),
			...(isPrivate ? e.nodes.filter((node) => textOf(node).includes('session_url')) : []),
		];
	},
	'names in its steps only nodes that it has, and each that needs a credential or holds an invented value':
		(e) => {
			const named = [...e.steps.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name);
			const products = [
				...e.steps.matchAll(/([A-Z]\w+(?: AI)?)(?: and ([A-Z]\w+))? nodes/g),
			].flat();
			const isMeant = (node: INode) =>
				named.includes(node.name) ||
				products.some((product = 'none') => descriptionOf(node).displayName.includes(product));
			const isInvented = (node: INode) =>
				/example\.com|"[A-Z]+_[A-Z_]+"/.test(textOf(node.parameters));
			const needed = e.nodes.filter((node) => credentialsOf(node).length > 0 || isInvented(node));
			return [
				...named.filter((name) => !names(e.all).includes(name) && name !== 'When It Fails'),
				...needed.filter((node) => !isMeant(node)),
			];
		},
	'shows something without a product: what starts it is pinned, in texts': (e) => {
		const first = e.nodes.filter(isTrigger).flatMap(({ name }) => [name, ...e.next(name)]);
		const pinned = Object.keys(e.pinned);
		// The digest begins with the tasks of the service.
		const isMissing = pinned.length === 0 && e.name !== 'task-digest';
		return [
			...(isMissing || textOf(e.pinned).includes('"binary"') ? [e.name] : []),
			...pinned.filter((name) => !first.includes(name)),
		];
	},
	'has a page with two pictures, and is in the table': (e) => {
		const pictures = ['', '-result'].map((which) => `pictures/${e.name}${which}.png`);
		const parts = [
			`# ${e.title}\n`,
			'## Who it is for\n',
			'## What it needs\n',
			'## What leaves the company, and when a person looks\n',
			'## If something breaks\n',
			'## Before you publish\n',
			...pictures.map((picture) => `](${picture})`),
		];
		return [
			...parts.filter((part) => !readPage(`${e.name}.md`).includes(part)),
			...pictures.filter((picture) => !existsSync(join(projectFolder, 'examples', picture))),
			...[`](${e.name}.md)`].filter((link) => !readPage('README.md').includes(link)),
		];
	},
};

test.each(Object.entries(rules))('each example %s', (_rule, broken) => {
	const found = examples.flatMap((example) =>
		broken(example).map((what) => [example.name, (what as { name?: string }).name ?? what]),
	);
	expect(found).toEqual([]);
});
